/** Runs one attack, and measures how it affects other clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import type { Administrator } from '../../index.js';
import type { Bystander, Latencies } from './bystander.js';
import { Client } from '../client.js';
import { startServerProcess, type ServerProcessOptions } from '../server-process.js';

/** What an attack gets. */
export interface AttackTarget {
  readonly url: string;
  readonly admin: Administrator;
  /** A client that is logged in as the administrator. */
  readonly client: Client;
  /** Scales a size down for the short form. */
  readonly scaled: (size: number) => number;
  /** Memory of the server in bytes. */
  readonly memory: () => Promise<number>;
}

/** One way to abuse the server. */
export interface Scenario {
  readonly name: string;
  /** Whether the server writes to disk. Default false. */
  readonly durable?: boolean;
  /** Writes data that the attack needs. */
  readonly prepare?: (target: AttackTarget) => Promise<void>;
  /**
   * Attacks once. It is repeated for some seconds.
   *
   * @returns what happened, for the report
   * @throws if the server does not react as it should
   */
  readonly attack: (target: AttackTarget) => Promise<string>;
}

/** In milliseconds. */
export interface Summary {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Effect {
  readonly get: Summary;
  readonly put: Summary;
}

export interface ScenarioResult {
  readonly scenario: string;
  /** What the attack reported. */
  readonly outcome: string;
  readonly attacks: number;
  readonly seconds: number;
  /** Directly before the attack. */
  readonly calm: Effect;
  readonly attacked: Effect;
  /** What misses the target. */
  readonly problems: readonly string[];
}

/** The p99 of others may grow by this much during an attack. */
export const targetMs = 250;

/** @param options another program, and further arguments of `serve` */
export async function runScenario(
  scenario: Scenario,
  short: boolean,
  { args = [], ...options }: Pick<ServerProcessOptions, 'program' | 'args'> = {},
): Promise<ScenarioResult> {
  const periodMs = short ? 2000 : 5000;
  const directory = await mkdtemp(join(tmpdir(), 'docfeed-abuse-'));
  const data = scenario.durable ? ['--data', directory] : [];
  const server = await startServerProcess({
    ...options,
    args: ['--log-level', 'silent', ...data, ...args],
  });
  const { url, admin } = server;
  const client = await new Client(url).logIn(admin);
  const target = {
    url,
    admin,
    client,
    memory: () => server.memory(),
    scaled: (size: number) => (short ? Math.ceil(size / 10) : size),
  };
  const bystander = fork(new URL('./bystander.ts', import.meta.url), { execArgv: ['--import=tsx'] });
  const failed = once(bystander, 'exit').then(() => {
    throw new Error('a request of another client failed');
  });
  failed.catch(() => {});
  const nextMessage = async (): Promise<unknown> =>
    ((await Promise.race([once(bystander, 'message'), failed])) as [unknown])[0];
  const period = async (): Promise<Effect> => {
    bystander.send('end');
    return effectOf((await nextMessage()) as Latencies);
  };
  try {
    bystander.send({ url, admin } satisfies Bystander);
    await nextMessage();
    await scenario.prepare?.(target);
    await period();
    await pause(periodMs);
    const calm = await period();

    const start = performance.now();
    let attacks = 0;
    let outcome = '';
    let error: Error | undefined;
    try {
      do {
        outcome = await Promise.race([scenario.attack(target), failed]);
        attacks++;
      } while (performance.now() - start < periodMs);
    } catch (reason) {
      error = reason as Error;
    }
    const seconds = (performance.now() - start) / 1000;
    const attacked = await period();
    const problems = [...(error ? [error.message] : []), ...slowdowns(calm, attacked)];
    return { scenario: scenario.name, outcome, attacks, seconds, calm, attacked, problems };
  } finally {
    bystander.disconnect();
    await client.close();
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

const effectOf = ({ get, put }: Latencies): Effect => ({ get: summaryOf(get), put: summaryOf(put) });

function summaryOf(samples: readonly number[]): Summary {
  if (samples.length === 0) return { requests: 0, p50: 0, p99: 0, max: 0 };
  const values = [...samples];
  return {
    requests: samples.length,
    p50: quantile(values, 0.5),
    p99: quantile(values, 0.99),
    max: Math.max(...samples),
  };
}

/** Other processes may slow down everything, so the latency without the attack is subtracted. */
function slowdowns(calm: Effect, attacked: Effect): string[] {
  return (['get', 'put'] as const).flatMap((kind) => {
    const growth = attacked[kind].p99 - calm[kind].p99;
    const request = kind === 'get' ? '`GET /`' : 'a PUT';
    return growth > targetMs ? [`the p99 of ${request} grew by ${growth.toFixed(0)} ms`] : [];
  });
}
