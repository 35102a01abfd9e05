/** The suite as a library: `import { runConformance, checks } from 'docfeed'`. */
import { randomBytes, randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import coerce from 'semver/functions/coerce.js';
import { type Dialect, dialects } from '../openapi/generated/dialects.js';
import type { CheckResult, Report } from '../reports/report.js';
import type { Check, Profile } from './check.js';
import { checks as suite } from './checks/index.js';
import { type CleanupTask, describeTask } from './configure/cleanup-task.js';
import { journalHeader, Journal, journalFolder, type JournalHeader } from './configure/journal.js';
import { TargetCleanup } from './configure/cleanup.js';
import { withoutConfiguring, beginConfiguring } from './configure/begin.js';
import { identify, probe } from './runner/discovery.js';
import { readBaseline, withBaseline } from './runner/baseline.js';
import { baseUrl } from './client/base-url.js';
import { observeCoverage } from './runner/coverage.js';
import { Refusal } from './verdict/refusal.js';
import { replayOptionsOf, optionsOf, readReplayToken } from './runner/replay.js';
import { ruleOf, runChecks } from './runner/run.js';
import type { RunState } from './runner/scope.js';
import { select } from './runner/select.js';
import { reducedCaseWarnings, summarize } from './runner/summary.js';
import { startDeadline } from './verdict/deadlines.js';
import { loadDescription } from './client/description.js';
import { connect, Unreachable } from './client/http.js';
import { createRedactor, redactDeep } from './client/redact.js';
import { secretsIn } from './client/settings.js';
import type { Credentials } from './client/client.js';
import { readTargetOptions } from './client/target-options.js';
import { recordTraffic } from './client/traffic.js';

export { suite as checks, Refusal };
export type { Check, Profile };

export interface ConformanceOptions {
  /** Base URLs of the target; several are nodes of one cluster. */
  urls: readonly string[];
  /** An administrator of the target. Without one, checks that need users are skipped. */
  admin?: Credentials;
  /** Taken from the greeting unless given. */
  dialect?: Dialect;
  /** Taken from the greeting unless given. Rules that came later are skipped. */
  serviceVersion?: string;
  /** A YAML file that says what the target offers, and with what secrets (`docfeed/target-file.schema.json`). */
  target?: string;
  /** Capabilities that the target has, or lacks, whatever probes and the target file say. */
  claim?: readonly string[];
  deny?: readonly string[];
  /** The checks to choose from: the whole suite unless given. */
  checks?: readonly Check[];
  /** Globs over the ids of checks and rules. */
  only?: readonly string[];
  skip?: readonly string[];
  /** One part of `count` equal parts of the selection, counted from 1. */
  shard?: { index: number; count: number };
  /**
   * How many generated cases a property gets: 1 with `smoke`, 20, or 200 with `thorough`; fewer where it waits. With
   * `smoke` each rule has one check only, unless `only` asks for others.
   */
  profile?: Profile;
  /** Overrides the number of cases of every property. */
  runs?: number;
  /** Drives every generated case; chosen at random unless given. A 32-bit integer. */
  seed?: number;
  /** How many checks run beside each other. */
  concurrency?: number;
  /** A YAML file of known deviations. */
  baseline?: string;
  /**
   * A token from a report: only its check runs, and of a property only its case. Other options must be as they were in
   * that run, as far as its cases depend on them.
   */
  replay?: string;
  /**
   * Lets the run change settings of the target, and give it keys of its own. All is put back at the end.
   */
  configure?: boolean;
  /**
   * Where the run keeps a journal of what it has to put back and remove, for `docfeed restore` if it is killed. With
   * `configure` a folder of the user's state unless given; without, none unless given.
   */
  journalDir?: string;
  /** How long one check may take before it is inconclusive, in milliseconds. */
  deadlineMs?: number;
  /** How long a failing property may go on to find a smaller input that fails, in milliseconds. */
  shrinkMs?: number;
  /** Ends the run early; the report then holds what was done. What the run made is removed all the same. */
  signal?: AbortSignal;
  /** Told of each result when it is there. */
  onProgress?: (progress: { result: CheckResult; done: number; total: number }) => void;
}

const defaultDeadlineMs: Readonly<Record<Profile, number>> = {
  smoke: 30_000,
  default: 60_000,
  thorough: 600_000,
};

const defaultShrinkMs = 15_000;

/** How long the target has to say who it is and what it offers. */
const startMs = 30_000;

/**
 * Runs the suite against a target and says what it found. What it makes there, databases and users with names of
 * this run, it removes.
 *
 * @throws Refusal when the options, a file or the target do not allow a run at all. What a check meets is never
 * thrown: it is in the report.
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const startedAt = new Date();
  const { checks = suite, profile = 'default', admin, signal = new AbortController().signal } = options;
  // Every check under way listens.
  setMaxListeners(0, signal);
  const replay = options.replay === undefined ? undefined : readReplayToken(options.replay, checks, options);
  const selected = replay ? checks.filter(({ id }) => id === replay.check) : select(checks, options);
  const baseline =
    options.baseline === undefined || replay ? [] : await readBaseline(options.baseline, checks);
  const urls = options.urls.map(baseUrl);
  const told = await readTargetOptions(options);
  if (options.serviceVersion !== undefined && !coerce(options.serviceVersion)) {
    throw new Refusal('usage', `"${options.serviceVersion}" is no service version, such as 3.4 or 3.3.2`);
  }

  const redact = createRedactor([...(admin ? [admin.password] : []), ...told.secrets]);
  const connection = connect(urls, admin, redact);
  const run = randomBytes(4).toString('hex');
  const facts = journalHeader(run, urls);
  const { journal, warnings: unwritten } = openedJournal(options, facts);
  const cleanup = new TargetCleanup(connection, journal);
  const starting = startDeadline(signal, startMs, new Unreachable(`no answer within ${startMs / 1000} s`));
  try {
    const client = connection.client(starting.signal, []);
    const identity = await identify(client, urls, options.dialect);
    const description = loadDescription(identity.dialect);
    const fresh = freshNames(run);
    const probed = await probe({
      client,
      cleanup,
      admin,
      nodes: urls.length,
      identity,
      told,
      needed: new Set(selected.flatMap((check) => [...ruleOf(check).needs, ...check.needs])),
      name: fresh(),
    });
    redact.hide(secretsIn(probed.findings.settings));
    const version = options.serviceVersion ?? identity.version;
    const { findings } = probed;
    const { configuration, warnings } = options.configure
      ? await beginConfiguring({ connection, client, cleanup, facts, redact, findings, version, signal })
      : withoutConfiguring(findings);
    const { targetInfo: known } = configuration;
    const provided = providedSettings(cleanup.pending);
    starting.clear();
    const seed = replay?.seed ?? options.seed ?? randomInt(2 ** 31);

    const coverage = observeCoverage();
    const state: RunState = {
      connection,
      traffic: recordTraffic(description),
      coverage,
      dialect: identity.dialect,
      names: dialects[identity.dialect],
      ...(version === undefined ? {} : { version }),
      ...(admin ? { admin } : {}),
      targetInfo: known,
      observations: new Map(),
      cleanup,
      replayOptions: replayOptionsOf(options),
      redact: redact.known,
      freshName: fresh,
    };
    let done = 0;
    const judged = await runChecks(selected, state, configuration, {
      property: {
        seed,
        profile,
        runs: options.runs,
        shrinkMs: options.shrinkMs ?? defaultShrinkMs,
        path: replay?.path,
      },
      concurrency: options.concurrency ?? 4,
      deadlineMs: options.deadlineMs ?? defaultDeadlineMs[profile],
      signal,
      onResult(result) {
        done += 1;
        options.onProgress?.({ result: withBaseline(result, baseline), done, total: selected.length });
      },
    });
    await cleanup.run();

    const results = judged.map((result) => withBaseline(result, baseline));
    return {
      format: 'docfeed-report/1',
      suite: {
        version: packageVersion(),
        specification: description.version,
        seed,
        profile,
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        ...(options.shard ? { shard: options.shard } : {}),
        options: optionsOf(options),
      },
      target: {
        url: urls.map(String).join(' '),
        greeting: redactDeep(redact.known, identity.greeting),
        dialect: identity.dialect,
        ...(version === undefined ? {} : { version }),
        capabilities: [...known.capabilityStatuses],
        ...(provided.length > 0 ? { provided } : {}),
      },
      warnings: [
        ...unwritten,
        ...identity.warnings,
        ...probed.warnings,
        ...warnings,
        ...coverage.warnings(results),
        ...reducedCaseWarnings(results),
        ...whatIsLeft(cleanup.pending, journal !== undefined),
      ],
      checks: results,
      observations: [...state.observations].map(([id, value]) => ({
        id,
        value: redactDeep(redact.known, value),
      })),
      summary: summarize(results),
    };
  } finally {
    starting.clear();
    await cleanup.run();
    journal?.close();
    await connection.close();
  }
}

/** What has been set before the first check, but for keys, whose names are of this run alone. */
function providedSettings(tasks: readonly CleanupTask[]): string[] {
  const names = tasks.flatMap((task) => (task.kind === 'setting' ? [task.name] : []));
  return [...new Set(names)].filter((name) => !name.startsWith('jwt_keys/'));
}

/** How many of them a warning names. */
const leftShown = 5;

function whatIsLeft(tasks: readonly CleanupTask[], inJournal: boolean): string[] {
  if (tasks.length === 0) return [];
  const names = tasks.slice(0, leftShown).map(describeTask).join(', ');
  const more = tasks.length > leftShown ? ` and ${tasks.length - leftShown} more` : '';
  const remedy = inJournal ? '; `docfeed restore` tries again' : '';
  return [`Left on the target: ${names}${more}${remedy}.`];
}

/**
 * A run that changes no settings goes on without a journal where none can be written, such as in a container without
 * a home.
 */
function openedJournal(
  { configure, journalDir }: ConformanceOptions,
  facts: JournalHeader,
): { journal?: Journal; warnings: string[] } {
  const folder = journalDir ?? (configure ? journalFolder() : undefined);
  if (folder === undefined) return { warnings: [] };
  try {
    return { journal: new Journal(folder, facts), warnings: [] };
  } catch (error) {
    if (configure || !(error instanceof Refusal)) throw error;
    return { warnings: [`What this run leaves if it is killed cannot be restored: ${error.message}.`] };
  }
}

/** Names that this run alone uses: lower-case letters, digits and a hyphen, as a database name may have. */
function freshNames(run: string): () => string {
  let count = 0;
  return () => `${run}-${(count += 1)}`;
}

function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('docfeed/package.json') as { version: string };
  return version;
}
