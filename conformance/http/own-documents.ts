/**
 * Lets a check use a database that has other documents as if it were an empty one. The ids of the check's documents get a
 * beginning that no other has, in each request; responses lose it before anybody reads them, and the evidence keeps what
 * was sent and received. The feed is read from the position at which the check has begun.
 */
import { NotHere } from '../engine/outcomes.js';
import type { TargetRequest } from './client.js';
import type { Translation } from './places.js';
import { asObject, parseJson } from './parse-json.js';

/** What a check must not do in a database that is not its own. */
const refuse = (what: string): never => {
  throw new NotHere(`The check needs a database of its own: it ${what}.`);
};

const risk = 'has functions that depend on ids or validate the writes of others';

export interface OwnDocuments {
  /** The path of the database in requests, such as `/docfeed-1`. */
  readonly path: string;
  /** The beginning of the ids. Nothing else in the database contains it. */
  readonly mark: string;
  /** The position in the feed at which the check has begun. */
  readonly start: unknown;
  /** Called with the ids of documents before they are written. */
  readonly onWrite: (ids: readonly string[]) => void;
}

export function translateOwn({ path: database, mark, start, onWrite }: OwnDocuments): Translation {
  const marked = (id: unknown): string => {
    if (typeof id !== 'string') return refuse('writes a document without an id');
    const [, kind = '', name = id] = /^(_design\/|_local\/)(.*)$/s.exec(id) ?? [];
    return kind + mark + name;
  };
  /** The name of a function: `ddoc/name`. */
  const markedFunction = (value: unknown): unknown =>
    typeof value === 'string' && value.includes('/') ? mark + value : value;
  const markedIds = (value: unknown): unknown => {
    const list = typeof value === 'string' ? parseJson(value) : value;
    if (!Array.isArray(list)) return value;
    return list.map((id: unknown) => (typeof id === 'string' ? marked(id) : id));
  };

  const feed = ({ query = {}, json, headers = {}, ...request }: TargetRequest): TargetRequest => {
    const named = Object.keys(headers).some((name) => name.toLowerCase() === 'last-event-id');
    const { since, descending, 'last-event-id': event } = query;
    if (isSet(descending)) refuse('reads the feed backwards, with all documents');
    if (['0', 0].some((zero) => [since, event].includes(zero))) refuse('reads the feed from its start');
    const { doc_ids: ids, selector } = asObject(json);
    if (request.body !== undefined && !request.deliberatelyWrong)
      refuse('writes the body of a request itself');
    if (mentionsId(selector)) refuse('selects documents by their ids');
    const isPositioned = since !== undefined || event !== undefined || named;
    return {
      ...request,
      headers,
      query: {
        ...query,
        ...(!isPositioned && { since: start }),
        ...('filter' in query && { filter: markedFunction(query['filter']) }),
        ...('view' in query && { view: markedFunction(query['view']) }),
        ...('doc_ids' in query && { doc_ids: markedIds(query['doc_ids']) }),
      },
      ...(json !== undefined && {
        json: ids === undefined ? json : { ...asObject(json), doc_ids: markedIds(ids) },
      }),
    };
  };

  const bulk = ({ json, ...request }: TargetRequest): TargetRequest => {
    const { docs } = asObject(json);
    if (!Array.isArray(docs)) return refuse('writes something else than documents');
    const own = docs.map((value: unknown) => {
      const document = asObject(value);
      if (String(document['_id']).startsWith('_design/') && isRisky(document)) refuse(risk);
      return { ...document, _id: marked(document['_id']) };
    });
    onWrite(own.map(({ _id }) => _id));
    return { ...request, json: { ...asObject(json), docs: own } };
  };

  const document = (request: TargetRequest, rest: string): TargetRequest => {
    const [, kind = '', id = '', more = ''] = /^\/(_design\/|_local\/)?([^/]+)(.*)$/s.exec(rest) ?? [];
    if (id === '' || (kind === '' && id.startsWith('_')))
      return refuse('uses more than documents and the feed');
    if (!isRead(request)) {
      if (kind === '_design/' && isRisky(request.json)) refuse(risk);
      onWrite([kind + mark + decodeURIComponent(id)]);
    }
    return { ...request, path: `${database}/${kind}${encodeURIComponent(mark)}${id}${more}` };
  };

  return {
    request(request) {
      const rest = request.path.slice(database.length);
      if (rest === '/_changes') return feed(request);
      if (rest === '/_bulk_docs' && request.method === 'POST') return bulk(request);
      if (rest === '/_all_docs' && request.method === 'POST') {
        const { keys } = asObject(request.json);
        return { ...request, json: { ...asObject(request.json), keys: markedIds(keys) } };
      }
      if (rest === '') return isRead(request) ? request : refuse('makes or removes the database');
      return document(request, rest);
    },
    response: () => withoutMark(Buffer.from(mark)),
  };
}

const isRead = ({ method = 'GET' }: TargetRequest): boolean => ['GET', 'HEAD'].includes(method);

const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== 'false';

/** Whether a selector, or a function in a design document, may depend on ids. */
const mentionsId = (value: unknown): boolean => /\b_id\b/.test(JSON.stringify(value ?? null));

/** Whether a design document has functions that may see the ids of documents, or that concern the writes of others. */
const isRisky = (document: unknown): boolean => {
  const content = { ...asObject(document), _id: undefined };
  return 'validate_doc_update' in content || mentionsId(content);
};

/** Removes the mark from a body that arrives in pieces. What may be its beginning waits for the next piece. */
function withoutMark(mark: Buffer): (bytes: Uint8Array, isEnd?: boolean) => Uint8Array {
  let held = Buffer.alloc(0);
  return (bytes, isEnd = false) => {
    const all = Buffer.concat([held, bytes]);
    const kept: Buffer[] = [];
    let from = 0;
    for (let at = all.indexOf(mark); at >= 0; at = all.indexOf(mark, from)) {
      kept.push(all.subarray(from, at));
      from = at + mark.length;
    }
    const rest = all.subarray(from);
    const length = isEnd ? 0 : beginningAtEnd(rest, mark);
    held = Buffer.from(rest.subarray(rest.length - length));
    return Buffer.concat([...kept, rest.subarray(0, rest.length - length)]);
  };
}

/** How many bytes at the end of `bytes` are the beginning of the mark. */
function beginningAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, bytes.length); length > 0; length -= 1)
    if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length;
  return 0;
}
