/** Runs the suite against one target. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { dialects } from '../openapi/generated/dialects.js';
import type { Report } from '../reports/report.js';
import { reducingHistories } from './arbitraries/reduce.js';
import { checks as suite } from './areas/checks.js';
import type { Credentials } from './http/client.js';
import { loadDescription } from './http/description.js';
import { connect } from './http/http.js';
import { BodyLimits } from './http/oversized.js';
import { createRedactor } from './http/redact.js';
import { FeedVersion } from './target/service-version.js';
import { recordTraffic } from './http/traffic.js';
import { TargetCleanup } from './target/cleanup.js';
import { changedSettings, leftoverWarnings } from './target/cleanup-task.js';
import { journalHeader, openRunJournal } from './target/journal.js';
import { explainTerms } from './model/glossary.js';
import { prepareTarget } from './target/prepare.js';
import { measureCost } from './engine/cost.js';
import { observeCoverage } from './target/coverage.js';
import type { ConformanceOptions } from './target/options.js';
import { planRun, runOptions } from './engine/plan.js';
import { replayOptionsOf } from './engine/replay.js';
import { buildReport } from './engine/report.js';
import { runChecks } from './engine/run.js';
import type { RunState } from './engine/scope.js';
import { Refusal } from './engine/refusal.js';

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
  const plan = await planRun(options, options.checks ?? suite);
  const redact = createRedactor([...(admin ? secretsOf(admin) : []), ...plan.targetOptions.secrets]);
  const runId = randomBytes(4).toString('hex');
  const freshName = uniqueNames(runId);
  const header = journalHeader(runId, plan.urls);
  const { journal, warnings: journalWarnings } = openRunJournal(options, header);
  const connection = connect(plan.urls, admin, redact, new BodyLimits(options.maxBodyBytes));
  const cleanup = new TargetCleanup(connection, journal);
  const cleanUp = async (): Promise<string[]> => {
    await cleanup.run();
    return leftoverWarnings(cleanup.pending, {
      hasJournal: journal !== undefined,
      hasAdmin: admin !== undefined,
    });
  };
  try {
    const { identity, version, configuration, warnings } = await prepareTarget({
      ...{ options, plan, connection, cleanup, header, redact, signal },
      probeName: freshName(),
    });
    const provided = changedSettings(cleanup.pending);
    const description = loadDescription(identity.dialect);
    const coverage = observeCoverage();
    const feed = new FeedVersion(version);
    const state: RunState = {
      connection,
      traffic: recordTraffic(description),
      coverage,
      dialect: identity.dialect,
      names: dialects[identity.dialect],
      ...(version === undefined ? {} : { version }),
      feed,
      ...(admin ? { admin } : {}),
      targetInfo: configuration.targetInfo,
      required: new Set(plan.targetOptions.required),
      observations: new Map(),
      cleanup,
      replayOptions: replayOptionsOf(options),
      redact: (text) => redact.beginning(text, maxTextLength, redact.secrets),
      freshName,
      adapt: (inputs) => reducingHistories(inputs).map((value) => feed.omitLaterParameters(value)),
      explainTerms,
    };
    options.onBegin?.({
      url: plan.urls.map(String).join(' '),
      dialect: identity.dialect,
      ...(version === undefined ? {} : { version }),
      profile: plan.profile,
      seed: plan.seed,
      checks: plan.checks.map(({ id }) => id),
    });
    const run = await runChecks(plan.checks, state, configuration, runOptions(options, plan, signal));
    const leftovers = await cleanUp();
    return buildReport({
      cost: costOf(connection.meter),
      ...{ startedAt, options, plan, identity, state, coverage, run, provided },
      specification: description.version,
      warnings: {
        before: [...journalWarnings, ...warnings],
        after: leftovers,
      },
    });
  } catch (error) {
    const [leftover] = await cleanUp();
    if (leftover === undefined || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.kind, `${error.message}. ${leftover.replace(/\.$/, '')}`, { cause: error });
  } finally {
    journal?.close();
    await connection.close();
  }
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
