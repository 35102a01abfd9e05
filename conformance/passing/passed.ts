/** A response that has passed, as the judges see it. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { Exchange } from '../http/client.js';
import type { Description } from '../http/description.js';
import { FinishedExchange } from '../http/exchange.js';
import { defaultPeriodMs } from '../http/feed-times.js';
import { asObject, parseFeed, parseJson, readableBody } from '../http/parse-json.js';
import type { Operation } from '../http/operations.js';
import { createRedactor } from '../http/redact.js';
import { feedModes, type FeedMode } from '../oracle/allowed-rows.js';
import type { Knowledge, KnownDatabase } from './knowledge.js';
import { sinceText } from './known-order.js';
import type { PassingExchange } from './passing-exchange.js';

/** The evidence is recorded elsewhere: see `record.ts`. */
const redact = createRedactor([]);

/** The credentials of a request, and their value if it has those of one kind only. */
export interface PassedCredentials {
  readonly kind: 'none' | 'other' | 'basic' | 'cookie' | 'jwt' | 'proxy';
  readonly value: string;
}

export interface Context {
  readonly description: Description;
  readonly names: DialectNames;
  /** The claims that the target requires, as far as the user says. */
  readonly requiredClaims: readonly string[];
  readonly known: Knowledge;
}

/** In characters. A server may refuse longer ones. */
const longPath = 2000;
const plainParameters: ReadonlySet<string> = new Set([
  'filter',
  'doc_ids',
  'feed',
  'since',
  'timeout',
  'limit',
  'style',
  'include_docs',
]);

export class Passed {
  readonly passing: PassingExchange;
  readonly context: Context;
  readonly operation: Operation | undefined;
  readonly credentials: PassedCredentials;
  /** The user to whom the target has given the cookie of the request. */
  readonly cookieUser: string | undefined;
  #exchange: Exchange | undefined;
  #body: Readonly<Record<string, unknown>> | undefined;
  #sent: { readonly json: unknown } | undefined;
  #query: URLSearchParams | undefined;
  #isValid: boolean | undefined;

  constructor(passing: PassingExchange, context: Context) {
    const { description, names, known } = context;
    this.passing = passing;
    this.context = context;
    this.operation = description.operation(passing.method, passing.pathname);
    this.credentials = credentialsOf(passing, names);
    this.cookieUser = known.cookies.get(this.credentials.value);
  }

  /** Whether CouchDB leaves members out of documents: the request names those that it wants, next to a selector. */
  get namesMembers(): boolean {
    return 'fields' in asObject(this.sent);
  }

  /** What is known of the database, if the path has one. */
  get database(): KnownDatabase | undefined {
    const [, name = ''] = this.passing.pathname.split('/');
    return name === '' || name.startsWith('_') ? undefined : this.context.known.database(name);
  }

  /**
   * The parameters that the description has, by its names, which servers may read in any case. Others do not change what
   * the service document says of the response.
   */
  get query(): URLSearchParams {
    const { operation, passing, context } = this;
    const names = operation ? context.description.parameterNames(operation) : [];
    return (this.#query ??= new URLSearchParams(
      [...passing.query].flatMap(([sent, value]): [string, string][] => {
        const name = names.find((name) => name.toLowerCase() === sent.toLowerCase());
        return name === undefined ? [] : [[name, value]];
      }),
    ));
  }

  /** Whether all servers read the same value. They differ in which of two they use, and in whether the case counts. */
  isClear(name: string): boolean {
    const values = new Set(this.query.getAll(name));
    return values.size === 0 || (values.size === 1 && this.passing.query.has(name));
  }

  /** Whether the description allows the request. Otherwise its response may be anything. */
  get isValid(): boolean {
    // These decide how the response is read.
    const isReadable = this.isClear('feed') && this.isClear('seq_interval');
    return (this.#isValid ??= isReadable && this.#isAllowed(this.sentText));
  }

  /**
   * Whether an error of a feed can only be about the body or the filter: of two problems, either may be the answer, and a
   * server may refuse a parameter that it does not know.
   */
  get isPlain(): boolean {
    return this.isPlainBut();
  }

  /** The same for an error that can also be about one of these parameters. */
  isPlainBut(...names: readonly string[]): boolean {
    const { path, query, requestHeaders, requestBody } = this.passing;
    const { kind } = this.credentials;
    const type = requestHeaders.get('content-type')?.join() ?? 'application/json';
    return (
      (kind === 'none' || kind === 'basic') &&
      path.length < longPath &&
      [...query.keys()].every(
        (name) => (plainParameters.has(name) || names.includes(name)) && this.isClear(name),
      ) &&
      ['0', 'now'].includes(query.get('since') ?? '0') &&
      !requestHeaders.has('last-event-id') &&
      /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) &&
      !requestBody.isEncoded &&
      this.#isAllowed(undefined)
    );
  }

  /** Whether all of the response can be judged: it has passed as a whole and is not too long. */
  get isWhole(): boolean {
    const { isComplete, body } = this.passing;
    return isComplete && body.isWhole && body.decoded() !== undefined && isReadable(this.exchange.text);
  }

  /** The response. Only what has passed of its body. */
  get exchange(): Exchange {
    return (this.#exchange ??= exchangeOf(this.passing));
  }

  /** The body of the request as JSON; nothing if it is none. */
  get sent(): unknown {
    const { sentText } = this;
    return (this.#sent ??= { json: sentText === undefined ? undefined : parseJson(sentText) }).json;
  }

  /** The response as an object; an empty one if it is none. */
  get body(): Readonly<Record<string, unknown>> {
    return (this.#body ??= asObject(parseJson(this.exchange.text)));
  }

  get isFeed(): boolean {
    return this.operation?.id === 'getChanges' || this.operation?.id === 'postChanges';
  }

  /** The body of the request, if it has one that is not too long. */
  get sentText(): string | undefined {
    const { requestBody } = this.passing;
    return requestBody.decoded()?.length ? requestBody.text : undefined;
  }

  #isAllowed(body: string | undefined): boolean {
    const { method, pathname } = this.passing;
    const path = `${pathname}?${this.query.toString()}`;
    const request = { method, path, ...(body !== undefined && { body }) };
    return this.context.description.requestProblem(request) === undefined;
  }
}

/** Whether JSON has no more values than are read. */
export const isReadable = (text: string): boolean => readableBody(text) === 'JSON';

function exchangeOf(passing: PassingExchange): Exchange {
  const { method, path, status, rawHeaders, isComplete, startedAt } = passing;
  const chunks = passing.body.decoded() ?? [];
  return new FinishedExchange(
    { path },
    { method, prefix: '', path, headers: {} },
    { sentAt: startedAt, durationMs: (passing.endedAt ?? startedAt) - startedAt },
    {
      status,
      rawHeaders,
      headersAtMs: (passing.headersAt ?? startedAt) - startedAt,
      chunks,
      complete: isComplete,
    },
    redact,
    () => {},
  );
}

function credentialsOf({ requestHeaders }: PassingExchange, names: DialectNames): PassedCredentials {
  const [authorization, cookies, user] = ['authorization', 'cookie', names.proxyUserName.toLowerCase()].map(
    (name) => requestHeaders.get(name)?.join('; '),
  );
  const [, scheme = '', value = ''] = /^(\S+) *(.*)$/.exec(authorization ?? '') ?? [];
  const cookie = /(?:^|;\s*)AuthSession=([^;]*)/.exec(cookies ?? '')?.[1];
  const kind = /^basic$/i.test(scheme) ? 'basic' : scheme === 'Bearer' ? 'jwt' : 'other';
  // A recording does not have them.
  const isThere = !value.startsWith('[redacted');
  const found: PassedCredentials[] = [
    ...(authorization === undefined ? [] : [{ kind: isThere ? kind : 'other', value } as const]),
    ...(cookie ? [{ kind: 'cookie', value: cookie } as const] : []),
    ...(user ? [{ kind: 'proxy', value: user } as const] : []),
  ];
  return found.length > 1 ? { kind: 'other', value: '' } : (found[0] ?? { kind: 'none', value: '' });
}

/** What a request asks of the feed. */
export interface FeedParameters {
  readonly mode: FeedMode;
  readonly isStream: boolean;
  /** Nothing if that is not clear. */
  readonly has: (
    name: 'include_docs' | 'conflicts' | 'attachments' | 'att_encoding_info' | 'descending',
  ) => boolean | undefined;
  /** Nothing if that is not clear. */
  readonly style: 'main_only' | 'all_docs' | undefined;
  readonly filter: string | undefined;
  /** Where it starts, as the text of a seq. `now` stands for other positions that are not known as well. */
  readonly since: string | undefined;
  /** Whether it starts with the changes after the request. */
  readonly isFromNow: boolean;
  readonly limit: number | undefined;
  readonly seqInterval: number | undefined;
  /** In milliseconds. */
  readonly heartbeat: number | undefined;
  readonly timeout: number | undefined;
  /** The ids that the filter `_doc_ids` lists, in all lists that the request has. */
  readonly docIds: ReadonlySet<string> | undefined;
  readonly selector: unknown;
}

/** Stands for a filter that is not clear. None has this name, so that nothing is expected of it. */
const unclearFilter = '?';

export function feedParameters(passed: Passed): FeedParameters {
  const { passing, sent, query } = passed;
  const isClear = (name: string): boolean =>
    passed.isClear(name) && !(name === 'include_docs' && passed.namesMembers);
  const text = (name: string): string | undefined =>
    isClear(name) ? (query.get(name) ?? undefined) : undefined;
  const positive = (name: string): number | undefined => {
    const value = Number(text(name) ?? NaN);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const { doc_ids: sentIds, selector } = asObject(sent);
  const lists = [...query.getAll('doc_ids').map((text) => parseJson(text)), sentIds].filter(Array.isArray);
  const mode = feedModes.find((mode) => mode === text('feed')) ?? 'normal';
  const eventIds = [query.getAll('last-event-id'), passing.requestHeaders.get('last-event-id') ?? []].flat();
  const style = text('style') === 'all_docs' ? 'all_docs' : 'main_only';
  const since = isClear('since') ? text('since') : 'now';
  const start = eventIds.length === 0 ? since : positionOf(mode, eventIds);
  return {
    mode,
    isStream: mode === 'continuous' || mode === 'eventsource',
    has: (name) => (isClear(name) ? text(name) === 'true' : undefined),
    style: isClear('style') ? style : undefined,
    filter: isClear('filter') ? text('filter') : unclearFilter,
    since: isClear('last-event-id') ? start : 'now',
    isFromNow: eventIds.length === 0 && isClear('since') && text('since') === 'now',
    limit: positive('limit'),
    seqInterval: positive('seq_interval'),
    heartbeat: text('heartbeat') === 'true' ? defaultPeriodMs : positive('heartbeat'),
    // A heartbeat overrides it.
    timeout: isClear('heartbeat') ? positive('timeout') : undefined,
    docIds: lists.length > 0 ? new Set(lists.flat() as string[]) : undefined,
    selector,
  };
}

/** The id of an event is a seq, or a seq as JSON. Servers differ in the modes in which they read it. */
function positionOf(mode: FeedMode, [id, ...others]: readonly string[]): string {
  if (mode !== 'eventsource' || id === undefined || others.length > 0) return 'now';
  const seq = parseFeed(id);
  return seq === undefined ? id : sinceText(seq);
}

/** The value of the session cookie that a response sets, if it is not empty. */
export function sessionCookie({ passing }: Passed): string | undefined {
  const lines = passing.headers.get('set-cookie') ?? [];
  return lines.flatMap((line) => /^AuthSession=([^;]*)/.exec(line)?.[1]?.trim() || []).at(-1);
}
