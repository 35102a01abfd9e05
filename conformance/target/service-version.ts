/** What a target lacks because it declares an older version of the service (SERVICE 9). */
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { type FeedAddition, feedAdditions } from '../../openapi/generated/feed-additions.js';
import { LaterFeature } from '../engine/outcomes.js';
import { splitPath } from '../http/description.js';
import type { SentRequest } from '../http/exchange.js';
import type { TrafficObserver } from '../http/traffic-observer.js';

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

/** @returns one sentence if something came after the version that the target declares. */
export function versionProblem(
  what: string,
  since: string | undefined,
  version: string | undefined,
): string | undefined {
  if (since === undefined || !isOlder(version, since)) return undefined;
  return `${what} applies from version ${since}; the target declares ${version}.`;
}

/** The changes feed of one version of the service. As an observer, it lets no request have what came later. */
export class FeedVersion implements TrafficObserver {
  readonly #version: string | undefined;
  readonly #later: readonly FeedAddition[];

  constructor(version: string | undefined) {
    this.#version = version;
    this.#later = feedAdditions.filter(({ since }) => isOlder(version, since));
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
    const addition = this.#later.find(({ in: place, name, value }) => {
      const found = Object.entries(place === 'query' ? query : headers).find(
        ([key, sent]) => key.toLowerCase() === name.toLowerCase() && sent !== undefined,
      );
      return found !== undefined && (value === undefined || found[1] === value);
    });
    if (!addition) return undefined;
    const { name, value, since } = addition;
    return versionProblem(value === undefined ? name : `${name}=${value}`, since, this.#version);
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
