import { byUrgency, summarize } from './outcomes.js';
import { refusal } from './refuse.js';
import type { CheckResult, Report } from './report.js';
import { shardName } from './render/text.js';

/** A report and what to call it in a message: its file. */
export interface NamedReport {
  name: string;
  report: Report;
}

/** What the shards of one run have in common. */
const common: Readonly<Record<string, (report: Report) => string | number | undefined>> = {
  target: ({ target }) => target.url,
  dialect: ({ target }) => target.dialect,
  'target version': ({ target }) => target.version,
  'docfeed version': ({ suite }) => suite.version,
  specification: ({ suite }) => suite.specification,
  profile: ({ suite }) => suite.profile,
  seed: ({ suite }) => suite.seed,
  options: ({ suite }) => suite.options?.join(' '),
  'number of shards': ({ suite }) => suite.shard?.count,
};

/**
 * Joins the reports of all shards of one run (`docfeed check --shard I/N`) into that of the whole.
 *
 * @throws CommanderError (exit code 2) when they are not of one run, or not all of it: half a run must not look green.
 */
export function mergeReports(shards: readonly NamedReport[]): Report {
  const inOrder = ordered(shards);
  const reports = inOrder.map(({ report }) => report);
  const [first] = reports as [Report, ...Report[]];
  const checks = mergeChecks(reports.map((report) => report.checks));
  return {
    ...first,
    suite: {
      ...first.suite,
      shard: undefined,
      startedAt: earliest(reports.map((report) => report.suite.startedAt)),
      // Shards are made to run side by side: the run took as long as the longest of them.
      durationMs: Math.max(...reports.map((report) => report.suite.durationMs)),
    },
    warnings: unique(reports.flatMap((report) => report.warnings)),
    checks,
    observations: unique(reports.flatMap((report) => report.observations)),
    summary: summarize(checks),
  };
}

/** The shards from the first to the last, once it is sure that they are those of one run, each once. */
function ordered(shards: readonly NamedReport[]): NamedReport[] {
  const [first] = shards;
  if (!first) throw refusal('there is no report to merge');
  for (const { name, report } of shards) {
    if (!report.suite.shard) throw refusal(`${name} is the report of a whole run, not of a shard`);
    for (const [what, of] of Object.entries(common)) {
      if (of(report) === of(first.report)) continue;
      const [one, other] = [of(first.report), of(report)].map((value) => value ?? 'unknown');
      throw refusal(`not shards of one run: ${what} is ${one} in ${first.name}, ${other} in ${name}`);
    }
  }
  const { count } = first.report.suite.shard!;
  return Array.from({ length: count }, (_, position) => {
    const shard = { index: position + 1, count };
    const found = shards.filter(({ report }) => report.suite.shard?.index === shard.index);
    if (!found[0]) throw refusal(`${shardName(shard)} is missing`);
    if (found[1]) throw refusal(`${shardName(shard)} is there twice: ${found[0].name} and ${found[1].name}`);
    return found[0];
  });
}

/** Checks are dealt to the shards in turn, so taking them back in turn gives the order of the whole run. */
function mergeChecks(shards: readonly CheckResult[][]): CheckResult[] {
  const merged = new Map<string, CheckResult>();
  const longest = Math.max(...shards.map((checks) => checks.length));
  for (let position = 0; position < longest; position += 1) {
    for (const check of shards.flatMap((checks) => checks[position] ?? [])) {
      const seen = merged.get(check.id);
      merged.set(check.id, seen ? together(seen, check) : check);
    }
  }
  return [...merged.values()];
}

/** A check that judges the traffic of its run is in every shard, and what it found in any of them counts. */
function together(one: CheckResult, other: CheckResult): CheckResult {
  const urgency = ({ outcome }: CheckResult): number => byUrgency.indexOf(outcome);
  return {
    ...(urgency(other) < urgency(one) ? other : one),
    durationMs: one.durationMs + other.durationMs,
    runs: one.runs + other.runs,
    requests: one.requests + other.requests,
  };
}

function earliest(times: readonly string[]): string {
  return times.reduce((one, other) => (Date.parse(other) < Date.parse(one) ? other : one));
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
