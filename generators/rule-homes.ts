/** Generates the indexes of `conformance/rules/`: each rule with its home, and every file of faults. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInput } from './errors.js';
import type { Files } from './output.js';
import { render } from './templates.js';

const folder = 'conformance/rules';

/** `export const feedLimit = defineRule('feed-limit', …` */
const definition = /^export const (\w+) = defineRule\('([\w-]+)'/gm;

interface Home {
  readonly id: string;
  /** The name of the constant. */
  readonly name: string;
  readonly file: string;
}

/**
 * The modules, not yet formatted. A rule of the catalogue without a home does not compile there.
 *
 * @param root the root of the project
 * @param ids the ids of the catalogue, in its order
 * @throws InvalidInput if a rule has two homes
 */
export async function ruleHomesModules(root: string, ids: readonly string[]): Promise<Files> {
  const names = await readdir(join(root, folder), { recursive: true });
  const inAreas = names.filter((name) => /^(?!shared|generated)[\w-]+\/[\w.-]+\.ts$/.test(name)).sort();
  const homes = (await Promise.all(inAreas.map((file) => homesIn(root, file)))).flat();
  for (const [index, { id, file }] of homes.entries()) {
    const other = homes.slice(0, index).find((home) => home.id === id);
    if (other)
      throw new InvalidInput(`${folder}/${file}: the rule ${id} has a home in ${other.file} already.`);
  }
  const positionOf = ({ id }: Home): number => ids.indexOf(id);
  return {
    [`${folder}/generated/rule-homes.ts`]: render('rule-homes', {
      families: [...new Set(homes.map(({ file }) => file))].map((file) => ({
        file: asModule(file),
        names: homes.filter((home) => home.file === file).map(({ name }) => name),
      })),
      homes: homes.toSorted((one, other) => positionOf(one) - positionOf(other)),
    }),
    [`${folder}/generated/fault-files.ts`]: render('fault-files', {
      files: inAreas.filter((name) => name.endsWith('.faults.ts')).map(asModule),
    }),
  };
}

async function homesIn(root: string, file: string): Promise<Home[]> {
  const source = await readFile(join(root, folder, file), 'utf8');
  return [...source.matchAll(definition)].map(([, name, id]) => ({ id: id!, name: name!, file }));
}

const asModule = (file: string): string => file.replace(/\.ts$/, '.js');
