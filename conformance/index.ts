/** The suite as a library: `import { runConformance, checks } from 'docfeed'`. */
import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { coerce } from 'semver';
import { type Dialect, dialects } from '../openapi/generated/dialects.js';
import { type CheckResult, outcomes, type Report } from '../reports/report.js';
import type { Check, Profile } from './checks/check.js';
import { checks as suite } from './checks/index.js';
import { readBaseline, withBaseline } from './runner/baseline.js';
import { Refusal } from './runner/refusal.js';
import { readReplayToken } from './runner/replay.js';
import { runChecks } from './runner/run.js';
import { Leftovers, type RunState } from './runner/scope.js';
import { select } from './runner/select.js';
import { limitTime } from './runner/time.js';
import { Inconclusive } from './runner/verdict.js';
import { type Claim, probeCapabilities } from './target/capabilities.js';
import { loadDescription } from './target/description.js';
import { detect, type Identity, NotSuchService } from './target/detect.js';
import { connect, Unreachable } from './target/http.js';
import { redactor } from './target/redact.js';
import type { Credentials, HttpClient } from './target/target.js';
import { watchTraffic } from './target/traffic.js';

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
  /** The checks to choose from: the whole suite unless given. */
  checks?: readonly Check[];
  /** Globs over the ids of checks and rules. */
  only?: readonly string[];
  skip?: readonly string[];
  /** One part of `count` equal parts of the selection, counted from 1. */
  shard?: { index: number; count: number };
  /** How many generated cases a property gets. */
  profile?: Profile;
  /** Overrides the number of cases of every property. */
  runs?: number;
  /** Drives every generated case; chosen at random unless given. A 32-bit integer. */
  seed?: number;
  /** How many checks run beside each other. */
  concurrency?: number;
  /** A YAML file of known deviations. */
  baseline?: string;
  /** A token from a report: only its check runs, and of a property only its case. */
  replay?: string;
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
  const replay = options.replay === undefined ? undefined : readReplayToken(options.replay, checks);
  const selected = replay ? checks.filter(({ id }) => id === replay.check) : select(checks, options);
  const baseline =
    options.baseline === undefined || replay ? [] : await readBaseline(options.baseline, checks);
  const urls = options.urls.map(baseUrl);
  if (options.serviceVersion !== undefined && !coerce(options.serviceVersion)) {
    throw new Refusal('usage', `"${options.serviceVersion}" is no service version`);
  }

  const redact = redactor(admin ? [admin.password] : []);
  const connection = connect(urls, admin, redact);
  const leftovers = new Leftovers(connection);
  const starting = limitTime(signal, startMs, new Unreachable(`no answer within ${startMs / 1000} s`));
  try {
    const client = connection.client(starting.signal, []);
    const identity = await identify(client, urls, options.dialect);
    const description = loadDescription(identity.dialect);
    const fresh = freshNames();
    const probed = await probe({ client, leftovers, admin, nodes: urls.length, name: fresh() });
    starting.clear();
    const version = options.serviceVersion ?? identity.version;
    const seed = replay?.seed ?? options.seed ?? randomInt(2 ** 31);

    const state: RunState = {
      connection,
      traffic: watchTraffic(description),
      dialect: identity.dialect,
      names: dialects[identity.dialect],
      ...(version === undefined ? {} : { version }),
      ...(admin ? { admin } : {}),
      capabilities: new Set(probed.claims.filter(({ available }) => available).map(({ name }) => name)),
      observations: new Map(),
      leftovers,
      freshName: fresh,
    };
    let done = 0;
    const judged = await runChecks(selected, state, {
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
    await leftovers.remove();
    const results = judged.map((result) => withBaseline(result, baseline));
    const left = leftovers.remaining.map(({ kind, name }) => `The ${kind} ${name} could not be removed.`);

    return withoutSecrets(redact.known, {
      format: 'docfeed-report/1',
      suite: {
        version: packageVersion(),
        specification: description.version,
        seed,
        profile,
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        ...(options.shard ? { shard: options.shard } : {}),
      },
      target: {
        url: urls.map(String).join(' '),
        greeting: identity.greeting,
        dialect: identity.dialect,
        ...(version === undefined ? {} : { version }),
        capabilities: probed.claims,
      },
      warnings: [...identity.warnings, ...probed.warnings, ...left],
      checks: results,
      observations: [...state.observations].map(([id, value]) => ({ id, value })),
      summary: summarize(results),
    });
  } finally {
    starting.clear();
    await connection.close();
  }
}

/** Reads a base URL. Credentials have their own option, since a URL ends up in logs and reports. */
function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Refusal('usage', `"${text}" is no http URL`);
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('usage', 'give credentials with --admin or DOCFEED_ADMIN, not in the URL');
  }
  url.search = url.hash = '';
  return url;
}

/** Who answers at the URLs: one service, on all of them. */
async function identify(client: HttpClient, urls: readonly URL[], wanted?: Dialect): Promise<Identity> {
  const identities: Identity[] = [];
  for (const [node, url] of urls.entries()) {
    try {
      identities.push(await detect(client, node, wanted));
    } catch (error) {
      if (error instanceof NotSuchService) throw new Refusal('target', `${url.href} ${error.message}`);
      throw asRefusal(error, `${url.href}: `);
    }
  }
  const [first, ...others] = identities as [Identity, ...Identity[]];
  if (others.some(({ dialect }) => dialect !== first.dialect)) {
    throw new Refusal('usage', 'the URLs speak different dialects: they are not nodes of one cluster');
  }
  return first;
}

/** Whether the credentials are good, whether databases can be made, and what else the target offers. */
async function probe(input: {
  client: HttpClient;
  leftovers: Leftovers;
  admin: Credentials | undefined;
  nodes: number;
  name: string;
}): Promise<{ claims: Claim[]; warnings: string[] }> {
  const { client, leftovers, admin, nodes } = input;
  try {
    if (admin) {
      const { status } = await client.request({ path: '/_session', as: 'admin' });
      if (status === 401 || status === 403) {
        throw new Refusal('credentials', `the target refuses the credentials of "${admin.name}" (${status})`);
      }
    }
    const database = { kind: 'database', name: `docfeed-${input.name}` } as const;
    leftovers.add(database);
    const path = `/${database.name}`;
    const made = await client.request({ method: 'PUT', path, query: { q: 1 }, as: 'admin' });
    const refused = made.status === 401 || made.status === 403;
    if (refused && admin) {
      throw new Refusal('credentials', `"${admin.name}" may not create databases (${made.status})`);
    }
    const facts = made.status < 300 ? await client.request({ path, as: 'admin' }) : undefined;
    const claims = await probeCapabilities({
      client,
      hasAdmin: admin !== undefined,
      nodes,
      ...(facts?.status === 200 ? { database: facts.object() } : {}),
    });
    const warnings = refused
      ? [
          'The target lets only administrators create databases: give --admin, or most rules cannot be judged.',
        ]
      : [];
    return { claims, warnings };
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await leftovers.remove();
  }
}

/** A connection that breaks, or a run interrupted, before there is anything to report. */
function asRefusal(error: unknown, where = ''): unknown {
  return error instanceof Inconclusive
    ? new Refusal('target', `${where}${error.message}`, { cause: error })
    : error;
}

/** Names that this run alone uses: lower-case letters, digits and a hyphen, as a database name may have. */
function freshNames(): () => string {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${run}-${(count += 1)}`;
}

function summarize(results: readonly CheckResult[]): Report['summary'] {
  const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
}

function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('docfeed/package.json') as { version: string };
  return version;
}

/** Exchanges are recorded without secrets; a target may still have repeated one to a check in some other place. */
function withoutSecrets(hide: (text: string) => string, report: Report): Report {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
  };
  return {
    ...report,
    target: { ...report.target, greeting: clean(report.target.greeting) },
    observations: clean(report.observations) as Report['observations'],
    checks: report.checks.map((result) => ({
      ...result,
      ...(result.reason === undefined ? {} : { reason: hide(result.reason) }),
      ...(result.counterexample
        ? { counterexample: clean(result.counterexample) as CheckResult['counterexample'] }
        : {}),
    })),
  };
}
