/**
 * Encodes and decodes replay tokens, which identify a failure: the check, its seed, and the case of a property. What a
 * check generates also depends on options of the run, so a replay needs the same options.
 */
import { parseJson } from '../../reports/read-json.js';
import type { Pool } from './check.js';
import { Refusal } from './refusal.js';

export interface Replay {
  check: string;
  seed: number;
  /** Some inputs of a property are from the pool of the run. */
  pool: Pool;
  /** The path of the case for fast-check; missing if the check is not a property. */
  path?: string;
  /** For a path: the number of cases of the property, which the choices of a case depend on. */
  cases?: number;
  /** The options that the cases depend on, as on the command line. */
  with: readonly string[];
}

/** JSON in base64url, which needs no quoting in a shell. */
export function replayToken(replay: Replay): string {
  return Buffer.from(JSON.stringify(replay), 'utf8').toString('base64url');
}

/**
 * @param actual the options of this run that its cases depend on
 * @throws Refusal if the token is malformed, its check is not one of `checks`, or its run had other options.
 */
export function readReplayToken(
  token: string,
  checks: readonly { readonly id: string }[],
  actual: readonly string[],
): Replay {
  const json = parseJson(Buffer.from(token, 'base64url').toString('utf8')) as Partial<Replay> | undefined;
  const { check, seed, pool, path, cases, with: expected } = { ...json };
  if (
    typeof check !== 'string' ||
    !Number.isInteger(seed) ||
    !(path === undefined || (typeof path === 'string' && /^\d+(:\d+)*$/.test(path))) ||
    !(Array.isArray(expected) && expected.every((option) => typeof option === 'string'))
  ) {
    throw new Refusal('usage', 'the replay token is malformed; copy it completely from the report');
  }
  const { seed: poolSeed, size = 0 } = { ...pool };
  const isPositive = (count: unknown): boolean => Number.isInteger(count) && (count as number) > 0;
  if (!Number.isInteger(poolSeed) || !isPositive(size) || (path !== undefined && !isPositive(cases))) {
    throw new Refusal('usage', 'the replay token is from an older version, which generated other cases');
  }
  if (!checks.some(({ id }) => id === check)) {
    throw new Refusal(
      'usage',
      `the replay token is for check "${check}", which does not exist in this version`,
    );
  }
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
  return { check, seed: seed!, pool: pool!, ...(path === undefined ? {} : { path, cases }), with: expected };
}
