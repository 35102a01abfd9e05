/**
 * `npm run generate`: writes what is made of the description, and only what has changed.
 * With `--check` it writes nothing and exits with 1 when something would change.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidInput } from './errors.js';
import { generateCode, generatedFolders, generatePages } from './generate.js';
import { differing, remove, stale, write } from './output.js';
import type { Suite } from './pages.js';

const root = join(import.meta.dirname, '..');
const checkOnly = process.argv.includes('--check');

async function main(): Promise<void> {
  const { files: code, rules } = await generateCode(root);
  const changedCode = await differing(code, root);
  if (!checkOnly) await write(code, changedCode, root);

  // The suite is compiled against the generated code, and so is loaded only now.
  const pages = await generatePages(root, rules, await loadSuite());
  const changedPages = await differing(pages, root);
  if (!checkOnly) await write(pages, changedPages, root);

  const staleFiles = await stale(generatedFolders, [...Object.keys(code), ...Object.keys(pages)], root);
  if (!checkOnly) await remove(staleFiles, root);

  report([...changedCode, ...changedPages], staleFiles);
}

async function loadSuite(): Promise<Suite> {
  const load = async (path: string) =>
    (existsSync(join(root, path)) ? await import(join(root, path)) : {}) as Partial<Suite>;
  const { checks = [] } = await load('conformance/checks/index.ts');
  const { faults = [] } = await load('conformance/faults/index.ts');
  return { checks, faults };
}

function report(changed: string[], staleFiles: string[]): void {
  const [writing, removing] = checkOnly ? ['would change', 'would be removed'] : ['written', 'removed'];
  for (const path of changed) process.stdout.write(`${path}: ${writing}\n`);
  for (const path of staleFiles) process.stdout.write(`${path}: ${removing}\n`);
  if (changed.length + staleFiles.length === 0) process.stdout.write('Everything is up to date.\n');
  else if (checkOnly) {
    process.stderr.write(
      'Generated files differ from openapi/: run `npm run generate` and commit the result.\n',
    );
    process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
