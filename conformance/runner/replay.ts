/**
 * The token that leads back to a failure: which check, with which seed, and for a property which case. What a check
 * generates depends on what it knows of the target as well, and so on options of the run: those must be as they were.
 */
import type { Check } from '../check.js';
import type { Credentials } from '../client/client.js';
import { Refusal } from '../verdict/refusal.js';

export interface Replay {
  check: string;
  seed: number;
  /** fast-check's path to the case; missing for a check that is no property. */
  path?: string;
  /** As {@link replayOptionsOf} names them. */
  with: readonly string[];
}

/** The options of a run that its cases depend on. */
interface ReplayOptions {
  readonly admin?: Credentials;
  readonly configure?: boolean;
  readonly target?: string;
  readonly dialect?: string;
  readonly serviceVersion?: string;
  readonly claim?: readonly string[];
  readonly deny?: readonly string[];
}

/** As words of the command; but for credentials. */
export function optionsOf(given: ReplayOptions): string[] {
  const { configure, target, dialect, serviceVersion, claim = [], deny = [] } = given;
  return [
    ...(configure ? ['--configure'] : []),
    ...(target === undefined ? [] : ['--target', target]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
    ...(serviceVersion === undefined ? [] : ['--service-version', serviceVersion]),
    ...claim.flatMap((name) => ['--claim', name]),
    ...deny.flatMap((name) => ['--deny', name]),
  ];
}

/** What two runs must have in common: the options, without where a file lies or what a password is. */
export function replayOptionsOf(given: ReplayOptions): string[] {
  const { admin, configure, target, claim = [], deny = [] } = given;
  return [
    ...(admin ? ['--admin'] : []),
    ...(configure ? ['--configure'] : []),
    ...(target === undefined ? [] : ['--target FILE']),
    ...claim.map((name) => `--claim ${name}`),
    ...deny.map((name) => `--deny ${name}`),
  ];
}

/** JSON in base64url: it can be pasted into any shell. */
export function replayToken(replay: Replay): string {
  return Buffer.from(JSON.stringify(replay), 'utf8').toString('base64url');
}

/**
 * @throws Refusal when the text is no token, its check is not one of `checks`, or the options differ from those of
 * the run that it is from.
 */
export function readReplayToken(token: string, checks: readonly Check[], given: ReplayOptions): Replay {
  let replay: Partial<Replay> | null;
  try {
    replay = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<Replay> | null;
  } catch (error) {
    throw new Refusal('usage', 'the replay token is damaged', { cause: error });
  }
  const { check, seed, path, with: then } = replay ?? {};
  if (
    typeof check !== 'string' ||
    !Number.isInteger(seed) ||
    !(path === undefined || (typeof path === 'string' && /^\d+(:\d+)*$/.test(path))) ||
    !(Array.isArray(then) && then.every((option) => typeof option === 'string'))
  ) {
    throw new Refusal('usage', 'the replay token is damaged');
  }
  if (!checks.some(({ id }) => id === check)) {
    throw new Refusal('usage', `the replay token is for "${check}", which is no check of this version`);
  }
  const now = replayOptionsOf(given);
  const differences = [
    ...then.filter((option) => !now.includes(option)).map((option) => `with ${option}`),
    ...now.filter((option) => !then.includes(option)).map((option) => `without ${option}`),
  ];
  if (differences.length > 0) {
    throw new Refusal(
      'usage',
      `the replay token is of a run ${differences.join(' and ')}: give the same options`,
    );
  }
  return { check, seed: seed!, ...(path === undefined ? {} : { path }), with: then };
}
