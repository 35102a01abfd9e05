/** What a target lacks because it declares an older version of the service (SERVICE 9). */
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { type FeedAddition, feedAdditions } from '../../../openapi/generated/feed-parameters.js';
import { LaterFeature } from '../../engine/outcomes.js';
import { splitPath } from '../../http/description.js';
import type { SentRequest } from '../../http/exchange.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';

/** The parameters of a request to the feed. A parameter that is undefined is not sent. */
export interface RequestParameters {
  readonly query?: object;
  readonly headers?: object;
}

/** Whether the target declares an older version. */
export function isOlder(version: string | undefined, since: string): boolean {
  const declared = coerce(version);
  return declared !== null && lt(declared, coerce(since)!);
}

/** The releases of CouchDB, without patches. SERVICE 9 counts versions as CouchDB does. */
const releases =
  '0.8 0.9 0.10 0.11 1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7 2.0 2.1 2.2 2.3 3.0 3.1 3.2 3.3 3.4 3.5'.split(' ');

/** How to judge a target as a later version than the one that it declares. */
export const judgedAsLater = `\`--service-version ${releases.at(-1)}\` judges it as a later one`;

/** @returns one sentence if no release has the version that a target declares */
export function versionWarnings(version: string | undefined): string[] {
  const declared = coerce(version);
  if (!declared || releases.includes(`${declared.major}.${declared.minor}`)) return [];
  return [
    `The target declares version ${version}, which no release of CouchDB has. If it counts its own versions, say which version of the service it is: ${judgedAsLater}.`,
  ];
}

/** @returns one sentence if something came after the version that the target declares. */
export function versionProblem(
  what: string,
  since: string | undefined,
  version: string | undefined,
): string | undefined {
  if (since === undefined || !isOlder(version, since)) return undefined;
  return `${what} applies from version ${since}; the target declares ${version}.`;
}

/** A parameter of the changes feed, or one of its values. */
export type FeedPart = Omit<FeedAddition, 'since'>;

const nameOf = ({ name, value }: FeedPart): string => (value === undefined ? name : `${name}=${value}`);

/** The changes feed of one version of the service. As an observer, it lets no request have what came later. */
export class FeedVersion implements TrafficObserver {
  readonly #later: readonly (FeedPart & { readonly problem: string })[];

  /** @param notYet what a target that somebody builds need not have yet, whatever its version is */
  constructor(version: string | undefined, notYet: readonly FeedPart[] = []) {
    this.#later = [
      ...feedAdditions.flatMap((part) => {
        const problem = versionProblem(nameOf(part), part.since, version);
        return problem === undefined ? [] : [{ ...part, problem }];
      }),
      ...notYet.map((part) => ({ ...part, problem: `${nameOf(part)} is for a later rung.` })),
    ];
  }

  /** @throws LaterFeature for a request with something that came later. */
  beforeSend({ path, headers }: SentRequest): void {
    const { pathname, query } = splitPath(path);
    if (!pathname.endsWith('/_changes')) return;
    const problem = this.problem({ query: Object.fromEntries(query), headers });
    if (problem !== undefined) throw new LaterFeature(problem);
  }

  /** Whether the version has all parameters, and those of their values that came later than the parameter. */
  supports(parameters: RequestParameters): boolean {
    return this.problem(parameters) === undefined;
  }

  /** @returns one sentence about something among the parameters that came later, if there is any. */
  problem({ query = {}, headers = {} }: RequestParameters): string | undefined {
    return this.#later.find(({ in: place, name, value }) => {
      const found = Object.entries(place === 'query' ? query : headers).find(
        ([key, sent]) => key.toLowerCase() === name.toLowerCase() && sent !== undefined,
      );
      return found !== undefined && (value === undefined || found[1] === value);
    })?.problem;
  }

  /**
   * Omits parameters that came later from all requests in a generated value, which has them as objects with `query`.
   * The value can still use other things that came later.
   */
  omitLaterParameters<T>(generated: T): T {
    const names = new Set(this.#later.filter(({ value }) => value === undefined).map(({ name }) => name));
    const omitIn = (value: unknown, parent?: string): unknown => {
      if (Array.isArray(value)) return value.map((element) => omitIn(element));
      if (!isPlainObject(value)) return value;
      const members = Object.entries(value).filter(([name]) => parent !== 'query' || !names.has(name));
      return Object.fromEntries(members.map(([name, member]) => [name, omitIn(member, name)]));
    };
    return names.size === 0 ? generated : (omitIn(generated) as T);
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}
