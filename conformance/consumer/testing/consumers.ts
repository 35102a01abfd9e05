/** The careful consumer, and weak ones: each is the careful one with one classic bug. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const carefulConsumer = fileURLToPath(new URL('../../examples/consumer/follower.js', import.meta.url));

export interface WeakConsumer {
  /** What the consumer does wrong. */
  readonly bug: string;
  /** The rule or scenarios that must find it. */
  readonly foundBy: RegExp;
  /** Texts of the careful consumer and what replaces them. */
  readonly changes: readonly (readonly [careful: string, weak: string])[];
}

export const weakConsumers: readonly WeakConsumer[] = [
  {
    bug: 'trusts order: what comes before the last row that it worked on is done',
    foundBy: /^feed-partial-order$/,
    changes: [
      [
        'for (const row of rows) await work(row);',
        `const key = ({ id, changes }) => id + JSON.stringify(changes);
  const done = rows.findLastIndex((row) => key(row) === globalThis.last) + 1;
  for (const row of rows.slice(done)) await work(row);
  if (rows.length > 0) globalThis.last = key(rows.at(-1));`,
      ],
      [
        'since = seq;',
        `since = seq;
  globalThis.taken = (globalThis.taken ?? 0) + rows.length;
  if (globalThis.taken < 10) return;
  globalThis.taken = 0;`,
      ],
      ['failures += 1;', 'failures += 1;\n    since = await readCheckpoint();'],
    ],
  },
  {
    bug: 'stores the last seq before the work is done',
    foundBy: /^feed-idempotent\/killed$/,
    changes: [
      ['for (const row of rows) await work(row);\n', ''],
      [
        'await rename(`${checkpointFile}.new`, checkpointFile);',
        `await rename(\`\${checkpointFile}.new\`, checkpointFile);
  for (const row of rows) {
    await work(row);
    if (rows.length < 100) await pause(20);
  }`,
      ],
    ],
  },
  {
    bug: 'stops at an empty feed',
    foundBy: /^longpoll-timeout$/,
    changes: [
      [
        'const last = rows.at(-1);',
        'const last = rows.at(-1);\n      if (rows.length === 1 && last.last_seq !== undefined) process.exit();',
      ],
    ],
  },
  {
    bug: 'parses chunks as lines',
    foundBy: /^continuous-lines\/chunks$/,
    changes: [
      ["(rest + part).split('\\n')", "part.split('\\n')"],
      ['rest = lines.pop();', ''],
      [
        '.map((line) => JSON.parse(line))',
        '.flatMap((line) => {\n        try {\n          return [JSON.parse(line)];\n        } catch {\n          return [];\n        }\n      })',
      ],
    ],
  },
  {
    bug: 'ignores deletions',
    foundBy: /^feed-deleted$/,
    changes: [['const line = JSON', 'if (deleted) return;\n  const line = JSON']],
  },
  {
    bug: 'compares seqs as numbers',
    foundBy: /^feed-seq-any-json\//,
    changes: [
      [
        'for (const row of rows) await work(row);',
        `for (const row of rows) {
    const position = Number.parseInt(row.seq);
    if (!(position >= (globalThis.position ?? 0))) continue;
    globalThis.position = position;
    await work(row);
  }`,
      ],
    ],
  },
  {
    bug: 'retries without waiting',
    foundBy: /^feed-live-converges\/(unavailable|rate-limit)$/,
    changes: [['error.retryAfterMs ?? Math.min(10 * 2 ** failures, 5000)', '1']],
  },
  {
    bug: 'forgets style=all_docs',
    foundBy: /^feed-style-all$/,
    changes: [["style: 'all_docs',", '']],
  },
  {
    bug: 'reads everything again after a restart',
    foundBy: /^feed-since-resume$/,
    changes: [['let since = await readCheckpoint();', 'let since = 0;']],
  },
  {
    bug: 'takes the checkpoint of another selector',
    foundBy: /^filter-selector\/changed$/,
    changes: [['checkpoint.selector === selector', 'true']],
  },
  {
    bug: 'works only when nothing is pending',
    foundBy: /^feed-pending\/filtered$/,
    changes: [
      ['const { results, last_seq }', 'const { results, last_seq, pending }'],
      [
        'if (results.length > 0) await takeRows(results, last_seq)',
        `globalThis.held = [...(globalThis.held ?? []), ...results];
    if (results.length > 0 && pending === 0) {
      await takeRows(globalThis.held, last_seq);
      globalThis.held = [];
    } else since = last_seq`,
      ],
    ],
  },
  {
    bug: 'stops after some hours of heartbeats',
    foundBy: /^heartbeat-lines\/day$/,
    changes: [
      [
        'const lines = (rest',
        `globalThis.beats = part.trim() === '' ? (globalThis.beats ?? 0) + part.length : 0;
      if (globalThis.beats > 500) process.exit();
      const lines = (rest`,
      ],
    ],
  },
  {
    bug: 'follows redirects with its credentials',
    foundBy: /^feed-live-converges\/redirect$/,
    changes: [
      [
        'if (response.status !== 200) {',
        `const location = response.headers.get('location');
  if (location) await fetch(location, { headers: { cookie } });
  if (response.status !== 200) {`,
      ],
    ],
  },
];

/** Writes the program of a weak consumer to a new folder. */
export async function writeWeakConsumer({
  bug,
  changes,
}: WeakConsumer): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-weak-'));
  const file = join(folder, 'follower.mjs');
  let program = await readFile(carefulConsumer, 'utf8');
  for (const [careful, weak] of changes) {
    if (!program.includes(careful)) throw new Error(`The careful consumer has no "${careful}" (${bug}).`);
    program = program.replace(careful, () => weak);
  }
  await writeFile(file, program);
  return { file, remove: () => rm(folder, { recursive: true }) };
}
