/** The shipped baselines hide no fault: what they expect in some cases only is named narrowly. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import pMap from 'p-map';
import { parse, stringify } from 'yaml';
import type { Fault } from '../reference/index.js';
import type { CheckResult } from '../reports/report.js';
import { emptyFolder } from '../reports/testing/folder.js';
import { checks } from './areas/checks.js';
import { faults as allFaults } from './areas/faults.js';
import { type Profile, runConformance } from './index.js';
import { type BaselineEntry, withBaseline } from './engine/baseline.js';
import { admin, referenceServer } from './testing/reference.js';

/** Slow ones show only in cases that wait for a minute. */
const faults = allFaults.filter(({ isSlow }) => !isSlow);

/** Faults that do what a server is known to do, in fewer cases, so that no entry can tell them apart. */
const sameAsKnown: Readonly<Record<string, readonly string[]>> = {
  // Each of the servers sends the position that it has scanned to as last_seq, with and without limit.
  'filtered-last-seq-scanned': ['couchdb-3.3', 'couchdb-3.5', 'pouchdb-server-4'],
  // PouchDB Server ignores limit in continuous mode, whatever since is.
  'continuous-resumed-ignores-limit': ['pouchdb-server-4'],
  // CouchDB uses the later one of last-event-id and since, and the header in event streams only.
  'last-event-id-in-streams-only': ['couchdb-3.3', 'couchdb-3.5'],
  'last-event-id-after-now': ['couchdb-3.3', 'couchdb-3.5'],
  'last-event-id-later-wins': ['couchdb-3.3', 'couchdb-3.5'],
  'last-event-id-before-since': ['couchdb-3.3', 'couchdb-3.5'],
  // PouchDB Server gives every row a seq, whatever seq_interval is.
  'seq-interval-halved': ['pouchdb-server-4'],
  // CouchDB does so for a moment.
  'function-before-update': ['couchdb-3.3', 'couchdb-3.5'],
  // PouchDB Server ignores descending in continuous mode.
  'continuous-ignores-descending': ['pouchdb-server-4'],
};

/** Faults that may show in one of a few cases only, as the rare deviations do. The first test finds them. */
const rareInFewCases: ReadonlySet<string> = new Set([
  // A change is missing after a connection breaks, as in the race of CouchDB.
  'live-resume-skips',
]);

interface Baseline {
  readonly name: string;
  /** The entries that explain some cases. The others expect failures that the reference server does not have. */
  readonly entries: readonly BaselineEntry[];
  /** The rules of the entries. */
  readonly rules: ReadonlySet<string>;
  /** The rules of the entries that explain less than all cases. */
  readonly rareRules: ReadonlySet<string>;
}

const isRare = ({ sometimes }: BaselineEntry): boolean => Number(sometimes) < 1;

const ruleOf = new Map<string, string>(checks.map(({ id, rule }) => [id, rule]));
const folder = new URL('baselines/', import.meta.url);
const baselines: readonly Baseline[] = await Promise.all(
  (await readdir(folder)).map(async (file) => {
    const all = parse(await readFile(new URL(file, folder), 'utf8')) as BaselineEntry[];
    const entries = all.filter(({ sometimes }) => sometimes);
    const rulesOf = (some: readonly BaselineEntry[]): ReadonlySet<string> =>
      new Set(some.map(({ check }) => ruleOf.get(check)!));
    const [rules, rareRules] = [rulesOf(entries), rulesOf(entries.filter(isRare))];
    return { name: file.replace(/\.yaml$/, ''), entries, rules, rareRules };
  }),
);

const isFailure = ({ outcome }: CheckResult): boolean => outcome === 'fail' || outcome === 'warn';

/** Runs the checks of the fault's rule against a server with the fault, until a result is found that is sought. */
async function tryFault(
  t: ExecutionContext,
  { replace, nodes, rule }: Fault,
  {
    profile,
    baseline,
    isSought,
  }: { profile: Profile; baseline?: string; isSought: (result: CheckResult) => boolean },
): Promise<CheckResult[]> {
  const server = await referenceServer(t, {
    ...{ dialect: 'couchdb', components: replace, nodes, log: { level: 'silent' } },
  });
  const found = new AbortController();
  try {
    const { checks } = await runConformance({
      ...{ urls: server.urls, admin, baseline, profile, seed: 1, only: [rule] },
      ...{ shrinkMs: baseline === undefined ? 0 : 15_000, deadlineMs: 300_000 },
      signal: found.signal,
      onProgress: ({ result }) => isSought(result) && found.abort(),
    });
    return checks;
  } finally {
    await server.stop();
  }
}

/** The baselines whose entries may hide the fault: they explain every failure that one run without a baseline finds. */
async function suspectsOf(
  t: ExecutionContext,
  fault: Fault,
  concerned: readonly Baseline[],
  profile: Profile,
): Promise<ReadonlySet<Baseline>> {
  const left = new Set(concerned);
  if (left.size === 0) return left;
  await tryFault(t, fault, {
    profile,
    isSought(result) {
      if (!isFailure(result)) return false;
      for (const each of left) if (withBaseline(result, each.entries).outcome !== 'known') left.delete(each);
      return left.size === 0;
    },
  });
  return left;
}

/** Whether the fault makes a check fail under the entries, and what they have explained. */
async function resultUnder(
  t: ExecutionContext,
  { entries }: Baseline,
  fault: Fault,
  profile: Profile,
): Promise<{ isFound: boolean; known: readonly CheckResult[] }> {
  const baseline = join(await emptyFolder(t), 'baseline.yaml');
  await writeFile(baseline, stringify(entries));
  const results = await tryFault(t, fault, { profile, baseline, isSought: isFailure });
  const known = results.filter(({ outcome }) => outcome === 'known');
  return { isFound: results.some(isFailure), known };
}

/** Several, since the checks wait. */
const concurrency = 4;

interface HidingOptions {
  readonly concerned: readonly Baseline[];
  readonly profile: Profile;
  /** Whether the entry can hide the fault. */
  readonly counts: (entry: BaselineEntry) => boolean;
}

/**
 * The baselines under which the fault passes, since their entries explain what it does. A run that did not see the fault,
 * such as an inconclusive one on a busy machine, says nothing about entries.
 */
async function hiding(
  t: ExecutionContext,
  fault: Fault,
  { concerned, profile, counts }: HidingOptions,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const each of await suspectsOf(t, fault, concerned, profile)) {
    const { isFound, known } = await resultUnder(t, each, fault, profile);
    const isHidden = ({ id, reason = '' }: CheckResult): boolean =>
      each.entries.some((entry) => counts(entry) && entry.check === id && reason.startsWith(entry.reason));
    if (!isFound && known.some(isHidden)) names.push(each.name);
  }
  return names;
}

test('no fault of a rule passes under the entries that explain some cases', async (t) => {
  t.timeout(1_500_000);
  const hidden = await pMap(
    faults,
    async (fault) => {
      const concerned = baselines.filter(({ rules }) => rules.has(fault.rule));
      const names = await hiding(t, fault, { concerned, profile: 'default', counts: () => true });
      return names
        .filter((name) => !sameAsKnown[fault.id]?.includes(name))
        .map((name) => `${name}: ${fault.id}`);
    },
    { concurrency },
  );
  t.deepEqual(hidden.flat(), []);
});

test('with one case for each check, a share below 1 hides no fault either', async (t) => {
  t.timeout(1_500_000);
  const hidden = await pMap(
    faults.filter(({ id }) => !(id in sameAsKnown) && !rareInFewCases.has(id)),
    async (fault) => {
      const concerned = baselines.filter(({ rareRules }) => rareRules.has(fault.rule));
      const names = await hiding(t, fault, { concerned, profile: 'smoke', counts: isRare });
      return names.map((name) => `${name}: ${fault.id}`);
    },
    { concurrency },
  );
  t.deepEqual(hidden.flat(), []);
});
