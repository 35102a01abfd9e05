import { fileError } from './file-error.js';
import { groupBy } from './group.js';
import { mostUrgentFirst, summarize } from './outcomes.js';
import type { CheckResult, Endpoint, Report } from './report.js';
import { formatShard } from './render/text.js';

/** A report and its file, which error messages name. */
export interface NamedReport {
  name: string;
  report: Report;
}

/** Values that are equal in all shards of one run. */
const sharedValues: Readonly<Record<string, (report: Report) => string | number | undefined>> = {
  target: ({ target }) => target.url,
  dialect: ({ target }) => target.dialect,
  'target version': ({ target }) => target.version,
  'docfeed version': ({ suite }) => suite.version,
  commit: ({ suite }) => suite.environment?.commit,
  specification: ({ suite }) => suite.specification,
  profile: ({ suite }) => suite.profile,
  seed: ({ suite }) => suite.seed,
  options: ({ suite }) => suite.options?.join(' '),
  'number of shards': ({ suite }) => suite.shard?.count,
};

/**
 * Merges the reports of all shards of one run (`docfeed check --shard I/N`).
 *
 * @throws CommanderError (exit code 2) if the reports are not all shards of one run: an incomplete run must not look
 * green.
 */
export function mergeReports(shards: readonly NamedReport[]): Report {
  const reports = validateAndSort(shards).map(({ report }) => report);
  const [first] = reports as [Report, ...Report[]];
  const checks = mergeChecks(reports.map((report) => report.checks));
  return {
    ...first,
    suite: {
      ...first.suite,
      shard: undefined,
      unselected: first.suite.unselected?.filter(({ rule }) =>
        reports.every(({ suite }) => suite.unselected?.some((other) => other.rule === rule)),
      ),
      startedAt: earliest(reports.map((report) => report.suite.startedAt)),
      stopped: reports.find(({ suite }) => suite.stopped !== undefined)?.suite.stopped,
      // Shards usually run concurrently, so the run takes as long as its longest shard.
      durationMs: Math.max(...reports.map((report) => report.suite.durationMs)),
      cost: mergeCosts(reports),
    },
    target: { ...first.target, endpoints: mergeEndpoints(reports) },
    warnings: unique(reports.flatMap((report) => report.warnings)),
    checks,
    observations: unique(reports.flatMap((report) => report.observations)),
    summary: summarize(checks),
  };
}

/** Adds up the costs and averages the share of waiting. Nothing if a version wrote a report that did not measure its cost. */
function mergeCosts(reports: readonly Report[]): Report['suite']['cost'] {
  const costs = reports.flatMap(({ suite }) => suite.cost ?? []);
  if (costs.length < reports.length) return undefined;
  const sumOf = (name: keyof (typeof costs)[number]): number =>
    costs.reduce((sum, cost) => sum + cost[name], 0);
  return {
    requests: sumOf('requests'),
    databases: sumOf('databases'),
    sentBytes: sumOf('sentBytes'),
    receivedBytes: sumOf('receivedBytes'),
    processorMs: sumOf('processorMs'),
    waiting: Math.round((100 * sumOf('waiting')) / costs.length) / 100,
  };
}

/** What one shard saw as there is there, whatever the others saw. */
const clearestFirst = [
  'there',
  'ignored',
  'missing',
  'refused',
] as const satisfies readonly Endpoint['state'][];

function mergeEndpoints(reports: readonly Report[]): Report['target']['endpoints'] {
  if (reports.some(({ target }) => target.endpoints === undefined)) return undefined;
  const all = reports.flatMap(({ target }) => target.endpoints!);
  return groupBy(all, ({ operation, mode = '' }) => `${operation} ${mode}`).map(([, seen]) => ({
    ...clearestFirst.flatMap((state) => seen.find((one) => one.state === state) ?? [])[0]!,
    violatedBy: unique(seen.flatMap(({ violatedBy }) => violatedBy)),
  }));
}

/** Verifies that the shards belong to one run and that each is present once. */
function validateAndSort(shards: readonly NamedReport[]): NamedReport[] {
  const [first] = shards;
  if (!first) throw fileError('no reports to merge');
  for (const { name, report } of shards) {
    if (!report.suite.shard) throw fileError(`${name} is the report of a whole run, not of a shard`);
    for (const [what, valueIn] of Object.entries(sharedValues)) {
      if (valueIn(report) === valueIn(first.report)) continue;
      const [one, other] = [valueIn(first.report), valueIn(report)].map((value) => value ?? 'unknown');
      throw fileError(
        `the reports are not shards of one run: ${what} is ${one} in ${first.name}, ${other} in ${name}`,
      );
    }
  }
  const { count } = first.report.suite.shard!;
  return Array.from({ length: count }, (_, position) => {
    const index = position + 1;
    const [match, duplicate] = shards.filter(({ report }) => report.suite.shard?.index === index);
    if (!match) throw fileError(`${formatShard({ index, count })} is missing`);
    if (duplicate) {
      throw fileError(`${formatShard({ index, count })} is given twice: ${match.name} and ${duplicate.name}`);
    }
    return match;
  });
}

/** `--shard` assigns the checks in turn, so taking one from each shard in turn restores the order of the run. */
function mergeChecks(shards: readonly CheckResult[][]): CheckResult[] {
  const longest = Math.max(...shards.map((checks) => checks.length));
  const inOrder = Array.from({ length: longest }, (_, position) =>
    shards.flatMap((checks) => checks[position] ?? []),
  ).flat();
  return groupBy(inOrder, ({ id }) => id).map(([, results]) => results.reduce(mergeResults));
}

/** A check of all traffic of a run is part of every shard. Its most urgent outcome is the outcome of the run. */
function mergeResults(one: CheckResult, other: CheckResult): CheckResult {
  return {
    ...mostUrgentFirst([one, other])[0]!,
    durationMs: one.durationMs + other.durationMs,
    cases: one.cases + other.cases,
    requests: one.requests + other.requests,
  };
}

function earliest(times: readonly string[]): string {
  return times.reduce((one, other) => (Date.parse(other) < Date.parse(one) ? other : one));
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
