/**
 * The shipped baselines must hide no fault. An entry that every case must show hides none, since the reference server
 * passes where the entry expects a failure. So this is about entries that only some cases show.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { CheckResult, Report } from '../../reports/report.js';
import { checks } from '../rules/checks.js';
import type { RuleFault } from '../rules/shared/components.faults.js';
import { type BaselineEntryOf, readBaseline, withBaseline } from '../engine/baseline.js';
import type { ConformanceOptions } from '../session/conformance-options.js';

/** The entries of a shipped baseline that only some cases show. */
export interface Baseline {
  /** The file without its extension. */
  readonly name: string;
  readonly entries: readonly BaselineEntryOf[];
}

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

/** The baselines that have entries for the rule of the fault, without those that it is known in. */
export async function baselinesFor({
  rule,
  knownIn = [],
}: Pick<RuleFault, 'rule' | 'knownIn'>): Promise<readonly Baseline[]> {
  const baselines = await (shipped ??= readShipped());
  return baselines.filter(
    ({ name, entries }) => entries.some(({ check }) => ruleOf.get(check) === rule) && !knownIn.includes(name),
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
