/** What a target lacks of the feed: because it declares an older version of the service (SERVICE 9), or as probes show. */
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { feedAdditions } from '../../../openapi/generated/feed-parameters.js';
import type { Rule, RuleId } from '../../../openapi/generated/rules.js';
import type { RecordedExchange } from '../../../reports/report.js';
import { LackingFeature, LaterFeature } from '../../engine/outcomes.js';
import { splitPath } from '../../http/description.js';
import { asObject } from '../../http/parse-json.js';
import type { TargetRequest } from '../../http/client.js';
import type { SentRequest } from '../../http/exchange.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';

/** The parameters of a request to the feed. A parameter that is undefined is not sent. */
export interface RequestParameters {
  readonly method?: string;
  readonly query?: object;
  readonly headers?: object;
  /** The mode of a feed that is followed, which stands in no query yet. */
  readonly mode?: string;
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

/** Whose servers declare the version of the service: CouchDB, some distributors of its early versions, and our server. */
const vendors = ['The Apache Software Foundation', 'Debian', 'Ubuntu', 'Homebrew', 'docfeed'];

/** In characters. Reports show versions and names in one line. */
const maxNameLength = 100;

interface DeclaredVersion {
  /** Missing if it is not the version of the service: then the newest one is assumed. */
  readonly version?: string;
  /** One sentence about a version that is that of a product. */
  readonly warning?: string;
}

/** The version that a greeting declares. Another product than CouchDB counts versions of its own. */
export function declaredVersion(greeting: Readonly<Record<string, unknown>>): DeclaredVersion {
  const { version, vendor } = greeting;
  if (typeof version !== 'string') return {};
  const declared = version.slice(0, maxNameLength);
  const { name } = asObject(vendor);
  const number = coerce(declared);
  const isOfService =
    typeof name === 'string'
      ? vendors.includes(name)
      : number !== null && releases.includes(`${number.major}.${number.minor}`);
  if (isOfService) return { version: declared };
  const product =
    typeof name === 'string' ? `the product of ${JSON.stringify(name.slice(0, maxNameLength))}` : 'a product';
  const warning = `The version ${declared} is that of ${product}, not of the service: the rules of all versions apply. \`--service-version ${releases.at(-1)}\` says so without this warning, an earlier one leaves out what came later.`;
  return { warning };
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

/** A parameter of the changes feed, or one of its values; or a method with which it is read. */
export interface FeedPart {
  readonly in: 'query' | 'header' | 'method';
  readonly name: string;
  readonly value?: string;
  /** Parameters beside which the target does not have it, if it has it without one of them. */
  readonly beside?: readonly Parameter[];
}

/** A parameter of the query with any value, or with one. */
export interface Parameter {
  readonly name: string;
  readonly value?: string;
}

/** What the target refuses or ignores of the feed. */
export interface FeedLack extends FeedPart {
  /** The finding that says so. */
  readonly finding: string;
  /** The smallest exchange that shows it. */
  readonly shownBy: RecordedExchange | undefined;
  /** The rules that are broken thereby. Their checks send what is lacking, to show it. */
  readonly breaks: readonly RuleId[];
}

const nameOf = ({ name, value }: FeedPart): string => (value === undefined ? name : `${name}=${value}`);

/** What no request may have, and what becomes of one that has it. */
interface Omission extends FeedPart {
  readonly error: () => LaterFeature | LackingFeature;
  readonly breaks?: readonly RuleId[];
}

/** The parameters without which a request means something else. One that has them is not sent. */
export const meaningful: readonly string[] = ['feed', 'filter', 'doc_ids', 'view', 'since', 'last-event-id'];

/** The key of the parameters in a generated query that it is about: they are not left out because the target lacks them. */
export const essential = Symbol('essential');

/** The changes feed that a target has. As an observer, it lets no request have what the target lacks. */
export class TargetFeed implements TrafficObserver {
  readonly #omitted: readonly Omission[];

  private constructor(omitted: readonly Omission[]) {
    this.#omitted = omitted;
  }

  /**
   * @param version that of the service
   * @param notYet what a target that somebody builds need not have yet, whatever its version is
   */
  static of(
    version: string | undefined,
    { notYet = [], lacks = [] }: { notYet?: readonly FeedPart[]; lacks?: readonly FeedLack[] } = {},
  ): TargetFeed {
    const later = (part: FeedPart, problem: string): Omission => ({
      ...part,
      error: () => new LaterFeature(problem),
    });
    return new TargetFeed([
      ...feedAdditions.flatMap((part) => {
        const problem = versionProblem(nameOf(part), part.since, version);
        return problem === undefined ? [] : [later(part, problem)];
      }),
      ...notYet.map((part) => later(part, `${nameOf(part)} is for a later rung.`)),
      ...lacks.map(({ finding, shownBy, ...part }) => ({
        ...part,
        error: () =>
          new LackingFeature(`${finding.charAt(0).toUpperCase()}${finding.slice(1)}.`, {
            obstacle: finding,
            ...(shownBy && { shownBy }),
          }),
      })),
    ]);
  }

  /** The feed for checks of a rule, which send what the rule is about although the target lacks it. */
  for({ id }: Pick<Rule, 'id'>): TargetFeed {
    return new TargetFeed(this.#omitted.filter(({ breaks = [] }) => !breaks.includes(id)));
  }

  /** The feed for checks that send whatever the version of the target has. */
  get ofVersion(): TargetFeed {
    return new TargetFeed(this.#omitted.filter(({ breaks }) => breaks === undefined));
  }

  /**
   * A request that the target must refuse, or that no check reads, may have what it lacks.
   *
   * @throws LaterFeature or LackingFeature for a request with something that the target does not have.
   */
  beforeSend({ method, path, headers }: SentRequest, { deliberatelyWrong, background }: TargetRequest): void {
    const { pathname, query } = splitPath(path);
    if (!pathname.endsWith('/_changes')) return;
    const missing = this.missing({ method, query: Object.fromEntries(query), headers });
    const mayHave = deliberatelyWrong || background;
    if (missing && !(mayHave && missing instanceof LackingFeature)) throw missing;
  }

  /** Whether the target has all parameters, and those of their values that it may lack alone. */
  supports(parameters: RequestParameters): boolean {
    return this.missing(parameters) === undefined;
  }

  /**
   * Those of the items that the target has.
   *
   * @param requestOf the parameters that an item needs
   * @throws LaterFeature or LackingFeature if there are items, and the target has none of them.
   */
  supported<T>(items: readonly T[], requestOf: (item: T) => RequestParameters): readonly T[] {
    const missing = items.map((item) => this.missing(requestOf(item)));
    const [first] = missing;
    if (first && !missing.includes(undefined)) throw first;
    return items.filter((_, index) => missing[index] === undefined);
  }

  /** @returns what to throw for something among the parameters that the target does not have, if there is any. */
  missing({
    method,
    query = {},
    headers = {},
    mode,
  }: RequestParameters): LaterFeature | LackingFeature | undefined {
    const sent: object = mode === undefined ? query : { ...query, feed: mode };
    return this.#omitted
      .find(
        ({ in: place, name, value, beside = [] }) =>
          (place === 'method' ? method === name : has(place === 'query' ? sent : headers, { name, value })) &&
          beside.every((other) => has(sent, other)),
      )
      ?.error();
  }

  /**
   * Leaves what the target does not have out of all requests in a generated value, which has them as objects with
   * `query`, unless they would mean something else without it. What is sent by POST is read by GET.
   */
  omitMissing<T>(generated: T): T {
    return this.#omitted.length === 0 ? generated : (this.#omitIn(generated) as T);
  }

  #omitIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element: unknown) => this.#omitIn(element));
    if (!isPlainObject(value)) return value;
    const copy: Readonly<Record<string, unknown>> = Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        name === 'query' && isPlainObject(member) ? this.#shortened(member) : this.#omitIn(member),
      ]),
    );
    const { method, json: _, ...others } = copy;
    const isLacking = 'query' in copy && typeof method === 'string' && !this.supports({ method });
    return isLacking ? { ...others, method: 'GET' } : copy;
  }

  #shortened(query: object): object {
    const { [essential]: kept = [] } = query as { readonly [essential]?: readonly string[] };
    // A check may add the mode or the filter later.
    const mayHave = (other: Parameter): boolean =>
      has(query, other) || (meaningful.includes(other.name) && !has(query, { name: other.name }));
    return Object.fromEntries(
      Object.entries(query).filter(([name, value]: [string, unknown]) => {
        if (meaningful.includes(name)) return true;
        const omission = this.#omitted.find(
          (one) => one.in === 'query' && has({ [name]: value }, one) && (one.beside ?? []).every(mayHave),
        );
        // What came later is no fault of the target, so a check without it is still about the version that there is.
        return !omission || (omission.error() instanceof LackingFeature && kept.includes(name));
      }),
    );
  }
}

/** Whether a parameter or header is sent, with this value if there is one. */
function has(sent: object, { name, value }: Parameter): boolean {
  const found = Object.entries(sent).find(
    ([key, one]: [string, unknown]) => key.toLowerCase() === name.toLowerCase() && one !== undefined,
  );
  return found !== undefined && (value === undefined || String(found[1]) === value);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}
