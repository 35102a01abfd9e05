/** The rule catalogue: read from `openapi/rules/`, checked, and written as typed data. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Operation } from './description.js';
import { InvalidInput, reasonOf } from './errors.js';
import { render } from './templates.js';

export interface Rule {
  id: string;
  level: 'MUST' | 'SHOULD';
  source: string[];
  since?: string;
  needs: string[];
  statement: string;
  operations: string[];
}

/** The tables, in the order in which a reader meets them. */
const tables = ['root', 'session', 'tokens', 'feed', 'modes', 'filters', 'cluster'];
/** Files beside them that hold no rules. */
const others = ['traceability'];

/**
 * All rules in the order of the tables.
 *
 * @throws InvalidInput when a file is missing, unknown or does not fit `rule.schema.json`, or an id is used twice
 */
export async function readRules(folder: string): Promise<Rule[]> {
  const files = (await readdir(folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'));
  const unknown = files.filter((file) => !tables.includes(file) && !others.includes(file));
  if (unknown.length > 0)
    throw new InvalidInput(`openapi/rules: no place in the order of tables for ${unknown.join(', ')}`);

  const schema = JSON.parse(await readFile(join(folder, 'rule.schema.json'), 'utf8')) as object;
  const ajv = new Ajv2020({ allErrors: true });
  const validate = ajv.compile<Rule[]>(schema);
  const rules: Rule[] = [];
  for (const table of tables) {
    const content = await readYaml(join(folder, `${table}.yaml`), `openapi/rules/${table}.yaml`);
    if (!validate(content)) {
      throw new InvalidInput(
        `openapi/rules/${table}.yaml: ${ajv.errorsText(validate.errors, { dataVar: 'rules' })}`,
      );
    }
    rules.push(...content);
  }
  const ids = rules.map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (repeated.length > 0)
    throw new InvalidInput(`openapi/rules: more than one rule is called ${repeated.join(', ')}`);
  return rules;
}

/** Every capability that a rule or a check may need, in the order of `rule.schema.json`. */
export async function readCapabilities(folder: string): Promise<string[]> {
  const schema = JSON.parse(await readFile(join(folder, 'rule.schema.json'), 'utf8')) as {
    $defs: { Capability: { enum: string[] } };
  };
  return schema.$defs.Capability.enum;
}

async function readYaml(path: string, name: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new InvalidInput(`${name} cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * Rules and description name each other.
 *
 * @throws InvalidInput when a rule names an operation that is not there, or `x-rules` a rule that is not there
 */
export function checkReferences(rules: Rule[], operations: Operation[], description: unknown): void {
  const ids = new Set(rules.map(({ id }) => id));
  const operationIds = new Set(operations.map(({ id }) => id));
  const problems = [
    ...rules.flatMap(({ id, operations: named }) =>
      named
        .filter((name) => !operationIds.has(name))
        .map((name) => `rule ${id} names the unknown operation ${name}`),
    ),
    ...[...ruleNamesIn(description)]
      .filter((name) => !ids.has(name))
      .map((name) => `the description names the unknown rule ${name}`),
  ];
  if (problems.length > 0) throw new InvalidInput(problems.join('; '));
}

/** Every id in any `x-rules` of the description. */
function ruleNamesIn(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'x-rules') (value as string[]).forEach((name) => found.add(name));
    else ruleNamesIn(value, found);
  }
  return found;
}

/** The source of `openapi/generated/rules.ts`, not yet formatted. */
export function rulesModule(rules: Rule[], capabilities: string[]): string {
  return render('rules', {
    ids: unionOf(rules.map(({ id }) => id)),
    capabilities: JSON.stringify(capabilities),
    rules: JSON.stringify(rules),
  });
}

const unionOf = (names: string[]): string => names.map((name) => `| ${JSON.stringify(name)}`).join('');
