/** Intended differences between the reference server and CouchDB. They are listed in `differences.yaml` with reasons. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { markdownTable } from '../command-line.js';
import type { Difference } from './compare.js';

export interface ExpectedDifference {
  /** Short description. This and the following texts are for DIFFERENCES.md. */
  readonly what: string;
  readonly ours: string;
  readonly couchdb: string;
  readonly why: string;
  /** Paths of values by a glob for request names. A path includes the values below it: `body` includes `body.rows.0`. */
  readonly where: Readonly<Record<string, readonly string[]>>;
}

export interface ExpectedDifferences {
  /** Vendor names of the two servers. The list applies to no others. */
  readonly vendors: readonly [ours: string, theirs: string];
  readonly groups: readonly { readonly title: string; readonly differences: readonly ExpectedDifference[] }[];
}

export async function readExpectedDifferences(): Promise<ExpectedDifferences> {
  const text = await readFile(new URL('differences.yaml', import.meta.url), 'utf8');
  return parse(text, { schema: 'failsafe' }) as ExpectedDifferences;
}

export function classifyDifferences(found: readonly Difference[], expected: readonly ExpectedDifference[]) {
  const patterns = expected.flatMap(({ what, where }) =>
    Object.entries(where).flatMap(([request, aspects]) => {
      const matches = picomatch(request);
      return aspects.map((path) => ({ request, path, what, matches }));
    }),
  );
  const explains = (pattern: (typeof patterns)[number], { request, path }: Difference) =>
    pattern.matches(request) && (path === pattern.path || path.startsWith(`${pattern.path}.`));
  return {
    unexpected: found.filter((difference) => !patterns.some((pattern) => explains(pattern, difference))),
    /** Expected differences that do not exist. */
    stale: patterns.filter((pattern) => !found.some((difference) => explains(pattern, difference))),
  };
}

/** Path of DIFFERENCES.md. */
export const pageFile = fileURLToPath(new URL('../../DIFFERENCES.md', import.meta.url));

/** Renders DIFFERENCES.md, in the format of the project. */
export async function renderPage({ groups }: ExpectedDifferences): Promise<string> {
  const tables = groups.map(async ({ title, differences }) => {
    const rows = differences.map(({ what, ours, couchdb, why }) => [what, ours, couchdb, why].map(cell));
    return `## ${title}\n\n${await markdownTable(['What', 'Reference server', 'CouchDB', 'Why'], rows)}`;
  });
  return `# Where the reference server differs from CouchDB

\`npm run compare\` sends the same requests to the reference server and to Apache CouchDB 3.5.0. These are all differences
that it finds; it also fails if one of them no longer exists. \`npm run compare -- --write\` generates this file from
\`reference/tools/compare/differences.yaml\`.

${(await Promise.all(tables)).join('\n')}`;
}

const cell = (content: string): string => content.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
