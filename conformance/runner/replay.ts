/** The token that leads back to a failure: which check, with which seed, and for a property which case. */
import type { Check } from '../checks/check.js';
import { Refusal } from './refusal.js';

export interface Replay {
  check: string;
  seed: number;
  /** fast-check's path to the case; missing for a check that is no property. */
  path?: string;
}

/** JSON in base64url: it can be pasted into any shell. */
export function replayToken(replay: Replay): string {
  return Buffer.from(JSON.stringify(replay), 'utf8').toString('base64url');
}

/** @throws Refusal when the text is no token, or its check is not one of `checks`. */
export function readReplayToken(token: string, checks: readonly Check[]): Replay {
  let replay: Partial<Replay> | null;
  try {
    replay = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<Replay> | null;
  } catch (error) {
    throw new Refusal('usage', 'the replay token is damaged', { cause: error });
  }
  const { check, seed, path } = replay ?? {};
  if (
    typeof check !== 'string' ||
    !Number.isInteger(seed) ||
    !(path === undefined || (typeof path === 'string' && /^\d+(:\d+)*$/.test(path)))
  ) {
    throw new Refusal('usage', 'the replay token is damaged');
  }
  if (!checks.some(({ id }) => id === check)) {
    throw new Refusal('usage', `the replay token is for "${check}", which is no check of this version`);
  }
  return { check, seed: seed!, ...(path === undefined ? {} : { path }) };
}
