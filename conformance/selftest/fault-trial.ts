/** One trial of the self-test: starts a server and runs the suite against it, in a worker thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rules } from '../../openapi/generated/rules.js';
import { type Fault, startServer, type ServerOptions } from '../../reference/index.js';
import type { CheckResult, Report } from '../../reports/report.js';
import type { CheckTrial, FaultTrial, ConformingTrial } from '../../reports/selftest.js';
import { faults } from '../rules/faults.js';
import type { Profile } from '../engine/check.js';
import { Refusal } from '../engine/refusal.js';
import { runConformance } from '../run-conformance.js';
import type { ConformanceOptions } from '../session/conformance-options.js';
import { startSlowProxy } from './conditions.js';
import { alarmOf, lostWithout } from './lacking.js';
import { baselinesFor, explains, hidingBaselines } from './hiding.js';

/** Runs that repeat the suite against the unchanged server, by what is unusual around it. */
export const busyMachine = 'busy machine';
export const slowNetwork = 'slow network';

/** What a trial and its result have in common says which trial it is. Plain data, because it is sent to a worker thread. */
export type Trial =
  | (Pick<FaultTrial, 'id' | 'seed' | 'busy' | 'lack'> & {
      readonly cases?: number;
      /** Whether the checks of all other rules run as well. */
      readonly whole: boolean;
    })
  | (Pick<CheckTrial, 'check' | 'rule' | 'seed'> & { readonly cases?: number })
  | (Pick<ConformingTrial, 'circumstances' | 'seed'> & {
      readonly profile: Profile;
      readonly server?: Pick<ServerOptions, 'vary' | 'serviceVersion' | 'lack'>;
      /** Rules that are not tried. */
      readonly skip?: readonly string[];
    });

export type TrialResult = FaultTrial | CheckTrial | ConformingTrial;

const admin = { name: 'admin', password: 'secret' };

/** Every authentication handler, and passwords that are hashed fast. */
const config = {
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
  chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies and cookies', iterations: '10' },
};

export default async function run(trial: Trial): Promise<TrialResult> {
  const startedAt = performance.now();
  const result = await outcomeOf(trial).catch((error: unknown) => {
    // On a busy machine, a probe before the checks may have no response in time, which says nothing of the checks.
    if (error instanceof Refusal) return outcomeOf(trial);
    throw error;
  });
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

type Outcome =
  Omit<FaultTrial, 'durationMs'> | Omit<CheckTrial, 'durationMs'> | Omit<ConformingTrial, 'durationMs'>;

function outcomeOf(trial: Trial): Promise<Outcome> {
  if ('id' in trial) return tryFault(trial);
  return 'check' in trial ? tryCheck(trial) : tryConforming(trial);
}

async function tryFault({
  id,
  seed,
  cases,
  whole,
  busy,
  lack,
}: Extract<Trial, { id: string }>): Promise<Omit<FaultTrial, 'durationMs'>> {
  const fault = faults.find((candidate) => candidate.id === id)!;
  const { rule, summary } = fault;
  const { area } = rules.find((candidate) => candidate.id === rule)!;
  const options = { seed, cases, only: [rule] };
  // On a busy machine or with the few cases of a slow fault, a run says nothing of baselines.
  let suspects = busy || lack !== undefined || fault.isSlow ? [] : await baselinesFor(fault);
  // The entries are about servers of this dialect.
  const lacking = lack === undefined ? {} : { lack: lack.split(',') };
  const server = {
    ...serverOf(fault),
    ...lacking,
    ...(suspects.length > 0 && { dialect: 'couchdb' as const }),
  };
  const own = await untilFailure(fault, server, options, (failure) => {
    suspects = suspects.filter((baseline) => explains(baseline, failure));
    return suspects.length === 0;
  });
  const by = failures(own);
  const isKilled = by.length > 0;
  const hiddenBy = isKilled
    ? await hidingBaselines(suspects, (more) => untilFailure(fault, server, { ...options, ...more }))
    : [];
  const trial = {
    id,
    rule,
    area,
    summary,
    seed,
    by,
    ...(busy && { busy }),
    ...(lack !== undefined && { lack }),
    ...(hiddenBy.length > 0 && { hiddenBy }),
  };
  if (isKilled && !whole) return { ...trial, outcome: 'killed' };
  if (!isKilled && own.checks.some(isUndecided)) return { ...trial, outcome: 'undecided' };
  if (busy) return { ...trial, outcome: 'survived' };
  // Other rules need no more cases than an ordinary run has, because finding this fault is not their purpose.
  const others = failures(await suiteAgainst(server, { seed, shrinkMs: 0, skip: [rule] }));
  if (isKilled) return { ...trial, others, outcome: 'killed' };
  return { ...trial, others, outcome: others.length > 0 ? 'killed by another rule' : 'survived' };
}

/** Tries the faults of the rule until one makes the check fail. */
async function tryCheck({
  check,
  rule,
  seed,
  cases,
}: Extract<Trial, { check: string }>): Promise<Omit<CheckTrial, 'durationMs'>> {
  for (const fault of faults.filter((candidate) => candidate.rule === rule)) {
    const report = await untilFailure(fault, serverOf(fault), { seed, cases, only: [check] });
    if (failures(report).length > 0) return { check, rule, seed, fault: fault.id };
  }
  return { check, rule, seed };
}

/**
 * Runs some checks against a server with a fault.
 *
 * @param isEnough whether a failure ends the run. Default: each does.
 */
async function untilFailure(
  fault: Fault,
  server: ServerOptions,
  options: Pick<ConformanceOptions, 'seed' | 'cases' | 'only' | 'baseline' | 'shrinkMs'>,
  isEnough: (failure: CheckResult) => boolean = () => true,
): Promise<Report> {
  const attempt = (configure: boolean): Promise<Report> => {
    const found = new AbortController();
    return suiteAgainst(server, {
      // The trial needs neither the smallest counterexample nor further failures.
      shrinkMs: 0,
      ...options,
      configure,
      ...(fault.isSlow && { profile: 'thorough', cases: 1 }),
      // On a busy machine, checks have time for all their cases.
      deadlineMs: 300_000,
      signal: found.signal,
      onProgress: ({ result }) => isFailure(result) && isEnough(result) && found.abort(),
    });
  };
  // Many checks need no changed settings and run faster without --configure.
  const plain = await attempt(false);
  return failures(plain).length > 0 ? plain : attempt(true);
}

const serverOf = ({ replace, nodes }: Fault): ServerOptions => ({ components: replace, nodes });

async function tryConforming({
  circumstances,
  seed,
  profile,
  server = {},
  skip = [],
}: Extract<Trial, { circumstances: string }>): Promise<Omit<ConformingTrial, 'durationMs'>> {
  // The profile `smoke` alone would select one check of each rule.
  const options = { seed, profile, only: ['**'], skip };
  const report = await suiteAgainst(server, options, circumstances === slowNetwork);
  const counts = { circumstances, seed, profile, ...countsOf(report) };
  return server.lack ? { ...counts, alarms: lostWithout(server.lack, report) } : counts;
}

/** What a run against a conforming server shows. */
export function countsOf({ checks }: Report): Pick<ConformingTrial, 'passed' | 'skipped' | 'alarms'> {
  const is = (outcome: CheckResult['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: is('pass'),
    skipped: is('skipped'),
    alarms: checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped').map(alarmOf),
  };
}

export async function suiteAgainst(
  server: ServerOptions,
  options: Omit<ConformanceOptions, 'urls'>,
  slow = false,
): Promise<Report> {
  // The log of a server with a fault would only repeat errors that are expected.
  const running = await startServer({
    admin,
    config,
    log: { level: 'silent' },
    ...server,
  });
  const journalDir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  const proxy = slow ? await startSlowProxy(running.url) : undefined;
  try {
    const urls = proxy ? [proxy.url] : running.urls;
    return await runConformance({ urls, admin, configure: true, journalDir, ...options });
  } finally {
    proxy?.close();
    await running.stop();
    await rm(journalDir, { recursive: true });
  }
}

const isFailure = ({ outcome }: CheckResult) => outcome === 'fail' || outcome === 'warn';

const failures = ({ checks }: Report): string[] => checks.filter(isFailure).map(({ id }) => id);

const isUndecided = ({ outcome }: CheckResult) => !['pass', 'skipped', 'known'].includes(outcome);
