/** The rule catalogue: read from `openapi/rules/`, validated, and written as typed data. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Rule as RuleEntry } from '../openapi/generated/rule.js';
import type { Rule as GeneratedRule } from '../openapi/generated/rules.js';
import type { Statement } from '../openapi/generated/traceability.js';
import type { Description } from './description.js';
import { InvalidInput, reasonOf } from './errors.js';
import { render } from './templates.js';

/** A rule before the type `RuleId` is generated. */
export interface Rule extends Omit<GeneratedRule, 'id'> {
  readonly id: string;
}

/** The areas of the service, in the order in which the catalogue presents them. Each has a file with its rules. */
const areas = ['root', 'sessions', 'tokens', 'feed', 'modes', 'filters', 'cluster'];
const traceabilityFile = 'traceability';

/**
 * All rules in the order of the catalogue. `source` is derived from the statements that the rule names.
 *
 * @param folder the folder `openapi/rules`
 * @throws InvalidInput if a file is missing, unknown or does not match its schema, or if two rules have the same id
 */
export async function readRules(folder: string): Promise<Rule[]> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'));
  const unknown = names.filter((name) => ![...areas, traceabilityFile].includes(name));
  failIfAny(unknown, (name) => `${name}.yaml is missing from the areas in generators/rules.ts`);

  const entries: (RuleEntry & { area: string })[] = [];
  for (const area of areas) {
    entries.push(...(await readList<RuleEntry>(folder, area, 'rule')).map((rule) => ({ ...rule, area })));
  }
  failIfAny(repeated(entries), (id) => `more than one rule has the id ${id}`);

  const unchecked = await readUnchecked(folder);
  return entries.map((entry) => ({
    needs: [],
    operations: [],
    components: [],
    ...entry,
    source: [...new Set(entry.statements.map(sectionOf))],
    gaps: unchecked
      .filter(({ id }) => entry.statements.includes(id))
      .map(({ text, reason }) => `${text}: ${reason}`),
  }));
}

/**
 * The statements of the service document that no rule checks, or that rules check in part, in its order.
 *
 * @throws InvalidInput if the file does not match its schema or two statements have the same id
 */
export async function readUnchecked(folder: string): Promise<Statement[]> {
  const statements = await readList<Statement>(folder, traceabilityFile, traceabilityFile);
  failIfAny(repeated(statements), (id) => `more than one statement has the id ${id}`);
  return statements;
}

/** Every capability, in the order of `rule.schema.json`. */
export async function readCapabilities(folder: string): Promise<string[]> {
  const schema = (await readSchema(folder, 'rule')) as { $defs: { Capability: { enum: string[] } } };
  return schema.$defs.Capability.enum;
}

async function readList<T>(folder: string, name: string, schema: string): Promise<T[]> {
  const ajv = new Ajv2020({ allErrors: true });
  const validate = ajv.compile<T[]>(await readSchema(folder, schema));
  const content = await readYaml(folder, name);
  if (validate(content)) return content;
  throw new InvalidInput(
    `openapi/rules/${name}.yaml: ${ajv.errorsText(validate.errors, { dataVar: schema })}`,
  );
}

const readSchema = async (folder: string, name: string): Promise<object> =>
  JSON.parse(await readFile(join(folder, `${name}.schema.json`), 'utf8')) as object;

async function readYaml(folder: string, name: string): Promise<unknown> {
  try {
    return parse(await readFile(join(folder, `${name}.yaml`), 'utf8'));
  } catch (error) {
    throw new InvalidInput(`openapi/rules/${name}.yaml cannot be read: ${reasonOf(error)}`);
  }
}

const repeated = (items: { id: string }[]): string[] =>
  items.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index);

function failIfAny<T>(items: T[], message: (item: T) => string): void {
  if (items.length > 0) throw new InvalidInput(`openapi/rules: ${items.map(message).join('; ')}`);
}

const listNames: Record<string, string> = { mode: 'mode', rule: 'rule', key: 'key rule', step: 'step' };

/** The section of a statement, with the item if the section has a numbered list, such as `4.7 rule 2`. */
export function sectionOf(statementId: string): string {
  const [, section = '', list, item] = /^([\d.]+)-(?:(mode|rule|key|step)-(\d))?/.exec(statementId) ?? [];
  return list === undefined ? section : `${section} ${listNames[list]} ${item}`;
}

/**
 * Adds `x-rules` to whatever a rule is about: its operations and components, or the whole description for a rule about
 * every operation.
 *
 * @throws InvalidInput if a rule names an operation or component that does not exist
 */
export function addRules(description: Description, rules: Rule[]): void {
  const operations = new Map(
    Object.values(description.paths)
      .flatMap((item) => Object.values(item) as Partial<Annotated>[])
      .map((operation) => [operation.operationId, operation]),
  );
  for (const { id, operations: operationIds, components } of rules) {
    const targets = operationIds.length === 0 ? [['the description', description] as const] : [];
    const named = [
      ...operationIds.map((name) => [`operation ${name}`, operations.get(name)] as const),
      ...components.map((pointer) => [`component ${pointer}`, componentAt(description, pointer)] as const),
    ];
    for (const [name, target] of [...targets, ...named]) {
      if (typeof target !== 'object') throw new InvalidInput(`rule ${id} names the unknown ${name}`);
      ((target as Annotated)['x-rules'] ??= []).push(id);
    }
  }
}

interface Annotated {
  operationId?: string;
  'x-rules'?: string[];
}

const componentAt = ({ components }: Description, pointer: string): unknown =>
  pointer
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], components);

/** The source of `openapi/generated/rules.ts`, not yet formatted. */
export function rulesModule(rules: Rule[], capabilities: string[]): string {
  return render('rules', {
    ids: unionOf(rules.map(({ id }) => id)),
    capabilities: JSON.stringify(capabilities),
    rules: JSON.stringify(rules),
  });
}

const unionOf = (names: string[]): string => names.map((name) => `| ${JSON.stringify(name)}`).join('');

/** The catalogue as Markdown, not yet formatted. The heading of each rule is its id, so that links can name it. */
export const rulesPage = (rules: Rule[]): string =>
  render('rules-page', { rules, code: (names: string[]) => names.map((name) => `\`${name}\``).join(', ') });
