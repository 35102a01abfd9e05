/** Differences between the reference server and CouchDB that are meant: data in `differences.yaml`, with the reason. */
import { readFile } from 'node:fs/promises';
import Joi from 'joi';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import type { Difference } from './compare.js';

export interface ExpectedDifference {
  /** What differs, as a person would say it; likewise the other texts. */
  readonly what: string;
  readonly ours: string;
  readonly couchdb: string;
  readonly why: string;
  /** ResponseValues by a glob for the names of requests. An path stands for all beneath it too: `body` for `body.rows.0`. */
  readonly where: Readonly<Record<string, readonly string[]>>;
}

export interface ExpectedDifferences {
  /** What the two servers call their vendor. The list holds between these two only. */
  readonly vendors: readonly [ours: string, theirs: string];
  /** Those of one kind together. */
  readonly groups: readonly { readonly title: string; readonly differences: readonly ExpectedDifference[] }[];
}

export interface Classification {
  readonly unexpected: readonly Difference[];
  /** What is listed and does not differ. */
  readonly stale: readonly { readonly request: string; readonly path: string; readonly what: string }[];
}

const text = Joi.string().required();
const form = Joi.object({
  vendors: Joi.array().items(Joi.string()).length(2).required(),
  groups: Joi.array().items({
    title: text,
    differences: Joi.array().items({
      what: text,
      ours: text,
      couchdb: text,
      why: text,
      where: Joi.object().pattern(Joi.string(), Joi.array().items(Joi.string()).min(1)).min(1).required(),
    }),
  }),
});

export async function readExpectedDifferences(): Promise<ExpectedDifferences> {
  const file = new URL('differences.yaml', import.meta.url);
  const content: unknown = parse(await readFile(file, 'utf8'), { schema: 'failsafe' });
  return Joi.attempt(content, form, file.pathname) as ExpectedDifferences;
}

export function classifyDifferences(
  found: readonly Difference[],
  expected: readonly ExpectedDifference[],
): Classification {
  const patterns = expected.flatMap(({ what, where }) =>
    Object.entries(where).flatMap(([request, aspects]) => {
      const isMeant = picomatch(request);
      return aspects.map((path) => ({ request, path, what, isMeant }));
    }),
  );
  const explains = (pattern: (typeof patterns)[number], { request, path }: Difference) =>
    pattern.isMeant(request) && (path === pattern.path || path.startsWith(`${pattern.path}.`));
  return {
    unexpected: found.filter((difference) => !patterns.some((pattern) => explains(pattern, difference))),
    stale: patterns.filter((pattern) => !found.some((difference) => explains(pattern, difference))),
  };
}

/** The pageFile that people read. */
export function renderPage({ groups }: ExpectedDifferences): string {
  const tables = groups.map(({ title, differences }) => {
    const rows = differences.map(({ what, ours, couchdb, why }) => [what, ours, couchdb, why]);
    const table = [['What', 'Reference server', 'CouchDB', 'Why'], ['---', '---', '---', '---'], ...rows];
    return `## ${title}\n\n${table.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')}\n`;
  });
  return `# Where the reference server differs from CouchDB

\`npm run compare\` sends one list of requests to the reference server and to Apache CouchDB 3.5.0, and finds these
differences and no others; it fails too when one of them is gone. Made of \`reference/tools/compare/differences.yaml\` by
\`npm run compare -- --write\`.

${tables.join('\n')}`;
}

const cell = (content: string): string => content.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
