/** What docfeed has found in real products: a Markdown file each in `reports/findings/`, and the lists of them. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { groupBy } from '../group.js';
import { renderTable } from '../render/markdown.js';
import { describeSchemaError } from '../schema-error.js';

export const findingsFolder = 'reports/findings/';

/** In the order of the lists: what costs a user most comes first. */
export const kinds = ['lost change', 'leak', 'crash', 'wrong row', 'deviation'] as const;

/** See `finding.schema.json`. */
export interface Finding {
  /** Name of the file, without `.md`. */
  readonly id: string;
  readonly title: string;
  readonly product: string;
  readonly version: string;
  readonly rule: string;
  readonly check: string;
  readonly kind: (typeof kinds)[number];
  readonly state: string;
  /** The text below the front matter. */
  readonly body: string;
}

/** The headings of each finding, in their order. */
const headings = [
  'What a user loses',
  'The smallest history',
  'The rule',
  'How docfeed finds it',
  'How often',
];

/**
 * Reads all findings, by kind and product.
 *
 * @throws Error that names the first file with wrong front matter or other headings.
 */
export async function readFindings(folder = findingsFolder): Promise<Finding[]> {
  const schema = JSON.parse(await readFile(join(findingsFolder, 'finding.schema.json'), 'utf8')) as object;
  const validate = new Ajv2020({ verbose: true }).compile<Omit<Finding, 'id' | 'body'>>(schema);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').sort();
  const findings = await Promise.all(
    files.map(async (file): Promise<Finding> => {
      const [, head = '', body = ''] =
        /^---\n([^]*?)\n---\n([^]*)$/.exec(await readFile(join(folder, file), 'utf8')) ?? [];
      const front: unknown = parse(head);
      if (!validate(front)) {
        const [error] = validate.errors!;
        throw new Error(`${file}: ${error!.instancePath} ${describeSchemaError(error!)}`);
      }
      const found = body.match(/(?<=^## ).*/gm) ?? [];
      if (found.join() !== headings.join()) {
        throw new Error(`${file}: the headings are ${found.join(', ')}, expected ${headings.join(', ')}`);
      }
      return { id: basename(file, '.md'), ...front, body: body.trim() };
    }),
  );
  return kinds.flatMap((kind) =>
    groupBy(
      findings.filter((finding) => finding.kind === kind),
      ({ product }) => product,
    ).flatMap(([, ofProduct]) => ofProduct),
  );
}

/** @returns the index of the folder, in Markdown */
export const renderFindingsIndex = (findings: readonly Finding[]): string => `# Findings

What docfeed has found in real products. Each finding has been repeated by hand with the version that it names, by the
commands that it shows. \`npm run results\` writes this list; [CONTRIBUTING](../../CONTRIBUTING.md#a-finding) says how to add
to it, and what does not belong here.

${renderTable(
  ['finding', 'product', 'kind', 'rule', 'state'],
  findings.map(({ id, title, product, version, kind, rule, state }) => [
    `[${title}](${id}.md)`,
    `${product} ${version}`,
    kind,
    `\`${rule}\``,
    linkState(state),
  ]),
)}
`;

const linkState = (state: string): string =>
  state.replace(
    / at (\S+)$/,
    (_, address: string) => ` at [${new URL(address).pathname.slice(1)}](${address})`,
  );

/** @returns a list with the change that each product loses first, for the first page of the project */
export const renderWorstFindings = (findings: readonly Finding[]): string =>
  groupBy(
    findings.filter(({ kind }) => kind === 'lost change'),
    ({ product }) => product,
  )
    .map(([, [first]]) => first!)
    .map(
      ({ id, title, product, version }) => `- ${product} ${version}: [${title}](reports/findings/${id}.md)`,
    )
    .join('\n');
