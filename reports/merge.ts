import { CommanderError } from 'commander';
import { outcomes, type Outcome, type Report } from './report.js';

/** What the shards of one run have in common. */
const sameInEveryShard: Record<string, (report: Report) => unknown> = {
  'suite version': ({ suite }) => suite.version,
  seed: ({ suite }) => suite.seed,
  profile: ({ suite }) => suite.profile,
  'target URL': ({ target }) => target.url,
  dialect: ({ target }) => target.dialect,
  'target version': ({ target }) => target.version,
};

/**
 * Joins the reports of the shards of one run (`docfeed check --shard I/N`).
 *
 * A check that judges the traffic of the whole run is in every shard; the worst of its outcomes counts.
 *
 * @throws CommanderError (exit code 2) when they are not of one run.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (!first) throw new CommanderError(2, 'docfeed.report', 'nothing to merge');
  for (const [what, read] of Object.entries(sameInEveryShard)) {
    const other = reports.find((report) => read(report) !== read(first));
    if (other)
      throw new CommanderError(
        2,
        'docfeed.report',
        `not shards of one run: ${what} is ${String(read(first))} in one and ${String(read(other))} in another`,
      );
  }
  const checks = new Map<string, Report['checks'][number]>();
  for (const check of reports.flatMap((report) => report.checks)) {
    const seen = checks.get(check.id);
    const worse = seen && severity.indexOf(seen.outcome) > severity.indexOf(check.outcome) ? seen : check;
    checks.set(check.id, {
      ...worse,
      runs: check.runs + (seen?.runs ?? 0),
      requests: check.requests + (seen?.requests ?? 0),
    });
  }
  const merged = [...checks.values()];
  return {
    ...first,
    suite: {
      ...first.suite,
      startedAt: reports.map(({ suite }) => suite.startedAt).sort()[0]!,
      // Shards run side by side: the run took as long as its longest.
      durationMs: Math.max(...reports.map(({ suite }) => suite.durationMs)),
    },
    warnings: [...new Set(reports.flatMap((report) => report.warnings))],
    checks: merged,
    observations: [
      ...new Map(
        reports.flatMap((report) => report.observations).map((observation) => [observation.id, observation]),
      ).values(),
    ],
    summary: Object.fromEntries(
      outcomes.map((outcome) => [outcome, merged.filter((check) => check.outcome === outcome).length]),
    ) as Report['summary'],
  };
}

/** From least to most telling, when two shards judged the same. */
const severity: readonly Outcome[] = [
  'skipped',
  'pass',
  'known',
  'warn',
  'blocked',
  'inconclusive',
  'error',
  'fail',
];
