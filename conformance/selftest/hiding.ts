/**
 * The shipped baselines must hide no fault. An entry that every case must show hides none, since the reference server
 * passes where the entry expects a failure. So this is about entries that only some cases show.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Fault } from '../../reference/index.js';
import type { CheckResult, Report } from '../../reports/report.js';
import { checks } from '../rules/checks.js';
import { type BaselineEntryOf, readBaseline, withBaseline } from '../engine/baseline.js';
import type { ConformanceOptions } from '../session/options.js';

/** The entries of a shipped baseline that only some cases show. */
export interface Baseline {
  /** The file without its extension. */
  readonly name: string;
  readonly entries: readonly BaselineEntryOf[];
}

const couchdb = ['couchdb-3.3', 'couchdb-3.5'];

/** Faults that do what a server is known to do, in fewer cases, so that no entry can tell them apart. */
const sameAsKnown: Readonly<Record<string, readonly string[]>> = {
  // Each of the servers sends the position that it has scanned to as last_seq, with and without limit.
  'filtered-last-seq-scanned': [...couchdb, 'pouchdb-server-4'],
  // PouchDB Server ignores limit in continuous mode, whatever since is.
  'continuous-resumed-ignores-limit': ['pouchdb-server-4'],
  // CouchDB uses the later one of last-event-id and since, and the header in event streams only.
  'last-event-id-in-streams-only': couchdb,
  'last-event-id-after-now': couchdb,
  'last-event-id-later-wins': couchdb,
  'last-event-id-before-since': couchdb,
  // PouchDB Server gives every row a seq, whatever seq_interval is.
  'seq-interval-halved': ['pouchdb-server-4'],
  // CouchDB does so for a moment.
  'function-before-update': couchdb,
  // PouchDB Server ignores descending in continuous mode.
  'continuous-ignores-descending': ['pouchdb-server-4'],
};

const ruleOf = new Map<string, string>(checks.map(({ id, rule }) => [id, rule]));

const folder = join(
  dirname(createRequire(import.meta.url).resolve('docfeed/package.json')),
  'conformance',
  'baselines',
);

let shipped: Promise<readonly Baseline[]> | undefined;

async function readShipped(): Promise<readonly Baseline[]> {
  const files = await readdir(folder);
  return Promise.all(
    files.map(async (file) => {
      const entries = await readBaseline(join(folder, file), checks);
      return { name: file.replace(/\.yaml$/, ''), entries: entries.filter(({ sometimes }) => sometimes) };
    }),
  );
}

/** The baselines that have entries for the rule of the fault, without those that may hide it. */
export async function baselinesFor(
  { id, rule }: Pick<Fault, 'id' | 'rule'>,
  mayHide = sameAsKnown,
): Promise<readonly Baseline[]> {
  const baselines = await (shipped ??= readShipped());
  return baselines.filter(
    ({ name, entries }) =>
      entries.some(({ check }) => ruleOf.get(check) === rule) && !mayHide[id]?.includes(name),
  );
}

/** Whether an entry explains the failure. */
export const explains = ({ entries }: Baseline, failure: CheckResult): boolean =>
  withBaseline(failure, entries).outcome === 'known';

/**
 * The names of the baselines that hide a fault: no check fails in a run under the entries, although one of them explains a
 * failure in it. A run with an inconclusive check, as on a busy machine, says nothing of a baseline.
 */
export async function hidingBaselines(
  suspects: readonly Baseline[],
  run: (options: Pick<ConformanceOptions, 'baseline' | 'shrinkMs'>) => Promise<Report>,
): Promise<string[]> {
  const names: string[] = [];
  const own = await mkdtemp(join(tmpdir(), 'docfeed-'));
  try {
    const baseline = join(own, 'baseline.yaml');
    for (const { name, entries } of suspects) {
      await writeFile(baseline, stringify(entries.map((entry) => ({ ...entry, file: undefined }))));
      // After a failure that an entry explains, a property goes on for half of this time.
      const { checks } = await run({ baseline, shrinkMs: 15_000 });
      const outcomes = new Set(checks.map(({ outcome }) => outcome));
      const isOpen = (['fail', 'warn', 'inconclusive'] as const).some((outcome) => outcomes.has(outcome));
      if (outcomes.has('known') && !isOpen) names.push(name);
    }
  } finally {
    await rm(own, { recursive: true });
  }
  return names;
}
