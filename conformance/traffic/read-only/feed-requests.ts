/** The requests that read the feed of one database in all ways that the service document shows. */
import type { Caller, TargetRequest } from '../../http/client.js';
import { documentPath } from '../../http/document-requests.js';
import { asObject } from '../../http/parse-json.js';
import { feedModes, type FeedMode, waitingModes } from '../../oracle/allowed-rows.js';
import { typeOf } from '../../oracle/selector.js';
import { endsInARow } from '../../passing/judges.js';
import { acceptedTypes, mayRefuse } from '../../rules/feed/accept.js';

/** The part of a feed that is read. */
export interface Reading {
  readonly path: string;
  readonly as: Caller;
  /** What all requests have: where the part begins and how long it is, unless it is the whole feed. */
  readonly bounds: Readonly<Record<string, unknown>>;
  /** How many rows it has. */
  readonly rows: number;
  /** How many documents one response may have. */
  readonly documents: number;
}

type Query = Readonly<Record<string, unknown>>;

/** A feed that waits for a change ends after this time without one, in milliseconds. */
const shortTimeoutMs = 300;

/** Period of heartbeats and timeout of the feeds that are watched, in milliseconds. A busy target may break shorter ones. */
const periodMs = 1000;

/** While others write, a feed that waits might never end. */
export const mayWait = ({ query }: TargetRequest): boolean =>
  !['normal', undefined].includes(query?.['feed'] as string);

/** @param json the ids or the selector of a filter. */
function feedRequest({ path, as, bounds, rows }: Reading, query: Query, json?: object): TargetRequest {
  const { feed } = query;
  return {
    path,
    as,
    query: {
      ...bounds,
      ...(mayWait({ path, query }) && { timeout: shortTimeoutMs }),
      // Rows that others add are not waited for.
      ...((feed === 'continuous' || feed === 'eventsource') && { limit: Math.max(1, rows) }),
      ...query,
    },
    ...(feed === 'eventsource' && { headers: { accept: 'text/event-stream' } }),
    ...(json && { method: 'POST', json }),
  };
}

/** The documents whose ids and members the filters are about. */
export const documentsRequest = (reading: Reading): TargetRequest =>
  feedRequest(reading, { include_docs: true, limit: reading.documents });

/** What a client accepts does not choose the mode. */
export const acceptRequests = (reading: Reading): TargetRequest[] =>
  feedModes.flatMap((mode) =>
    acceptedTypes.map((accept) => ({
      // The mode that is chosen without the parameter is the normal one.
      ...feedRequest(reading, { feed: mode === 'normal' ? undefined : mode, limit: 1 }),
      headers: { accept },
      deliberatelyWrong: mayRefuse(mode, accept),
    })),
  );

/** Each parameter alone, and those that matter together, in each mode. */
export function parameterRequests(reading: Reading): TargetRequest[] {
  const limit = reading.documents;
  const inEachMode: Query[] = [
    {},
    { limit: 1 },
    { since: 'now', limit: 1 },
    { style: 'main_only' },
    { style: 'all_docs' },
    { seq_interval: 3 },
    { include_docs: false },
    { conflicts: true },
    { attachments: true },
    { include_docs: true, limit },
    { include_docs: true, conflicts: true, style: 'all_docs', limit },
    { include_docs: true, att_encoding_info: true, limit },
    { descending: true, limit: 5, since: undefined },
    { descending: true, limit, since: undefined, include_docs: true },
  ];
  return [
    ...feedModes.flatMap((feed) => inEachMode.map((query) => feedRequest(reading, { feed, ...query }))),
    feedRequest(reading, {}),
    feedRequest(reading, { since: 'now' }),
    feedRequest(reading, {}, {}),
    feedRequest(reading, { style: 'all_docs', include_docs: true, limit }, {}),
    feedRequest(reading, { feed: 'longpoll' }, {}),
    // Both are for modes that wait.
    feedRequest(reading, { timeout: shortTimeoutMs }),
    feedRequest(reading, { heartbeat: periodMs, since: 'now' }),
    { ...feedRequest(reading, {}), method: 'HEAD' },
  ];
}

/** More bytes of attachments than these are not asked for. */
const maxAttachedBytes = 1024 * 1024;

/** So many documents are read with their attachments. */
const maxAttached = 4;

/** How many bytes the attachments of a document have. */
const attachedBytes = (document: object): number =>
  Object.values(asObject(asObject(document)['_attachments']))
    .map((one) => asObject(one)['length'])
    .reduce((sum: number, length) => sum + (typeof length === 'number' ? length : Infinity), 0);

/** Documents with few bytes of attachments: each in normal mode, and the first one in all ways. */
export function attachmentRequests(
  reading: Reading,
  found: readonly Row[],
  documents: readonly Readonly<Record<string, unknown>>[],
): TargetRequest[] {
  const attached = documents.filter((one) => '_attachments' in one && attachedBytes(one) <= maxAttachedBytes);
  const rows = attached.slice(0, maxAttached).flatMap(({ _id: id }) => {
    const index = found.findIndex((row) => row['id'] === id);
    const before = found[index - 1];
    return before ? [{ id, query: { include_docs: true, since: before['seq'], limit: 1 } }] : [];
  });
  const withContent = rows.map(({ id, query }) => ({ id, query: { ...query, attachments: true } }));
  return [
    ...rows.map(({ query }) => feedRequest(reading, { ...query, att_encoding_info: true })),
    ...withContent.slice(1).map(({ query }) => feedRequest(reading, query)),
    ...withContent
      .slice(0, 1)
      .flatMap(({ id, query }) =>
        feedModes.flatMap((feed) => [
          feedRequest(reading, { feed, ...query }),
          feedRequest(reading, { feed, ...query }, {}),
          feedRequest(reading, { feed, ...query, filter: '_doc_ids' }, { doc_ids: [id] }),
        ]),
      ),
  ];
}

/** So many documents are also read on their own. */
const maxRead = 20;

/** The revisions that the feed has included. */
export const revisionRequests = (
  { path, as }: Reading,
  documents: readonly Readonly<Record<string, unknown>>[],
): TargetRequest[] =>
  documents
    .slice(-maxRead)
    .flatMap(({ _id: id, _rev: rev, _deleted: isDeleted }) =>
      typeof id === 'string' && typeof rev === 'string' && isDeleted === undefined
        ? [{ path: path.replace(/\/_changes$/, documentPath(id)), as, query: { rev } }]
        : [],
    );

/** What is still there at the end: all rows, and all leaves. */
export const lastRequests = (reading: Reading): TargetRequest[] => [
  feedRequest(reading, {}),
  feedRequest(reading, { style: 'all_docs' }),
];

/** How a page is read again, from the seq of a row in it. */
export function resumeRequest(
  reading: Reading,
  feed: FeedMode,
  since: unknown,
  limit: number,
): TargetRequest {
  return feedRequest(reading, { feed, since, limit });
}

/** An event stream goes on after the last event that its client knows. */
export function lastEventRequest(reading: Reading, id: string, limit: number): TargetRequest {
  const { headers, ...request } = feedRequest(reading, { feed: 'eventsource', limit });
  return { ...request, headers: { ...headers, 'last-event-id': id } };
}

/** Ids for the filter by ids: some that were read, a deleted one among them, and some that differ a little from those of others. */
function idsFor(found: readonly Row[]): string[] {
  const ids = found.map(({ id }) => String(id));
  const others = ids.slice(2, -2);
  const deleted = found.filter((row) => row['deleted'] === true).map(({ id }) => String(id));
  const similar = others
    .slice(0, 3)
    .flatMap((id) => [id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), ` ${id}`])
    .filter((id) => id !== '' && !ids.includes(id));
  // Each once: what a repeated id means is a rule of its own.
  return [...new Set([...ids.slice(0, 2), ...deleted.slice(0, 1), ...similar, ...ids.slice(-2)])];
}

/** Filters by what was read. */
export function filterRequests(
  reading: Reading,
  found: readonly Row[],
  documents: readonly object[],
  showsValues: boolean,
): TargetRequest[] {
  const limit = reading.documents;
  const ids = idsFor(found);
  const listed = { doc_ids: ids };
  const [selector, ...selectors] = selectorsFor(
    found.map(({ id }) => String(id)),
    documents,
    showsValues,
  );
  return [
    ...feedModes.flatMap((feed) => [
      feedRequest(reading, { feed, filter: '_doc_ids' }, listed),
      feedRequest(reading, { feed, filter: '_design', include_docs: true, limit }),
      feedRequest(reading, { feed, filter: '_selector', include_docs: true, limit }, { selector }),
    ]),
    feedRequest(reading, { filter: '_doc_ids', doc_ids: ids.slice(0, 2), include_docs: true }),
    feedRequest(reading, { filter: '_doc_ids', style: 'all_docs' }, listed),
    feedRequest(reading, { filter: '_doc_ids' }, { doc_ids: [] }),
    feedRequest(reading, { filter: '_doc_ids', doc_ids: ids.slice(0, 2) }, {}),
    feedRequest(reading, { filter: '_doc_ids', limit: 2 }, listed),
    feedRequest(reading, { filter: '_doc_ids', since: 'now' }, listed),
    feedRequest(reading, { filter: '_doc_ids', seq_interval: 2 }, listed),
    feedRequest(reading, { filter: '_selector', limit: 2 }, { selector }),
    feedRequest(reading, { filter: '_design', style: 'all_docs' }),
    ...selectors.map((other) =>
      feedRequest(reading, { filter: '_selector', include_docs: true, limit }, { selector: other }),
    ),
    feedRequest(reading, { filter: '_selector', style: 'all_docs', include_docs: true, limit }, { selector }),
  ];
}

/** Names of members that need no escape in a selector. */
const plainName = /^[A-Za-z][A-Za-z0-9]*$/;

/** How many members of documents get selectors. */
const maxMembers = 4;

/** @param showsValues whether selectors, which the report has, may contain values of documents. */
function selectorsFor(ids: readonly string[], documents: readonly object[], showsValues: boolean): object[] {
  const members = new Map(documents.flatMap((document): [string, unknown][] => Object.entries(document)));
  const plain = [...members].filter(([name]) => plainName.test(name)).slice(0, maxMembers);
  const middle = ids[Math.floor(ids.length / 2)] ?? '';
  return [
    { _id: { $gt: middle } },
    { _id: { $in: ids.slice(0, 3) } },
    { _id: { $in: ids.slice(1, 3).toReversed() } },
    { $not: { _id: { $lte: middle } } },
    { $or: [{ _id: ids[0] ?? '' }, { _id: middle }, { _id: { $gt: middle } }] },
    { $nor: [{ _id: middle }, { _id: { $lt: middle } }] },
    { _id: { $gte: ids[0] ?? '', $lte: middle, $ne: ids[1] ?? '' } },
    ...plain.flatMap(([name, value]) => [
      { [name]: { $exists: true } },
      { [name]: { $exists: false } },
      { [name]: { $gt: null } },
      { [name]: { $type: typeOf(value) } },
      ...(showsValues ? selectorsOf(name, value) : []),
    ]),
  ];
}

/** Selectors that compare a member with its value in a document. */
function selectorsOf(name: string, value: unknown): object[] {
  const others = typeof value === 'number' ? [-value, value + 0.5, value + 2 ** 32, String(value)] : [null];
  const [first, second] = plainMembers(value);
  return [
    { [name]: { $eq: value } },
    { [name]: { $ne: value } },
    { [name]: { $in: [...others, value] } },
    { [name]: { $nin: [value] } },
    ...others.map((other) => ({ [name]: { $eq: other } })),
    ...(Array.isArray(value)
      ? [{ [name]: { $all: value } }, { [name]: { $all: [...(value as unknown[]), null] } }]
      : []),
    ...(typeof value === 'string' && plainName.test(value)
      ? [{ [name]: { $regex: `^${value}$` } }, { [name]: { $regex: `^${value.toUpperCase()}$` } }]
      : []),
    ...(first ? [{ [name]: { [first[0]]: first[1] } }, { [`${name}.${first[0]}`]: first[1] }] : []),
    ...(first && second ? [{ [name]: { [first[0]]: first[1], [second[0]]: null } }] : []),
  ];
}

/** The members of an object whose names need no escape in a selector. */
const plainMembers = (value: unknown): [string, unknown][] =>
  Object.entries(asObject(value)).filter(([name]) => plainName.test(name));

/** No selector, or no JSON. */
const wrongBodies = [
  '{}',
  '{"selector":"text"}',
  '{"selector":{"a":{"$nothing":1}}}',
  '{"selector":{}',
  '{"selector":{},}',
  '{"selector":{}} {}',
  '"text"',
];

/** Requests that a target must refuse, or may. None of them gets a row from a target that does not. */
export function wrongRequests({ path, as }: Reading): TargetRequest[] {
  const wrong = (query: Query, rest: Partial<TargetRequest> = {}): TargetRequest => ({
    path,
    as,
    query: { since: 'now', ...query },
    deliberatelyWrong: true,
    ...rest,
  });
  const post = (body: string): Partial<TargetRequest> => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const filter = '_selector';
  return [
    ...wrongBodies.map((body) => wrong({ filter }, post(body))),
    ...feedModes.map((feed) => wrong({ filter, feed, timeout: shortTimeoutMs })),
    wrong({ filter, feed: 'longpoll', timeout: shortTimeoutMs }, post('{}')),
    wrong({ filter: '_doc_ids' }),
    wrong({ filter: '_view' }),
    wrong({ filter: 'nothing' }),
    wrong({ filter: 'nothing/here' }),
    ...['limit', 'timeout', 'heartbeat', 'style', 'feed'].map((name) => wrong({ [name]: 'nothing' })),
    { ...wrong({}), query: { since: 'nothing', limit: 1 } },
  ];
}

const waitingRequest = (reading: Reading, query: Query, json?: object): TargetRequest =>
  feedRequest(reading, { since: 'now', limit: undefined, timeout: undefined, ...query }, json);

/** Feeds that wait for a change, with the time after which nobody reads on, in milliseconds. */
export function waitingRequests(reading: Reading): (readonly [request: TargetRequest, openMs: number])[] {
  return waitingModes.flatMap((feed) =>
    (
      [
        [{ heartbeat: periodMs }, 8000],
        [{ heartbeat: periodMs, timeout: 2 * periodMs }, 8000],
        [{ timeout: periodMs }, 12_000],
        // The response begins, and that is all.
        [{ heartbeat: true }, shortTimeoutMs],
        [{ heartbeat: true }, shortTimeoutMs, {}],
      ] as const
    ).map(([query, openMs, json]) => [waitingRequest(reading, { feed, ...query }, json), openMs] as const),
  );
}

/** How long a feed is read that a heartbeat keeps open after its timeout, in milliseconds. */
export const overriddenMs = 2 * shortTimeoutMs;

/** Feeds that a heartbeat keeps open after their timeout, for each mode to be sent one after the other. */
export const overriddenRequests = (reading: Reading): TargetRequest[][] =>
  waitingModes.map((feed) =>
    [
      { heartbeat: periodMs },
      { heartbeat: shortTimeoutMs / 3 },
      { heartbeat: periodMs, limit: 1000 },
    ].flatMap((query) =>
      Array<TargetRequest>(endsInARow).fill(
        waitingRequest(reading, { feed, timeout: shortTimeoutMs, ...query }),
      ),
    ),
  );

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a response in normal mode, as far as it has any. */
export function rowsIn(body: unknown): Row[] {
  const { results } = asObject(body);
  return Array.isArray(results) ? results.map(asObject) : [];
}
