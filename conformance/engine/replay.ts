/**
 * Encodes and decodes replay tokens, which identify a failure: the check, its seed, and the case of a property. What a
 * check generates also depends on options of the run, so a replay needs the same options.
 */
import type { Check, Pool } from '../target/check.js';
import type { Credentials } from '../http/client.js';
import { asObject, parseJson } from '../http/json.js';
import { Refusal } from './refusal.js';

export interface Replay {
  check: string;
  seed: number;
  /** Some inputs of a property are from the pool of the run. */
  pool: Pool;
  /** The path of the case for fast-check; missing if the check is not a property. */
  path?: string;
  /** The result of {@link replayOptionsOf}. */
  with: readonly string[];
}

/** Options that the generated cases of a run depend on. */
interface ReplayOptions {
  readonly admin?: Credentials;
  readonly configure?: boolean;
  readonly target?: string;
  readonly dialect?: string;
  readonly serviceVersion?: string;
  readonly have?: readonly string[];
  readonly lack?: readonly string[];
  readonly maxBodyBytes?: number;
}

/** The options as command-line arguments, without credentials. */
export function optionsOf(options: ReplayOptions): string[] {
  const { configure, target, dialect, serviceVersion, have = [], lack = [], maxBodyBytes } = options;
  return [
    ...(configure ? ['--configure'] : []),
    ...(target === undefined ? [] : ['--target', target]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
    ...(serviceVersion === undefined ? [] : ['--service-version', serviceVersion]),
    ...have.flatMap((name) => ['--have', name]),
    ...lack.flatMap((name) => ['--lack', name]),
    ...(maxBodyBytes === undefined ? [] : ['--max-body', String(maxBodyBytes)]),
  ];
}

/** The options that must be the same in a replay, without the names of files and without credentials. */
export function replayOptionsOf(options: ReplayOptions): string[] {
  const { admin, configure, target, have = [], lack = [] } = options;
  return [
    ...(admin ? ['--admin'] : []),
    ...(configure ? ['--configure'] : []),
    ...(target === undefined ? [] : ['--target FILE']),
    ...have.map((name) => `--have ${name}`),
    ...lack.map((name) => `--lack ${name}`),
  ];
}

/** JSON in base64url, which needs no quoting in a shell. */
export function replayToken(replay: Replay): string {
  return Buffer.from(JSON.stringify(replay), 'utf8').toString('base64url');
}

/** @throws Refusal if the token is malformed, its check is not one of `checks`, or its run had other options. */
export function readReplayToken(token: string, checks: readonly Check[], options: ReplayOptions): Replay {
  const json = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  const { check, seed, pool, path, with: expected } = asObject(json) as Partial<Replay>;
  if (
    typeof check !== 'string' ||
    !Number.isInteger(seed) ||
    !(path === undefined || (typeof path === 'string' && /^\d+(:\d+)*$/.test(path))) ||
    !(Array.isArray(expected) && expected.every((option) => typeof option === 'string'))
  ) {
    throw new Refusal('usage', 'the replay token is malformed; copy it completely from the report');
  }
  const { seed: poolSeed, size } = asObject(pool);
  if (!Number.isInteger(poolSeed) || !(Number.isInteger(size) && (size as number) > 0)) {
    throw new Refusal('usage', 'the replay token is from an older version, which generated other cases');
  }
  if (!checks.some(({ id }) => id === check)) {
    throw new Refusal(
      'usage',
      `the replay token is for check "${check}", which does not exist in this version`,
    );
  }
  const actual = replayOptionsOf(options);
  const differences = [
    ...expected.filter((option) => !actual.includes(option)).map((option) => `with ${option}`),
    ...actual.filter((option) => !expected.includes(option)).map((option) => `without ${option}`),
  ];
  if (differences.length > 0) {
    throw new Refusal(
      'usage',
      `the replay token is from a run ${differences.join(' and ')}; use the same options`,
    );
  }
  return { check, seed: seed!, pool: pool!, ...(path === undefined ? {} : { path }), with: expected };
}
