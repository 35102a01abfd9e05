/**
 * How a passer-by judges each rule of the catalogue, or why it cannot. It knows neither the settings of the target nor
 * what others write, and a request may be anything. So each judgement needs a sign that the rule applies.
 */
import type { RuleId } from '../../openapi/generated/rules.js';
import { greetingShape, vendorShape } from '../rules/shared/greeting-shape.js';
import { aBase64 } from '../rules/shared/base64.js';
import { aboutTheSelector, mustBeBadRequest } from '../rules/shared/bad-request.js';
import {
  responseShape,
  mustBeMarked,
  mustHaveOneRowEach,
  mustHaveSeqInEach,
  rowShape,
} from '../rules/shared/row-assertions.js';
import { aNameOrNull, authenticatedBy, sessionWith } from '../rules/shared/session-shape.js';
import {
  mustBeEvent,
  mustBeEventStream,
  mustBeLine,
  mustEndWithCrLf,
  mustHaveEventId,
} from '../rules/shared/stream-parts.js';
import { asObject, parseJson } from '../http/parse-json.js';
import { judgeBody } from '../http/schema-check.js';
import type { FeedMode } from '../oracle/allowed-rows.js';
import { matches } from '../oracle/selector.js';
import type { Arrival, EndArrival, RowArrival } from '../play/feed-readers.js';
import type { Row } from '../play/read-feed.js';
import {
  absent,
  anInteger,
  anObject,
  arrayOf,
  aString,
  equalTo,
  must,
  mustMatch,
  mustRespond,
  objectWith,
} from '../engine/matchers.js';
import { Violation } from '../engine/outcomes.js';
import type { Deliveries } from './known-writes.js';
import { type FeedParameters, isReadable, type Passed } from './passed.js';

/** Throws a Violation if the target breaks the rule. @returns false if the rule does not apply */
export type Judge<Subject> = (subject: Subject) => boolean | void;

/** A feed as far as it has passed. */
export interface JudgedFeed {
  readonly passed: Passed;
  readonly parameters: FeedParameters;
  /** Whether the database has only one copy. */
  readonly hasOneCopy: boolean;
  /** Whether it can be read while it arrives. */
  readonly isLive: boolean;
  /** The writes that it must deliver, as far as they are known. */
  readonly due: Deliveries | undefined;
  /** The rows until now. Of a stream that is read while it arrives, so many of the last ones as `seq_interval` says. */
  readonly rows: Row[];
  /** Their number, in any mode. */
  count: number;
  lastRowAt: number;
  /** The number of heartbeats since the last row. */
  heartbeats: number;
  /** The object with `last_seq`, if it has passed before. */
  end: unknown;
  /** In normal and longpoll mode, whether the response is an object with results. */
  hasResults: boolean;
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A judge of successful responses of one operation. */
const on =
  (operation: string, judge: Judge<Passed>): Judge<Passed> =>
  (passed) =>
    passed.operation?.id === operation && passed.passing.status === 200 && judge(passed);

interface Session {
  /** The name of the user. */
  readonly name: string;
  readonly session: Readonly<Record<string, unknown>>;
  readonly roles: unknown;
  /** The credentials: see `Passed.credentials`. */
  readonly value: string;
  readonly passed: Passed;
}

/** A judge of the sessions of users whose requests have credentials of these kinds only. */
const forUsers = (kinds: readonly Passed['credentials']['kind'][], judge: Judge<Session>): Judge<Passed> =>
  on('getSession', (passed) => {
    const session = passed.body;
    const { name, roles } = asObject(session['userCtx']);
    const { kind, value } = passed.credentials;
    if (typeof name !== 'string' || name === '' || !kinds.includes(kind)) return false;
    return judge({ name, session, roles, value, passed });
  });

/** A judge of credentials of one kind that must not authenticate anyone. */
const forbidden =
  (
    kind: Passed['credentials']['kind'],
    isForbidden: (value: string, passed: Passed) => boolean,
    what: string,
  ): Judge<Passed> =>
  (passed) => {
    const { operation, credentials } = passed;
    if (operation?.id !== 'getSession' || credentials.kind !== kind) return false;
    if (!isForbidden(credentials.value, passed)) return false;
    const { name = null } = asObject(passed.body['userCtx']);
    mustMatch(`The target accepts ${what}`, name, equalTo(null), '$.userCtx.name');
  };

/** The same for tokens, by their header and claims. */
const forbiddenToken = (
  isForbidden: (
    token: Record<'header' | 'claims', Readonly<Record<string, unknown>>>,
    passed: Passed,
  ) => boolean,
  what: string,
): Judge<Passed> =>
  forbidden(
    'jwt',
    (value, passed) => {
      const [header, claims] = [partOf(value, 0), partOf(value, 1)];
      return header !== undefined && claims !== undefined && isForbidden({ header, claims }, passed);
    },
    what,
  );

/** A part of a token; nothing if it is not a JSON object. */
function partOf(token: string, index: 0 | 1): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
  return isPlainObject(value) ? value : undefined;
}

/** In seconds. Clocks differ. */
const clockTolerance = 300;

/** Whether a claim that the target requires has ended, or has not begun, at the time of the response. */
function isOutOfTime(
  { exp, nbf }: Readonly<Record<string, unknown>>,
  { passing, context: { requiredClaims } }: Passed,
): boolean {
  const now = Date.parse(passing.headers.get('date')?.[0] ?? '') / 1000;
  const isPast = (value: unknown): boolean => typeof value === 'number' && value < now - clockTolerance;
  const isFuture = (value: unknown): boolean => typeof value === 'number' && value > now + clockTolerance;
  return (requiredClaims.includes('exp') && isPast(exp)) || (requiredClaims.includes('nbf') && isFuture(nbf));
}

const mustBeNamed = (actual: string, expected: string, credentials: string): void =>
  mustMatch(
    `The session for ${credentials} is that of another user`,
    actual,
    equalTo(expected),
    '$.userCtx.name',
  );

const mustNameHandler = ({ session }: Session, handler: string, credentials: string): void =>
  mustMatch(
    `The session does not name the handler of ${credentials}`,
    asObject(session['info'])['authenticated'],
    equalTo(handler),
    '$.info.authenticated',
  );

const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/.test(text);

const decodeBasic = (value: string): string => Buffer.from(value, 'base64').toString();

/** The service document shows the login of users. Servers may show their administrators otherwise. */
const isUserAdmin = (roles: unknown): boolean => Array.isArray(roles) && roles.includes('_admin');

/** A judge of credentials for a handler that the target does not list among its handlers. */
const withoutHandler = (kind: 'proxy' | 'jwt', what: string): Judge<Passed> =>
  forbidden(
    kind,
    (_, passed) => {
      const listed = asObject(passed.body['info'])['authentication_handlers'];
      return Array.isArray(listed) && listed.length > 0 && !listed.includes(kind);
    },
    `${what} without the handler for it`,
  );

/** Whether a body is not JSON. A server may read a byte order mark or another coding, and a recording has gaps. */
const isMalformed = (text: string): boolean => {
  if (text.trim() === '' || /^\uFEFF|\0|\[redacted/.test(text) || !isReadable(text)) return false;
  return parseJson(text) === undefined;
};

const hasFilter = (passed: Passed, filter: string): boolean =>
  passed.isClear('filter') && passed.query.get('filter') === filter;

/** A judge of requests with the filter `_selector` and a body that has no valid one. */
const forSelectors =
  (
    isOf: (sent: Readonly<Record<string, unknown>>) => boolean,
    isOfText: (text: string) => boolean = () => false,
  ): Judge<Passed> =>
  (passed) => {
    const { operation, passing, exchange, sent, sentText } = passed;
    if (operation?.id !== 'postChanges' || !hasFilter(passed, '_selector')) return false;
    // Any other error may come first, such as that of a caller who may not read the database.
    if (passing.status !== 200 && (passing.status !== 400 || !passed.isPlain)) return false;
    // All of the body must have passed.
    if (sentText === undefined || passing.sentAt === undefined) return false;
    const isNoJson = isOfText(sentText);
    if (!isNoJson && !(isPlainObject(sent) && isOf(sent))) return false;
    const reason = mustBeBadRequest(exchange, 'the body');
    if (isNoJson) return;
    mustMatch('The target rejects the body for another reason', reason, aboutTheSelector, '$.reason');
  };

/** Judges of whole responses, after they have passed. */
export const responseJudges = {
  'root-greeting': ({ operation, exchange, credentials, passing, context }) => {
    if (operation?.id !== 'getRoot') return false;
    const isRefused = credentials.kind === 'none' && (passing.status === 401 || passing.status === 403);
    if (passing.status !== 200 && !isRefused) return false;
    mustRespond(exchange, 200, 'The target does not respond to GET / without credentials with 200');
    mustMatch('The greeting is malformed', exchange.object(), greetingShape(context.names));
  },
  'root-vendor': on('getRoot', ({ exchange }) => {
    const { vendor } = exchange.object();
    mustMatch('The vendor in the greeting is malformed', vendor, vendorShape, '$.vendor');
  }),
  // The service document says nothing of other operations, and a passer-by sees all that a server has.
  'error-shape': (passed) =>
    passed.passing.status >= 400 &&
    passed.operation?.documented === true &&
    judgeDescribed(passed, 'has a malformed error body'),
  'response-schema': (passed) =>
    passed.passing.status < 400 && passed.isValid && judgeDescribed(passed, 'does not match its schema'),
  'error-selector-missing': forSelectors((sent) => !('selector' in sent)),
  'error-selector-not-object': forSelectors(
    (sent) => 'selector' in sent && !isPlainObject(sent['selector']),
    isMalformed,
  ),
  'filter-doc-ids': (passed) => {
    const { isFeed, passing, exchange, sent } = passed;
    const isListed = passing.query.has('doc_ids') !== 'doc_ids' in asObject(sent);
    if (!isFeed || !hasFilter(passed, '_doc_ids') || !isListed) return false;
    if (passing.status !== 400 || !passed.isPlain || !passed.isValid) return false;
    mustRespond(exchange, 200, 'The target rejects a list of ids');
  },
  'session-shape': on('getSession', ({ exchange }) =>
    mustMatch('The session is malformed', exchange.object(), sessionWith(aNameOrNull)),
  ),
  'session-info-db': on('getSession', (passed) => {
    const session = passed.body;
    if (!asObject(session['userCtx'])['name']) return false;
    const expected = objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) });
    mustMatch('The session does not name the users database', session, expected);
  }),
  'session-authenticated-by': forUsers(['basic', 'cookie'], ({ session, passed }) => {
    const { kind } = passed.credentials;
    const other = kind === 'basic' ? 'cookie' : 'default';
    const expected = authenticatedBy(session, [other, 'proxy', 'jwt']);
    mustMatch(`The session does not name the handler of ${kind} authentication`, session, expected);
  }),
  'login-result': on('postSession', (passed) => {
    const { name } = asObject(passed.sent);
    const body = passed.body;
    if (typeof name !== 'string' || isUserAdmin(body['roles'])) return false;
    const wellFormed = objectWith({ ok: equalTo(true), name: equalTo(name), roles: arrayOf(aString) });
    mustMatch('The result of a login is malformed', body, wellFormed);
  }),
  'login-cookie': on('postSession', (passed) => {
    const { ok, roles } = passed.body;
    if (ok !== true || isUserAdmin(roles)) return false;
    must(sessionCookie(passed) !== undefined, 'The response to a login sets no cookie AuthSession', {
      path: '$headers["set-cookie"]',
      expected: 'a cookie named AuthSession that is not empty',
      actual: undefined,
    });
  }),
  'cookie-authenticates': forUsers(['cookie'], ({ name, passed: { cookieUser } }) => {
    if (cookieUser === undefined) return false;
    mustBeNamed(name, cookieUser, 'a session cookie');
  }),
  'basic-accepts': forUsers(['basic'], ({ value, name }) => {
    const [, user] = /^([^:]+):/.exec(decodeBasic(value)) ?? [];
    if (user === undefined || !isAscii(user)) return false;
    mustBeNamed(name, user, 'basic authentication');
  }),
  'basic-rejects': forbidden(
    'basic',
    (value) => !decodeBasic(value).includes(':'),
    'basic credentials without a colon',
  ),
  'basic-set-cookie': forUsers(['basic'], ({ roles, passed: { passing } }) => {
    if (isUserAdmin(roles)) return false;
    must(passing.headers.has('set-cookie'), 'The response to basic authentication sets no cookie', {
      path: '$headers["set-cookie"]',
      expected: 'a cookie',
      actual: undefined,
    });
  }),
  'proxy-userctx': forUsers(['proxy'], ({ value, name }) => {
    if (!isAscii(value)) return false;
    mustBeNamed(name, value, 'proxy headers');
  }),
  'proxy-authenticated': forUsers(['proxy'], (one) => mustNameHandler(one, 'proxy', 'proxy headers')),
  'proxy-handler-required': withoutHandler('proxy', 'the name of a user from a proxy'),
  'jwt-authenticated': forUsers(['jwt'], (one) => mustNameHandler(one, 'jwt', 'bearer tokens')),
  'jwt-handler-required': withoutHandler('jwt', 'a token'),
  'jwt-sub-name': forUsers(['jwt'], ({ value, name }) => {
    const sub = partOf(value, 1)?.['sub'];
    if (typeof sub !== 'string' || sub === '') return false;
    mustBeNamed(name, sub, 'a token');
  }),
  'jwt-sub-required': forbiddenToken(({ claims }) => !('sub' in claims), 'a token without sub'),
  'jwt-alg-required': forbiddenToken(({ header }) => !('alg' in header), 'a token without alg'),
  'jwt-alg-none': forbiddenToken(
    ({ header: { alg } }) => typeof alg === 'string' && /^none$/i.test(alg),
    'a token with the alg none',
  ),
  'jwt-required-missing': forbiddenToken(
    ({ claims }, { context }) => context.requiredClaims.some((name) => !(name in claims)),
    'a token without a required claim',
  ),
  'jwt-required-validated': forbiddenToken(
    ({ claims }, passed) => isOutOfTime(claims, passed),
    'a token that has expired or is not valid yet',
  ),
  'users-id-form': ({ passing, sent, context }) => {
    const [, encoded] = /^\/_users\/([^/]+)$/.exec(passing.pathname) ?? [];
    const { name, type, _deleted: deleted } = asObject(sent);
    if (encoded === undefined || passing.method !== 'PUT' || passing.status !== 201) return false;
    if (type !== 'user' || deleted || typeof name !== 'string') return false;
    const what = 'The target stores a user under an id of another form';
    // Unlike `decodeURIComponent`, this accepts everything that a server may have accepted.
    const id = new URLSearchParams(`id=${encoded.replaceAll('+', '%2B')}`).get('id');
    mustMatch(what, id, equalTo(context.names.userIdPrefix + name), 'the id');
  },
} satisfies Partial<Record<RuleId, Judge<Passed>>>;

/** The value of the session cookie that a response sets, if it is not empty. */
export function sessionCookie({ passing }: Passed): string | undefined {
  const lines = passing.headers.get('set-cookie') ?? [];
  return lines.flatMap((line) => /^AuthSession=([^;]*)/.exec(line)?.[1]?.trim() || []).at(-1);
}

/** How messages name the feed of any database. */
export const feedPath = '/{db}/_changes';

function judgeDescribed({ context, exchange, passing, query, isFeed }: Passed, what: string): boolean {
  if (passing.lacksDocuments && query.has('include_docs')) return false;
  const { differences = [] } = judgeBody(context.description, exchange) ?? {};
  const difference = differences.find((one) => one !== undefined);
  if (difference) {
    const path = isFeed ? feedPath : passing.pathname;
    throw new Violation(`The response to ${passing.method} ${path} ${what}`, difference);
  }
  return differences.length > 0;
}

export interface ArrivalSubject {
  readonly arrival: Arrival;
  readonly feed: JudgedFeed;
}

/** A judge of rows in any mode. */
const onRow =
  (judge: (row: Row, feed: JudgedFeed, arrival: RowArrival) => boolean | void): Judge<ArrivalSubject> =>
  ({ arrival, feed }) =>
    arrival.kind === 'row' && judge(arrival.row, feed, arrival);

/** A judge of the end of a response in normal or longpoll mode. */
const onEnd =
  (judge: (end: EndArrival, feed: JudgedFeed) => boolean | void): Judge<ArrivalSubject> =>
  ({ arrival, feed }) =>
    arrival.kind === 'end' && !feed.parameters.isStream && judge(arrival, feed);

/** A judge of everything that arrives in one mode that streams. */
const inMode =
  (mode: FeedMode, judge: Judge<ArrivalSubject>): Judge<ArrivalSubject> =>
  (subject) =>
    subject.feed.parameters.mode === mode && judge(subject);

/** With `seq_interval`, a row may lack its seq. */
function withSeq<One extends Arrival>(arrival: One, { parameters }: JudgedFeed): One {
  if (arrival.kind !== 'row' || parameters.seqInterval === undefined) return arrival;
  const { row } = arrival;
  return { ...arrival, row: { ...row, value: { ...row.value, seq: row.seq ?? 0 } } };
}

/** The doc of a row, if it is the winning revision that the row lists. It may be a later one. */
function ownDoc(
  { value, revs }: Row,
  { parameters }: JudgedFeed,
): Readonly<Record<string, unknown>> | undefined {
  const doc = asObject(value['doc']);
  return parameters.style === 'main_only' && doc['_rev'] === revs[0] ? doc : undefined;
}

/** Whether a document matches; nothing if the server has an operator, or reads one in a way, that the model has not. */
function matchIfKnown(
  selector: Readonly<Record<string, unknown>>,
  doc: Readonly<Record<string, unknown>>,
): boolean | undefined {
  try {
    return matches(selector, doc) !== false;
  } catch {
    return undefined;
  }
}

/** Judges of what arrives in a feed. */
export const feedJudges = {
  'feed-shape': ({ arrival, feed }) => {
    if (feed.parameters.isStream || (feed.hasResults && arrival.kind !== 'end')) return false;
    const value =
      arrival.kind === 'end'
        ? { results: [], last_seq: arrival.lastSeq, pending: arrival.pending }
        : arrival.kind === 'unrecognized' && parseJson(arrival.text);
    mustMatch('The response does not have the shape of a feed', value, responseShape);
  },
  'feed-row-shape': ({ arrival, feed }) => {
    if (feed.parameters.isStream || !feed.hasResults) return false;
    const what = 'A row of the feed is malformed';
    if (arrival.kind === 'unrecognized') mustMatch(what, parseJson(arrival.text), rowShape, '$.results[*]');
    if (arrival.kind !== 'row') return false;
    mustMatch(what, withSeq(arrival, feed).row.value, rowShape, arrival.row.path);
  },
  'feed-one-row': onEnd((_, { hasOneCopy, parameters, rows }) => {
    if (!hasOneCopy || parameters.mode !== 'normal') return false;
    mustHaveOneRowEach(rows);
  }),
  'feed-last-seq': onEnd(({ lastSeq }, { rows }) => {
    const last = rows.at(-1)?.seq;
    if (last === undefined || last === null) return false;
    mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last), '$.last_seq');
  }),
  'feed-pending': onEnd(({ pending }) =>
    mustMatch('pending is not a number of rows', pending, anInteger({ min: 0 }), '$.pending'),
  ),
  'feed-limit': onRow((_, { count, parameters: { limit } }) => {
    if (limit === undefined) return false;
    must(count <= limit, 'The feed has more rows than limit allows', {
      path: '$.results',
      expected: `at most ${limit} rows`,
      actual: `${count} rows`,
    });
  }),
  'feed-seq-interval': ({ arrival, feed }) => {
    const { rows, parameters } = feed;
    const { seqInterval, isStream } = parameters;
    if (seqInterval === undefined || arrival.kind !== (isStream ? 'row' : 'end')) return false;
    mustHaveSeqInEach(seqInterval, isStream ? rows.slice(-seqInterval) : rows);
  },
  'continuous-lines': inMode('continuous', ({ arrival, feed }) =>
    mustBeLine(withSeq(arrival, feed), feed.end),
  ),
  'continuous-crlf': inMode('continuous', ({ arrival }) => {
    if (arrival.kind === 'row') return mustEndWithCrLf(arrival.ending, arrival.row.path);
    // CRLF separates lines, so the last one needs none.
    if (arrival.kind !== 'end' || arrival.ending === '') return false;
    mustEndWithCrLf(arrival.ending, 'the object with last_seq');
  }),
  'eventsource-stream': inMode('eventsource', ({ arrival, feed }) => {
    mustBeEventStream(feed.passed.passing);
    mustBeEvent(withSeq(arrival, feed));
  }),
  'eventsource-last-event-id': inMode('eventsource', ({ arrival, feed }) => {
    // A seq that was not computed makes no id.
    if (arrival.kind !== 'row' || feed.parameters.seqInterval !== undefined) return false;
    mustHaveEventId(arrival);
  }),
  'feed-deleted': onRow((row, feed) => {
    const doc = ownDoc(row, feed);
    if (row.value.deleted === false || doc !== undefined) mustBeMarked(row, doc?.['_deleted'] === true);
  }),
  'feed-include-docs': onRow(({ value: { doc }, id, path }, { parameters }) => {
    const hasDocs = parameters.has('include_docs');
    if (hasDocs === undefined) return false;
    if (!hasDocs) {
      return mustMatch('A row has a doc without include_docs=true', doc, absent, `${path}.doc`);
    }
    // A document may be purged while the feed is read.
    if (doc === null) return false;
    const what = 'The doc of a row is not the winning revision as it was written';
    mustMatch(what, doc, anObject, `${path}.doc`);
    mustMatch(what, doc, objectWith({ _id: equalTo(id), _rev: aString }), `${path}.doc`);
  }),
  'feed-conflicts': onRow(({ value, path }, { parameters }) => {
    if (!parameters.has('include_docs')) return false;
    const hasConflicts = parameters.has('conflicts');
    if (hasConflicts === undefined) return false;
    const { _rev: winner, _conflicts: listed } = asObject(value['doc']);
    if (!hasConflicts) {
      mustMatch('A doc has _conflicts without conflicts=true', listed, absent, `${path}.doc._conflicts`);
    } else {
      must(!Array.isArray(listed) || !listed.includes(winner), 'A doc lists its own revision in _conflicts', {
        path: `${path}.doc._conflicts`,
        expected: 'other revisions',
        actual: listed,
      });
    }
  }),
  'feed-style-main': onRow(({ revs, path }, { parameters }) => {
    if (parameters.style !== 'main_only') return false;
    must(revs.length === 1, 'The row of a document does not list only its winning revision', {
      path: `${path}.changes`,
      expected: 'one revision',
      actual: revs,
    });
  }),
  'feed-style-all': onRow(({ revs, path }, { parameters }) => {
    if (parameters.style !== 'all_docs') return false;
    must(new Set(revs).size === revs.length, 'With style=all_docs, a row lists a revision twice', {
      path: `${path}.changes`,
      expected: 'each revision once',
      actual: revs,
    });
  }),
  'feed-attachments': onRow(({ value, path }, { parameters, passed }) => {
    if (!parameters.has('include_docs') || passed.passing.lacksDocuments) return false;
    const isInline = parameters.has('attachments');
    if (isInline === undefined) return false;
    const expected = isInline ? objectWith({ data: aBase64, stub: absent }) : objectWith({ data: absent });
    const attachments = Object.values(asObject(asObject(value['doc'])['_attachments'])).filter(isPlainObject);
    const what = isInline
      ? 'With attachments=true, an attachment has no content in Base64'
      : 'Without attachments=true, an attachment has its content';
    for (const one of attachments) mustMatch(what, one, expected, `${path}.doc._attachments`);
    return attachments.length > 0;
  }),
  'filter-doc-ids': onRow(({ id, path }, { parameters: { filter, docIds } }) => {
    if (filter !== '_doc_ids' || !docIds) return false;
    must(docIds.has(id), 'The feed has a row for a document that is not in doc_ids', {
      path: `${path}.id`,
      expected: 'one of doc_ids',
      actual: id,
    });
  }),
  'filter-design': onRow(({ id, path }, { parameters: { filter } }) => {
    if (filter !== '_design') return false;
    must(id.startsWith('_design/'), 'With filter=_design, the feed has a row for another document', {
      path: `${path}.id`,
      expected: 'an id that starts with "_design/"',
      actual: id,
    });
  }),
  'filter-selector': onRow((row, feed) => {
    const { filter, selector } = feed.parameters;
    const doc = ownDoc(row, feed);
    if (filter !== '_selector' || feed.passed.passing.lacksDocuments || !doc || !isPlainObject(selector))
      return false;
    const isMatch = matchIfKnown(selector, doc);
    if (isMatch === undefined) return false;
    must(isMatch, 'The feed has a row for a document that does not match', {
      path: `${row.path}.id`,
      expected: 'a document that matches the selector',
      actual: row.id,
    });
  }),
} satisfies Partial<Record<RuleId, Judge<ArrivalSubject>>>;

/** Rules under which what holds for a response in normal mode holds in the other modes. */
export const inEveryMode = [
  'feed-parameters-in-every-mode',
  'filter-in-every-mode',
  'continuous-limit',
  'eventsource-limit-timeout',
] as const satisfies readonly RuleId[];

/** Rules of normal mode that speak of longpoll mode as well. */
const inLongpoll = /^feed-(shape|row-shape|last-seq|pending)$/;

/** The rule that a judgement is about in this mode. */
export function ruleIn(mode: FeedMode, rule: RuleId): RuleId {
  if (mode === 'normal' || !/^(feed|filter)-/.test(rule)) return rule;
  if (mode === 'longpoll' && inLongpoll.test(rule)) return rule;
  if (rule === 'feed-limit' && mode === 'continuous') return 'continuous-limit';
  if (rule === 'feed-limit' && mode === 'eventsource') return 'eventsource-limit-timeout';
  return rule.startsWith('filter-') ? 'filter-in-every-mode' : 'feed-parameters-in-every-mode';
}
