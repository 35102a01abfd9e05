/** Reads the writes of documents from recorded exchanges: what a history did to the target, with real revisions. */
import { parseBody } from '../../json.js';
import type { RecordedExchange } from '../../report.js';

export interface DocumentWrite {
  readonly id: string;
  readonly kind: 'create' | 'update' | 'delete' | 'replicate';
  /** The revision that the write created; `undefined` if the response does not have it. */
  readonly rev?: string;
  /** The revisions before it, newest first, as far as the request tells. */
  readonly ancestors: readonly string[];
  readonly deleted: boolean;
  /** The fields of the document without those of the API. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Error of the response, if the target refused the write. */
  readonly error?: string;
}

interface SentDocument {
  _id?: unknown;
  _rev?: unknown;
  _deleted?: unknown;
  _revisions?: { start?: unknown; ids?: unknown };
}

type Answer = { rev?: unknown; id?: unknown; error?: unknown } | undefined;

/** @returns the writes to the database of the last exchange with one, in the order of the requests. */
export function documentWrites(exchanges: readonly RecordedExchange[], database: string): DocumentWrite[] {
  return exchanges.flatMap((exchange) => writesOf(exchange, database));
}

/** @returns the path of the database of a request, such as `/docfeed-1f-2`; `undefined` if it has none. */
export function databaseOf({ request: { path } }: RecordedExchange): string | undefined {
  return /^(?:\/[^/?]+)*?\/docfeed-[^/?]+/.exec(path)?.[0];
}

function writesOf({ request, response }: RecordedExchange, database: string): DocumentWrite[] {
  const { method, path, body } = request;
  const [pathname = '', query = ''] = path.split('?');
  if (!pathname.startsWith(`${database}/`)) return [];
  const rest = pathname.slice(database.length + 1);
  const sent = parseBody(body ?? '');
  const answer = parseBody((response?.chunks ?? []).map(({ text }) => text).join(''));
  if (method === 'POST' && rest === '_bulk_docs') return bulkWrites(sent, answer);
  if (rest === '' || (rest.startsWith('_') && !rest.startsWith('_design/'))) return [];
  if (method !== 'PUT' && method !== 'DELETE') return [];
  const id = decodeId(rest);
  const rev = new URLSearchParams(query).get('rev') ?? undefined;
  const document = { ...(sent as object), _id: id, ...(rev !== undefined && { _rev: rev }) };
  return [toWrite(method === 'DELETE' ? { ...document, _deleted: true } : document, true, answer as Answer)];
}

function bulkWrites(sent: unknown, answer: unknown): DocumentWrite[] {
  const { docs, new_edits: newEdits } = (sent ?? {}) as { docs?: unknown; new_edits?: unknown };
  if (!Array.isArray(docs)) return [];
  const answers = Array.isArray(answer) ? (answer as Answer[]) : [];
  return docs.map((document: SentDocument, index) =>
    // With new_edits=false, the response lists failures only.
    newEdits === false
      ? toWrite(
          document,
          false,
          answers.find((one) => one?.id === document._id),
        )
      : toWrite(document, true, answers[index]),
  );
}

function toWrite(document: SentDocument, newEdits: boolean, answer: Answer): DocumentWrite {
  const { _id, _rev, _deleted, _revisions, ...fields } = document;
  const deleted = _deleted === true;
  const sentRev = typeof _rev === 'string' ? _rev : undefined;
  const base = { id: String(_id), deleted, fields };
  const refusal = typeof answer?.error === 'string' ? { error: answer.error } : {};
  if (!newEdits) {
    const history = revisionsOf(_revisions);
    const rev = sentRev ?? history[0];
    return {
      ...{ ...base, ...refusal, kind: 'replicate', ancestors: history.slice(1) },
      ...(rev === undefined ? {} : { rev }),
    };
  }
  return {
    ...{ ...base, ...refusal, kind: deleted ? 'delete' : sentRev === undefined ? 'create' : 'update' },
    ancestors: sentRev === undefined ? [] : [sentRev],
    ...(typeof answer?.rev === 'string' ? { rev: answer.rev } : {}),
  };
}

function revisionsOf({ start, ids }: NonNullable<SentDocument['_revisions']> = {}): string[] {
  if (typeof start !== 'number' || !Array.isArray(ids)) return [];
  return ids.map((hash, index) => `${start - index}-${String(hash)}`);
}

function decodeId(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
