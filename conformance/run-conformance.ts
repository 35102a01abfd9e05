/** Runs the suite against one target. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { dialects } from '../openapi/generated/dialects.js';
import { rules } from '../openapi/generated/rules.js';
import type { Report } from '../reports/report.js';
import { reducingHistories } from './arbitraries/reduce.js';
import { checks as suite } from './rules/checks.js';
import { defaultTimeout } from './http/answers.js';
import { baseUrl } from './http/base-url.js';
import type { Credentials } from './http/client.js';
import { loadDescription } from './http/description.js';
import { observeEndpoints } from './http/endpoints.js';
import { answersOf, connect } from './http/http.js';
import { BodyLimits } from './http/oversized.js';
import { Rate } from './http/rate.js';
import { createRedactor } from './http/redact.js';
import { TargetFeed } from './session/probe/service-version.js';
import type { TrafficObserver } from './http/traffic-observer.js';
import { recordTraffic } from './http/schema-check.js';
import { Activity } from './session/scope/activity.js';
import { TargetCleanup } from './session/cleanup/cleanup.js';
import { changedSettings, leftoverWarnings } from './session/cleanup/cleanup-task.js';
import { Databases } from './session/databases.js';
import { journalHeader, openRunJournal } from './session/cleanup/journal.js';
import { explainTerms } from './oracle/glossary.js';
import { measureCost } from './engine/cost.js';
import { limitSize, redactDeep } from './engine/json-data.js';
import { planRun, runPlan } from './engine/plan.js';
import { Refusal } from './engine/refusal.js';
import { buildReport } from './engine/report.js';
import { defaultConcurrency } from './engine/run-options.js';
import { watchLoop, Width } from './engine/width.js';
import { observeCoverage } from './session/probe/coverage.js';
import { targetEnvironment } from './session/scope/target-environment.js';
import { LostTargetGuard } from './session/scope/lost-target.js';
import { type ConformanceOptions, replayOptions, reportedOptions } from './session/conformance-options.js';
import { feedLacks } from './session/probe/obstacles.js';
import { prepareTarget } from './session/prepare-target.js';
import { readTargetOptions, type TargetOptions } from './session/declared-target.js';

/**
 * Runs the suite against a target and removes the databases and users that it creates there.
 *
 * @throws Refusal if the options, a file or the target prevent the run. Problems of single checks are in the report.
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const startedAt = new Date();
  const costOf = measureCost();
  const { admin, signal = new AbortController().signal } = options;
  // Each running check listens to the signal.
  setMaxListeners(0, signal);
  const plan = await planRun(options, options.checks ?? suite, replayOptions(options));
  const urls = options.urls.map(baseUrl);
  const targetOptions = await readTargetOptions(options);
  mustHaveOneNode(urls, options, targetOptions);
  const redact = createRedactor([...(admin ? secretsOf(admin) : []), ...targetOptions.secrets]);
  const redactQuoted = (text: string): string => redact.beginning(text, maxTextLength, redact.secrets);
  const runId = randomBytes(4).toString('hex');
  const freshName = uniqueNames(runId);
  const header = journalHeader(runId, urls);
  const { journal, warnings: journalWarnings } = openRunJournal(options, header);
  const { rate = rateOf(options) } = options;
  const { answers = answersOf(urls, timeoutOf(options), rate) } = options;
  const connection = connect(urls, admin, redact, new BodyLimits(options.maxBody), answers, rate);
  const cleanup = new TargetCleanup(connection, journal);
  const databases = new Databases(connection, cleanup, urls[0]!, {
    ...targetOptions.databases,
    existing: options.database,
  });
  const cleanUp = async (): Promise<string[]> => {
    await cleanup.run();
    if (cleanup.pending.length > 0) journal?.markReported();
    return leftoverWarnings(cleanup.pending, {
      problems: cleanup.problems,
      hasJournal: journal !== undefined,
      hasAdmin: admin !== undefined,
    });
  };
  const width = new Width(defaultConcurrency, watchLoop());
  const answered: TrafficObserver = { onFinished: ({ headersAtMs }) => width.answered(headersAtMs) };
  try {
    const { identity, version, configuration, warnings } = await prepareTarget({
      options,
      urls,
      targetOptions,
      connection,
      cleanup,
      databases,
      header,
      redact,
      signal,
      checks: plan.checks,
      observers: [answered],
      probeName: freshName(),
    });
    const provided = changedSettings(cleanup.pending);
    const description = loadDescription(identity.dialect);
    const coverage = observeCoverage();
    const endpoints = observeEndpoints(description);
    const activity = new Activity();
    const guard = new LostTargetGuard(connection, activity, signal);
    const { targetInfo } = configuration;
    const lacks = targetInfo.obstacles.flatMap(feedLacks);
    const feed = TargetFeed.of(version, { notYet: options.notYet, lacks });
    const target = {
      url: urls.map(String).join(' '),
      dialect: identity.dialect,
      ...(version === undefined ? {} : { version }),
    };
    const environment = targetEnvironment({
      state: {
        connection,
        version,
        feed,
        expected: new Set(plan.baseline.map(({ check }) => check)),
        withheld: new Map(),
        admin,
        targetInfo,
        cleanup,
        databases,
        freshName,
        names: dialects[identity.dialect],
        required: new Set(targetOptions.required),
      },
      configuration,
      guard,
      activity,
      explainTerms,
      width,
      observers: [coverage, endpoints, answered],
      traffic: recordTraffic(description),
      description,
      redact: redactQuoted,
    });
    const run = await runPlan(plan, environment, options, {
      target,
      signal: guard.signal,
      adapt: reducingHistories,
    });
    const leftovers = await cleanUp();
    const { meter } = connection;
    return buildReport({
      startedAt,
      plan,
      rules,
      run,
      redact: redactQuoted,
      cost: costOf(meter),
      sent: {
        requests: meter.requests,
        resends: meter.resends,
        limit: connection.rate.limit,
        between: connection.gateway.answers,
      },
      shard: options.shard,
      options: reportedOptions(options),
      specification: description.version,
      target: {
        ...target,
        greeting: redactDeep(redactQuoted, limitSize(identity.greeting) as typeof identity.greeting),
        capabilities: [...targetInfo.capabilities.values()],
        ...(provided.length > 0 ? { provided } : {}),
        endpoints: endpoints.endpoints(
          run.results,
          urls.map(({ pathname }) => pathname.replace(/\/$/, '')),
          {
            missing: new Set(targetInfo.obstacles.flatMap(({ response }) => response ?? [])),
            ignored: new Set(
              targetInfo.obstacles
                .flatMap(({ ignored = [] }) => ignored)
                .map((one) => one.replace('feed=', '')),
            ),
          },
        ),
      },
      warnings: (ofEngine, results) => [
        ...journalWarnings,
        ...warnings,
        ...targetInfo.feedLag.warnings,
        ...coverage.warnings(results),
        ...ofEngine,
        ...leftovers,
      ],
    });
  } catch (error) {
    const [leftover] = await cleanUp();
    if (leftover === undefined || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.kind, `${error.message}. ${leftover.replace(/\.$/, '')}`, { cause: error });
  } finally {
    journal?.close();
    if (!options.answers) answers.close();
    await connection.close();
  }
}

/** @throws Refusal if databases are only at one node of a cluster, or if this is not the name of a database */
function mustHaveOneNode(
  urls: readonly URL[],
  { database }: ConformanceOptions,
  { databases: { commands }, file }: TargetOptions,
): void {
  if (database !== undefined && !/^[^_/]/.test(database))
    throw new Refusal('usage', `--database needs the name of a database, not "${database}"`);
  if (urls.length === 1 || (database === undefined && !commands)) return;
  const option = commands ? `databases.create in ${file}` : '--database';
  throw new Refusal('usage', `${option} names databases at one URL; pass only one URL`);
}

/** @throws Refusal if the timeout is no time */
export function timeoutOf({ timeout = defaultTimeout }: Pick<ConformanceOptions, 'timeout'>): number {
  if (Number.isFinite(timeout) && timeout > 0) return timeout;
  throw new Refusal('usage', `timeout must be a number of seconds above 0, not ${timeout}`);
}

/** @throws Refusal if the rate is none */
export function rateOf({ maxRate = Infinity }: Pick<ConformanceOptions, 'maxRate'>): Rate {
  if (maxRate > 0) return new Rate(maxRate);
  throw new Refusal('usage', `maxRate must be a number of requests in a second above 0, not ${maxRate}`);
}

/** How much of a text of the target a report keeps, in characters. */
const maxTextLength = 65_536;

/** With the name as well, since an encoded password may be too short to be found in its encoded credentials. */
const secretsOf = ({ name, password }: Credentials): string[] => [password, `${name}:${password}`];

/** Names that only this run uses, valid as database names: lower-case letters, digits and a hyphen. */
function uniqueNames(runId: string): () => string {
  let count = 0;
  return () => `${runId}-${(count += 1)}`;
}
