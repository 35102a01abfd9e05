/**
 * How a passer-by judges each rule of the catalogue, or why it cannot. It knows neither the settings of the target nor
 * what others write, and a request may be anything. So each judgement needs a sign that the rule applies.
 */
import type { RuleId } from '../../openapi/generated/rules.js';
import { greetingShape, vendorShape } from '../areas/shared/greeting.js';
import { aboutTheSelector, mustBeBadRequest } from '../areas/shared/bad-request.js';
import { feedShape, mustHaveOneRowEach, mustHaveSeqInEach, rowShape } from '../areas/shared/rows.js';
import { aNameOrNull, authenticatedBy, sessionWith } from '../areas/shared/session-shape.js';
import {
  mustBeEvent,
  mustBeEventStream,
  mustBeLine,
  mustEndWithCrLf,
  mustHaveEventId,
} from '../areas/shared/stream-parts.js';
import { asObject, parseJson } from '../http/json.js';
import { judgeBody } from '../http/traffic.js';
import { matches } from '../model/selector.js';
import type { Arrival } from '../play/feed-readers.js';
import type { Row } from '../play/feed.js';
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
import type { FeedParameters, Passed, PassedFeed } from './passed.js';
import type { Knowledge, KnownWrite } from './knowledge.js';

/** Throws a Violation if the target breaks the rule. @returns whether the rule applies */
export type Judge<Subject> = (subject: Subject) => boolean;

/** A whole response, after it has passed. */
export interface ResponseSubject {
  readonly passed: Passed;
  readonly known: Knowledge;
}

/** A response of the feed in normal or longpoll mode, after it has passed. */
export interface FeedSubject extends ResponseSubject {
  readonly parameters: FeedParameters;
  readonly feed: PassedFeed;
  readonly hasOneCopy: boolean;
  /** The response lacks a write. Others may have removed it, so this is no violation yet. */
  readonly onMissing: (rule: RuleId, write: KnownWrite, violation: Violation) => void;
}

/** A row in any mode. */
export interface RowSubject {
  readonly row: Row;
  readonly parameters: FeedParameters;
  /** Whether documents were removed from what passed, as they are from a recording. */
  readonly lacksDocuments: boolean;
}

/** A part of a continuous feed or an event stream. */
export interface PartSubject {
  readonly arrival: Arrival;
  readonly parameters: FeedParameters;
  /** The object with `last_seq`, if it has passed before. */
  readonly end: unknown;
  /** The number of rows, with this one. */
  readonly rows: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

const bodyOf = ({ passed }: ResponseSubject): Readonly<Record<string, unknown>> =>
  asObject(parseJson(passed.exchange.text));

/** A session that the target shows for credentials of one kind, if it shows a user. */
function userSession({
  passed,
}: ResponseSubject): { name: string; session: Record<string, unknown> } | undefined {
  const { operation, exchange, passing } = passed;
  if (operation?.id !== 'getSession' || passing.status !== 200) return undefined;
  const session = parseJson(exchange.text);
  const { name } = asObject(asObject(session)['userCtx']);
  return typeof name === 'string' && name !== ''
    ? { name, session: session as Record<string, unknown> }
    : undefined;
}

const isUserAdmin = (roles: unknown): boolean => Array.isArray(roles) && roles.includes('_admin');

/** A judge of the sessions of callers with credentials of this kind only. */
const forSessions =
  (
    kind: Passed['credentials']['kind'],
    judge: (
      session: { name: string; session: Record<string, unknown>; value: string } & ResponseSubject,
    ) => boolean | void,
  ): Judge<ResponseSubject> =>
  (subject) => {
    const { credentials } = subject.passed;
    const found = userSession(subject);
    if (!found || credentials.kind !== kind) return false;
    // A recording does not have them.
    if (
      (kind === 'basic' || kind === 'jwt') &&
      'value' in credentials &&
      credentials.value.startsWith('[redacted')
    ) {
      return false;
    }
    return judge({ ...subject, ...found, value: 'value' in credentials ? credentials.value : '' }) ?? true;
  };

function mustNotAuthenticate(name: string, credentials: string): never {
  throw new Violation(`The target accepts ${credentials}`, {
    path: '$.userCtx.name',
    expected: 'null, nothing, or an error response',
    actual: name,
  });
}

const mustBeNamed = (actual: string, expected: string, credentials: string): void =>
  mustMatch(
    `The session for ${credentials} is that of another user`,
    actual,
    equalTo(expected),
    '$.userCtx.name',
  );

/** A part of a token; nothing if it is not a JSON object. */
function partOf(token: string, index: 0 | 1): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/.test(text);

const decodeBasic = (value: string): string => Buffer.from(value, 'base64').toString();

/** Whether the target lists its handlers and `name` is not among them. */
function lacksHandler(session: Record<string, unknown>, name: string): boolean {
  const listed = asObject(session['info'])['authentication_handlers'];
  return Array.isArray(listed) && listed.length > 0 && !listed.includes(name);
}

/** A judge of requests with the filter `_selector` and this kind of body. */
const forSelectors =
  (isOf: (passed: Passed) => boolean, reason = aboutTheSelector): Judge<ResponseSubject> =>
  ({ passed }) => {
    const { operation, passing, exchange } = passed;
    if (operation?.id !== 'postChanges' || passing.query.getAll('filter').join() !== '_selector')
      return false;
    // Any other error may come first, such as that of a caller who may not read the database.
    if (![200, 400].includes(passing.status) || !passing.requestBody.isWhole || !isOf(passed)) return false;
    const actual = mustBeBadRequest(exchange, 'the body');
    mustMatch('The target rejects the body for another reason', actual, reason, '$.reason');
    return true;
  };

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Looks for documents that were written through the proxy before the request and have no row. */
function suspectMissing(rule: RuleId, subject: FeedSubject, what: string): boolean {
  const { passed, known, parameters, feed, hasOneCopy, onMissing } = subject;
  const { passing, database } = passed;
  const { since, filter, limit, hasEventId } = parameters;
  if (!hasOneCopy || database === undefined) return false;
  if (filter !== undefined || limit !== undefined || hasEventId || parameters.has('descending')) return false;
  if (parameters.mode === 'longpoll' && feed.rows.length === 0) return false;
  const knownDatabase = known.database(database);
  const from = knownDatabase.reachedAt(since);
  if (from === undefined) return false;
  const ids = new Set(feed.rows.map(({ id }) => id));
  let isJudged = false;
  for (const write of knownDatabase.writes.values()) {
    if (write.startedAt <= from || write.endedAt >= passing.startedAt) continue;
    isJudged = true;
    if (ids.has(write.id)) continue;
    const violation = new Violation(what, {
      path: '$.results',
      expected: `a row for ${JSON.stringify(write.id)}, which was written ${since === undefined ? '' : 'after since and '}before the request`,
      actual: `${ids.size} rows for other documents`,
    });
    onMissing(rule, write, violation);
  }
  return isJudged;
}

/** Whether the feed starts after a seq that the target gave. */
const isResumed = ({ parameters: { since } }: FeedSubject): boolean => since !== undefined && since !== '0';

export const responseJudges = {
  'root-greeting': ({ passed }) => {
    const { operation, exchange, credentials, passing } = passed;
    if (operation?.id !== 'getRoot') return false;
    const isRefused = credentials.kind === 'none' && (passing.status === 401 || passing.status === 403);
    if (passing.status !== 200 && !isRefused) return false;
    mustRespond(exchange, 200, 'The target does not respond to GET / without credentials with 200');
    mustMatch('The greeting is malformed', exchange.object(), greetingShape(passed.names));
    return true;
  },
  'root-vendor': ({ passed: { operation, exchange, passing } }) => {
    if (operation?.id !== 'getRoot' || passing.status !== 200) return false;
    mustMatch(
      'The vendor in the greeting is malformed',
      exchange.object()['vendor'],
      vendorShape,
      '$.vendor',
    );
    return true;
  },
  'error-shape': ({ passed }) =>
    passed.passing.status >= 400 && judgeDescribed(passed, 'has a malformed error body'),
  'response-schema': ({ passed }) =>
    passed.passing.status < 400 && passed.isValid && judgeDescribed(passed, 'does not match its schema'),
  'error-selector-missing': forSelectors(({ sent }) => isPlainObject(sent) && !('selector' in sent)),
  'error-selector-not-object': forSelectors(
    ({ sent }) => isPlainObject(sent) && 'selector' in sent && !isPlainObject(sent['selector']),
  ),
  'session-shape': ({ passed: { operation, exchange, passing } }) => {
    if (operation?.id !== 'getSession' || passing.status !== 200) return false;
    mustMatch('The session is malformed', exchange.object(), sessionWith(aNameOrNull));
    return true;
  },
  'session-info-db': (subject) => {
    const found = userSession(subject);
    if (!found) return false;
    mustMatch(
      'The session does not name the users database',
      found.session,
      objectWith({ info: objectWith({ authentication_db: equalTo('_users') }) }),
    );
    return true;
  },
  'session-authenticated-by': (subject) => {
    const excluded = { basic: ['cookie', 'proxy', 'jwt'], cookie: ['default', 'proxy', 'jwt'] };
    const { kind } = subject.passed.credentials;
    const found = userSession(subject);
    if (!found || (kind !== 'basic' && kind !== 'cookie')) return false;
    const expected = authenticatedBy(found.session, excluded[kind]);
    mustMatch(`The session does not name the handler of ${kind} authentication`, found.session, expected);
    return true;
  },
  'login-result': (subject) => {
    const { operation, passing, sent } = subject.passed;
    const { name } = asObject(sent);
    const body = bodyOf(subject);
    if (operation?.id !== 'postSession' || passing.status !== 200 || typeof name !== 'string') return false;
    // The service document shows the login of users. Servers may show their administrators otherwise.
    if (isUserAdmin(body['roles'])) return false;
    const wellFormed = objectWith({ ok: equalTo(true), name: equalTo(name), roles: arrayOf(aString) });
    mustMatch('The result of a login is malformed', body, wellFormed);
    return true;
  },
  'login-cookie': (subject) => {
    const { operation, passing } = subject.passed;
    const { ok, roles } = bodyOf(subject);
    if (operation?.id !== 'postSession' || passing.status !== 200 || ok !== true) return false;
    if (isUserAdmin(roles)) return false;
    must(sessionCookie(subject) !== undefined, 'The response to a login sets no cookie AuthSession', {
      path: '$headers["set-cookie"]',
      expected: 'a cookie named AuthSession that is not empty',
      actual: undefined,
    });
    return true;
  },
  'cookie-authenticates': forSessions('cookie', ({ value, name, known }) => {
    const user = known.cookies.get(value);
    if (user === undefined) return false;
    mustBeNamed(name, user, 'a session cookie');
    return true;
  }),
  'basic-accepts': forSessions('basic', ({ value, name }) => {
    const [, user] = /^([^:]+):/.exec(decodeBasic(value)) ?? [];
    if (user === undefined || !isAscii(user)) return false;
    mustBeNamed(name, user, 'basic authentication');
    return true;
  }),
  'basic-rejects': forSessions('basic', ({ value, name }) => {
    if (!decodeBasic(value).includes(':')) mustNotAuthenticate(name, 'basic credentials without a colon');
    return false;
  }),
  'basic-set-cookie': forSessions('basic', ({ passed, session }) => {
    if (isUserAdmin(asObject(session['userCtx'])['roles'])) return false;
    must(passed.passing.headers.has('set-cookie'), 'The response to basic authentication sets no cookie', {
      path: '$headers["set-cookie"]',
      expected: 'a cookie',
      actual: undefined,
    });
    return true;
  }),
  'proxy-userctx': forSessions('proxy', ({ value, name }) => {
    if (!isAscii(value)) return false;
    mustBeNamed(name, value, 'proxy headers');
    return true;
  }),
  'proxy-authenticated': forSessions('proxy', ({ session }) =>
    mustMatch(
      'The session does not name the handler of proxy headers',
      asObject(session['info'])['authenticated'],
      equalTo('proxy'),
      '$.info.authenticated',
    ),
  ),
  'proxy-handler-required': forSessions('proxy', ({ session, name }) => {
    if (lacksHandler(session, 'proxy'))
      mustNotAuthenticate(name, 'proxy headers without the handler for them');
    return false;
  }),
  'jwt-authenticated': forSessions('jwt', ({ session }) =>
    mustMatch(
      'The session does not name the handler of bearer tokens',
      asObject(session['info'])['authenticated'],
      equalTo('jwt'),
      '$.info.authenticated',
    ),
  ),
  'jwt-handler-required': forSessions('jwt', ({ session, name }) => {
    if (lacksHandler(session, 'jwt')) mustNotAuthenticate(name, 'a token without the handler for it');
    return false;
  }),
  'jwt-sub-name': forSessions('jwt', ({ value, name }) => {
    const sub = partOf(value, 1)?.['sub'];
    if (typeof sub !== 'string' || sub === '') return false;
    mustBeNamed(name, sub, 'a token');
    return true;
  }),
  'jwt-sub-required': forSessions('jwt', ({ value, name }) => {
    const claims = partOf(value, 1);
    if (!claims) return false;
    if (!('sub' in claims)) mustNotAuthenticate(name, 'a token without sub');
    return true;
  }),
  'jwt-alg-required': forSessions('jwt', ({ value, name }) => {
    const header = partOf(value, 0);
    if (!header) return false;
    if (!('alg' in header)) mustNotAuthenticate(name, 'a token without alg');
    return true;
  }),
  'jwt-alg-none': forSessions('jwt', ({ value, name }) => {
    const alg = partOf(value, 0)?.['alg'];
    if (typeof alg === 'string' && /^none$/i.test(alg))
      mustNotAuthenticate(name, 'a token with the alg none');
    return false;
  }),
  'users-id-form': ({ passed }) => {
    const { operation, passing, sent, names } = passed;
    const { name, type, _deleted: deleted } = asObject(sent);
    if (operation?.id !== 'putUser' || passing.status !== 201 || type !== 'user' || deleted) return false;
    if (typeof name !== 'string') return false;
    const id = decodeURIComponent(passing.pathname.replace(/^\/_users\//, ''));
    mustMatch(
      'The target stores a user under an id of another form',
      id,
      equalTo(names.userIdPrefix + name),
      'the id',
    );
    return true;
  },
} satisfies Partial<Record<RuleId, Judge<ResponseSubject>>>;

/** The value of the session cookie that a response sets, if it is not empty. */
export function sessionCookie({ passed }: Pick<ResponseSubject, 'passed'>): string | undefined {
  const lines = passed.passing.headers.get('set-cookie') ?? [];
  return lines.flatMap((line) => /^AuthSession=([^;]*)/.exec(line)?.[1]?.trim() || []).at(-1);
}

function judgeDescribed({ description, exchange, passing, isFeed }: Passed, what: string): boolean {
  const isPartial = passing.lacksDocuments && passing.query.has('include_docs');
  const judged = isPartial ? undefined : judgeBody(description, exchange);
  const difference = judged?.differences.find((one) => one !== undefined);
  const { method, pathname } = passing;
  if (difference) {
    throw new Violation(
      `The response to ${method} ${isFeed ? '/{db}/_changes' : pathname} ${what}`,
      difference,
    );
  }
  return judged !== undefined && judged.differences.length > 0;
}

export const feedJudges = {
  'feed-shape': ({ passed }) => {
    mustMatch('The response does not have the shape of a feed', passed.exchange.json(), feedShape);
    return true;
  },
  'feed-one-row': ({ feed, hasOneCopy, parameters }) => {
    if (!hasOneCopy || parameters.mode !== 'normal') return false;
    mustHaveOneRowEach(feed.rows);
    return true;
  },
  'feed-last-seq': ({ feed: { rows, lastSeq } }) => {
    const last = rows.at(-1)?.seq;
    if (last === undefined || last === null) return false;
    mustMatch('last_seq is not the seq of the last row', lastSeq, equalTo(last), '$.last_seq');
    return true;
  },
  'feed-pending': ({ feed: { pending } }) => {
    mustMatch('pending is not a number of rows', pending, anInteger({ min: 0 }), '$.pending');
    return true;
  },
  'feed-limit': ({ feed: { rows }, parameters: { limit } }) => {
    if (limit === undefined) return false;
    mustNotExceed(rows.length, limit);
    return true;
  },
  'feed-seq-interval': ({ feed: { rows }, parameters: { seqInterval } }) => {
    if (seqInterval === undefined) return false;
    mustHaveSeqInEach(seqInterval, rows);
    return true;
  },
  'feed-complete': (subject) =>
    subject.parameters.mode === 'normal' &&
    !isResumed(subject) &&
    suspectMissing('feed-complete', subject, 'The feed has no row for a document'),
  'feed-since-resume': (subject) =>
    subject.parameters.mode === 'normal' &&
    isResumed(subject) &&
    suspectMissing('feed-since-resume', subject, 'Resuming from a seq loses a change'),
  'longpoll-behind': (subject) =>
    subject.parameters.mode === 'longpoll' &&
    suspectMissing('longpoll-behind', subject, 'A long poll does not return all changes after since'),
} satisfies Partial<Record<RuleId, Judge<FeedSubject>>>;

function mustNotExceed(rows: number, limit: number): void {
  must(rows <= limit, 'The feed has more rows than limit allows', {
    path: '$.results',
    expected: `at most ${limit} rows`,
    actual: `${rows} rows`,
  });
}

/** The doc of a row, if it is the winning revision that the row lists. It may be a later one. */
function ownDoc({
  row: { value, revs },
  parameters: { style },
}: RowSubject): Readonly<Record<string, unknown>> | undefined {
  const doc = asObject(value['doc']);
  return style === 'main_only' && doc['_rev'] === revs[0] ? doc : undefined;
}

const attachmentsOf = ({ row }: RowSubject): object[] =>
  Object.values(asObject(asObject(row.value['doc'])['_attachments'])).filter(isPlainObject);

export const rowJudges = {
  'feed-row-shape': ({ row, parameters }) => {
    // With `seq_interval`, a row may lack its seq.
    const value = parameters.seqInterval === undefined ? row.value : { ...row.value, seq: row.seq ?? 0 };
    mustMatch('A row of the feed is malformed', value, rowShape, row.path);
    return true;
  },
  'feed-deleted': (subject) => {
    const { row } = subject;
    const what = 'The row of a live document is marked as deleted';
    const doc = ownDoc(subject);
    const isLive = row.value['deleted'] === false || (doc !== undefined && doc['_deleted'] !== true);
    if (isLive) mustMatch(what, row.value['deleted'], absent, `${row.path}.deleted`);
    if (doc?.['_deleted'] === true) {
      const lacking = 'The row of a deleted document is not marked as deleted';
      mustMatch(lacking, row.value['deleted'], equalTo(true), `${row.path}.deleted`);
    }
    return true;
  },
  'feed-include-docs': ({ row: { value, id, path }, parameters }) => {
    const { doc } = value;
    if (!parameters.has('include_docs')) {
      mustMatch('A row has a doc without include_docs=true', doc, absent, `${path}.doc`);
      // A document may be purged while the feed is read.
    } else if (doc !== null) {
      const what = 'The doc of a row is not the winning revision as it was written';
      mustMatch(what, doc, anObject, `${path}.doc`);
      mustMatch(what, doc, objectWith({ _id: equalTo(id), _rev: aString }), `${path}.doc`);
    }
    return true;
  },
  'feed-conflicts': ({ row: { value, path }, parameters }) => {
    if (!parameters.has('include_docs') || parameters.has('conflicts')) return false;
    const listed = asObject(value['doc'])['_conflicts'];
    mustMatch('A doc has _conflicts without conflicts=true', listed, absent, `${path}.doc._conflicts`);
    return true;
  },
  'feed-style-main': ({ row: { revs, path }, parameters }) => {
    if (parameters.style !== 'main_only') return false;
    must(revs.length === 1, 'The row of a document does not list only its winning revision', {
      path: `${path}.changes`,
      expected: 'one revision',
      actual: revs,
    });
    return true;
  },
  'feed-style-all': ({ row: { revs, path }, parameters }) => {
    if (parameters.style !== 'all_docs') return false;
    must(new Set(revs).size === revs.length, 'With style=all_docs, a row lists a revision twice', {
      path: `${path}.changes`,
      expected: 'each revision once',
      actual: revs,
    });
    return true;
  },
  'feed-attachments': (subject) => {
    const { row, parameters, lacksDocuments } = subject;
    if (!parameters.has('include_docs') || lacksDocuments) return false;
    const isInline = parameters.has('attachments');
    const expected = isInline ? objectWith({ data: aString, stub: absent }) : objectWith({ data: absent });
    const attachments = attachmentsOf(subject);
    const what = isInline
      ? 'With attachments=true, an attachment has no content'
      : 'Without attachments=true, an attachment has its content';
    for (const attachment of attachments)
      mustMatch(what, attachment, expected, `${row.path}.doc._attachments`);
    return attachments.length > 0;
  },
  'filter-doc-ids': ({ row: { id, path }, parameters: { filter, docIds } }) => {
    if (filter !== '_doc_ids' || !docIds) return false;
    must(docIds.has(id), 'The feed has a row for a document that is not in doc_ids', {
      path: `${path}.id`,
      expected: 'one of doc_ids',
      actual: id,
    });
    return true;
  },
  'filter-design': ({ row: { id, path }, parameters: { filter } }) => {
    if (filter !== '_design') return false;
    must(id.startsWith('_design/'), 'With filter=_design, the feed has a row for another document', {
      path: `${path}.id`,
      expected: 'an id that starts with "_design/"',
      actual: id,
    });
    return true;
  },
  'filter-selector': (subject) => {
    const { row, parameters, lacksDocuments } = subject;
    const { filter, selector } = parameters;
    const doc = ownDoc(subject);
    if (filter !== '_selector' || lacksDocuments || !doc) return false;
    if (!isPlainObject(selector)) return false;
    must(matches(selector, doc) !== false, 'The feed has a row for a document that does not match', {
      path: `${row.path}.id`,
      expected: 'a document that matches the selector',
      actual: row.id,
    });
    return true;
  },
} satisfies Partial<Record<RuleId, Judge<RowSubject>>>;

export const partJudges = {
  'continuous-lines': ({ arrival, parameters, end }) => {
    if (parameters.mode !== 'continuous') return false;
    mustBeLine(withSeq(arrival, parameters), end);
    return true;
  },
  'continuous-crlf': ({ arrival, parameters }) => {
    if (parameters.mode !== 'continuous' || arrival.kind !== 'row') return false;
    mustEndWithCrLf(arrival.ending, arrival.row.path);
    return true;
  },
  'continuous-limit': ({ rows, parameters: { mode, limit } }) => {
    if (mode !== 'continuous' || limit === undefined) return false;
    mustNotExceed(rows, limit);
    return true;
  },
  'eventsource-stream': ({ arrival, parameters, headers }) => {
    if (parameters.mode !== 'eventsource') return false;
    mustBeEventStream({ headers });
    mustBeEvent(withSeq(arrival, parameters));
    return true;
  },
  'eventsource-last-event-id': ({ arrival, parameters }) => {
    if (parameters.mode !== 'eventsource' || arrival.kind !== 'row') return false;
    // A seq that was not computed makes no id.
    if (parameters.seqInterval !== undefined) return false;
    mustHaveEventId(arrival);
    return true;
  },
  'eventsource-limit-timeout': ({ rows, parameters: { mode, limit } }) => {
    if (mode !== 'eventsource' || limit === undefined) return false;
    mustNotExceed(rows, limit);
    return true;
  },
} satisfies Partial<Record<RuleId, Judge<PartSubject>>>;

/** With `seq_interval`, a row may lack its seq. */
function withSeq(arrival: Arrival, { seqInterval }: FeedParameters): Arrival {
  if (arrival.kind !== 'row' || seqInterval === undefined) return arrival;
  const { row } = arrival;
  return { ...arrival, row: { ...row, value: { ...row.value, seq: row.seq ?? 0 } } };
}

/** Rules under which what holds for a row of a response in normal mode holds in the other modes. */
export const inEveryMode = ['feed-parameters-in-every-mode', 'filter-in-every-mode'] as const;
