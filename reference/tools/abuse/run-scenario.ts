/** Runs one attack, and measures how it affects other clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from 'simple-statistics';
import type { Latencies } from './bystander.js';
import { withFolder } from '../folder.js';
import { withServerProcess, type ServerProcess, type ServerProcessOptions } from '../server-process.js';

/** What an attack gets. The client is logged in as the administrator. */
export interface AttackTarget extends Pick<ServerProcess, 'url' | 'client' | 'memory'> {
  /** Scales a size down for the short form. */
  readonly scaled: (size: number) => number;
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

export interface ScenarioResult {
  readonly scenario: string;
  /** What the attack reported. */
  readonly outcome: string;
  /** Directly before the attack. */
  readonly calm: Latencies;
  readonly attacked: Latencies;
  /** What misses the target. */
  readonly problems: readonly string[];
}

/** The p99 of others may grow by this much during an attack. */
export const targetMs = 250;

const configuration = fileURLToPath(new URL('abuse.ini', import.meta.url));

/** @param options another program, and further arguments of `serve` */
export function runScenario(
  scenario: Scenario,
  short: boolean,
  { args = [], ...options }: Pick<ServerProcessOptions, 'program' | 'args'> = {},
): Promise<ScenarioResult> {
  return withFolder((folder) => {
    const data = scenario.durable ? ['--data', folder] : [];
    const serverArgs = ['--log-level', 'silent', '--config', configuration, ...data, ...args];
    return withServerProcess({ ...options, args: serverArgs }, async (server) => {
      await server.client.logIn(server.admin);
      return attack(scenario, server, short);
    });
  });
}

async function attack(scenario: Scenario, server: ServerProcess, short: boolean): Promise<ScenarioResult> {
  const periodMs = short ? 2000 : 5000;
  const target = { ...server, scaled: (size: number) => (short ? Math.ceil(size / 10) : size) };
  const { name, password } = server.admin;
  const bystander = fork(new URL('./bystander.js', import.meta.url), [server.url], {
    env: { ...process.env, DOCFEED_ADMIN: `${name}:${password}` },
  });
  const failed = once(bystander, 'exit').then(() => {
    throw new Error('a request of another client failed');
  });
  failed.catch(() => {});
  const endPeriod = async () => {
    bystander.send('end');
    return ((await Promise.race([once(bystander, 'message'), failed])) as [Latencies])[0];
  };
  try {
    await scenario.prepare?.(target);
    await endPeriod();
    await pause(periodMs);
    const calm = await endPeriod();

    const end = performance.now() + periodMs;
    let outcome = '';
    const problems: string[] = [];
    try {
      do outcome = await Promise.race([scenario.attack(target), failed]);
      while (performance.now() < end);
    } catch (error) {
      problems.push((error as Error).message);
    }
    const attacked = await endPeriod();
    problems.push(...slowdowns(calm, attacked));
    return { scenario: scenario.name, outcome, calm, attacked, problems };
  } finally {
    bystander.disconnect();
  }
}

/** @returns 0 if there are no samples */
export const quantileOf = (samples: readonly number[], share: number): number =>
  samples.length === 0 ? 0 : quantile([...samples], share);

/** Other processes may slow down everything, so the latency without the attack is subtracted. */
function slowdowns(calm: Latencies, attacked: Latencies): string[] {
  return (['get', 'put'] as const).flatMap((kind) => {
    const growth = quantileOf(attacked[kind], 0.99) - quantileOf(calm[kind], 0.99);
    const request = kind === 'get' ? '`GET /`' : 'a PUT';
    return growth > targetMs ? [`the p99 of ${request} grew by ${growth.toFixed(0)} ms`] : [];
  });
}
