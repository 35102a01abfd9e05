/** One trial of the self-test: a server, and what the suite says of it. Runs in a thread of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ServerOptions } from '../../reference/index.js';
import type { CheckResult, Report } from '../../reports/report.js';
import type { FaultTrial, LawfulTrial } from '../../reports/selftest.js';
import { faults } from '../faults/index.js';
import { type ConformanceOptions, type Profile, runConformance } from '../index.js';
import { slowWay } from './circumstances.js';

/** A trial as data, so that it can be sent to another thread. */
export type Trial =
  | {
      readonly kind: 'fault';
      readonly id: string;
      readonly seed: number;
      readonly runs: number;
      /** Against the checks of all other rules as well. */
      readonly whole: boolean;
    }
  | { readonly kind: 'variation'; readonly seed: number; readonly profile: Profile }
  | {
      readonly kind: 'repeat';
      readonly seed: number;
      readonly profile: Profile;
      readonly slow: boolean;
      readonly circumstances: string;
    };

export type TrialResult = FaultTrial | LawfulTrial;

const admin = { name: 'admin', password: 'secret' };

/** Every way of saying who asks, and passwords that are hashed at once. */
const config = {
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
  chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies and cookies', iterations: '10' },
};

/** What a trial is called in a list of trials. */
export function nameOf(trial: Trial): string {
  return `${trial.kind === 'fault' ? trial.id : trial.kind} ${trial.seed}`;
}

export default async function run(trial: Trial): Promise<TrialResult> {
  const startedAt = performance.now();
  const result =
    trial.kind === 'fault'
      ? await tryFault(trial)
      : await tryLawful(trial, trial.kind === 'variation' ? { vary: trial.seed } : {}, {
          circumstances: trial.kind === 'variation' ? 'variation' : trial.circumstances,
          slow: trial.kind === 'repeat' && trial.slow,
        });
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

async function tryFault({
  id,
  seed,
  runs,
  whole,
}: Extract<Trial, { kind: 'fault' }>): Promise<Omit<FaultTrial, 'durationMs'>> {
  const { rule, summary, replace, nodes } = faults.find((fault) => fault.id === id)!;
  const server = { parts: replace, nodes };
  const untilFailure = (configure: boolean): Promise<Report> => {
    const found = new AbortController();
    return suiteAgainst(server, {
      ...{ seed, runs, only: [rule], configure },
      // Nobody needs the smallest case, nor what else would fail.
      shrinkMs: 0,
      signal: found.signal,
      onProgress: ({ result }) => isFailure(result) && found.abort(),
    });
  };
  // Many checks need no other settings than there are, and are sooner done without.
  let own = await untilFailure(false);
  if (failures(own).length === 0) own = await untilFailure(true);
  const by = failures(own);
  const trial = { id, rule, summary, seed, by };
  const isKilled = by.length > 0;
  if (isKilled && !whole) return { ...trial, outcome: 'killed' };
  if (!isKilled && own.checks.some(isUndecided)) return { ...trial, outcome: 'undecided' };
  // What the checks of other rules find, they find by the way: the cases of an ordinary run are enough.
  const others = failures(await suiteAgainst(server, { seed, shrinkMs: 0, skip: [rule] }));
  if (isKilled) return { ...trial, others, outcome: 'killed' };
  return { ...trial, others, outcome: others.length > 0 ? 'killed by another rule' : 'survived' };
}

async function tryLawful(
  { seed, profile }: Exclude<Trial, { kind: 'fault' }>,
  server: ServerOptions,
  { circumstances, slow }: { circumstances: string; slow: boolean },
): Promise<Omit<LawfulTrial, 'durationMs'>> {
  const { checks } = await suiteAgainst(server, { seed, profile }, slow);
  const is = (outcome: CheckResult['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  return {
    circumstances,
    seed,
    profile,
    passed: is('pass'),
    skipped: is('skipped'),
    alarms: checks
      .filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
      .map(({ id, outcome, reason, replay }) => ({ id, outcome, reason, replay })),
  };
}

async function suiteAgainst(
  server: ServerOptions,
  options: Omit<ConformanceOptions, 'urls'>,
  slow = false,
): Promise<Report> {
  // What a fault breaks the server may notice: nobody reads that here.
  const running = await startServer({
    admin,
    config,
    log: { level: 'silent' },
    ...server,
  });
  const journalDir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  const way = slow ? await slowWay(running.url) : undefined;
  try {
    const urls = way ? [way.url] : running.urls;
    return await runConformance({ urls, admin, configure: true, journalDir, ...options });
  } finally {
    way?.close();
    await running.stop();
    await rm(journalDir, { recursive: true });
  }
}

const isFailure = ({ outcome }: CheckResult) => outcome === 'fail' || outcome === 'warn';

const failures = ({ checks }: Report): string[] => checks.filter(isFailure).map(({ id }) => id);

const isUndecided = ({ outcome }: CheckResult) => !['pass', 'skipped', 'known'].includes(outcome);
