/** A server in the making: the greeting, databases, `_bulk_docs` and the normal feed by GET, nothing else. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve, type TestServer } from './server.js';

interface Written {
  readonly _id: string;
  readonly _rev?: string | undefined;
  readonly _deleted?: boolean;
  readonly _revisions?: unknown;
}

interface BulkRequest {
  readonly docs: readonly Written[];
  readonly new_edits?: boolean;
}

interface Database {
  /** By id, the last revision and its position in the feed. */
  readonly documents: Map<string, { readonly seq: number; readonly rev: string; readonly doc: Written }>;
  seq: number;
}

const missing = { status: 404, body: { error: 'not_found', reason: 'missing' } };

/** How a server writes its bodies, and the media type that it gives them, if any. */
interface Style {
  readonly type?: string;
  readonly write: (body: unknown) => string;
}

const json: Style = { type: 'application/json', write: JSON.stringify };

/** By hand: without a media type, and with a comma before each bracket that closes. */
export const byHand: Style = {
  write: (body) => JSON.stringify(body, null, 1).replaceAll(/(?<=[^[{\s])(?=\n *[\]}])/g, ','),
};

interface Shape {
  /** Of all bodies but the greeting. */
  readonly style?: Style;
  /** Also with `new_edits: false`. Default: it keeps the revision that a document has then. */
  readonly makesRevisions?: boolean;
}

export function startUnfinishedServer({
  style = json,
  makesRevisions = false,
}: Shape = {}): Promise<TestServer> {
  const databases = new Map<string, Database>();
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, name = '', endpoint = ''] = pathname.split('/');
    const database = databases.get(name);
    switch (`${request.method} ${endpoint}`) {
      case 'GET ':
        return name === '' ? { status: 200, body: { couchdb: 'Welcome', version: '3.5.0' } } : missing;
      case 'PUT ':
        databases.set(name, { documents: new Map(), seq: 0 });
        return { status: 201, body: { ok: true } };
      case 'DELETE ':
        return databases.delete(name) ? { status: 200, body: { ok: true } } : missing;
      case 'POST _bulk_docs': {
        if (!database) return missing;
        const { docs, new_edits: newEdits = true } = JSON.parse(await text(request)) as BulkRequest;
        const isChosen = newEdits || makesRevisions;
        return {
          status: 201,
          body: docs.map((doc) => write(database, isChosen ? { ...doc, _rev: undefined } : doc)),
        };
      }
      case 'GET _changes':
        return database ? { status: 200, body: feedOf(database, searchParams) } : missing;
      default:
        return missing;
    }
  };
  return serve((request, response) => {
    void answer(request).then(({ status, body }) => {
      const { type, write } = request.url === '/' ? json : style;
      response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(write(body));
    });
  });
}

const greeting = JSON.stringify({
  couchdb: 'Welcome',
  version: '3.5.0',
  uuid: 'a',
  vendor: { name: 'x', version: '1' },
});

/** Responds to everything but requests for the greeting in the same way. */
export const startMonotonousServer = (type: string, body: string): Promise<TestServer> =>
  serve((request, response) => {
    const isGreeting = request.url === '/';
    response
      .writeHead(200, { 'content-type': isGreeting ? 'application/json' : type })
      .end(isGreeting ? greeting : body);
  });

function write(database: Database, doc: Written): object {
  const generation = Number.parseInt(database.documents.get(doc._id)?.rev ?? '0') + 1;
  const rev = doc._rev ?? `${generation}-${'0'.repeat(32)}`;
  const { _revisions, ...content } = doc;
  database.seq += 1;
  database.documents.set(doc._id, { seq: database.seq, rev, doc: { ...content, _rev: rev } });
  return { ok: true, id: doc._id, rev };
}

function feedOf({ documents, seq: last }: Database, query: URLSearchParams): object {
  const since = query.get('since') === 'now' ? last : Number(query.get('since') ?? 0);
  const results = [...documents]
    .map(([id, { seq, rev, doc }]) => ({
      seq,
      id,
      changes: [{ rev }],
      ...(doc._deleted && { deleted: true }),
      ...(query.get('include_docs') === 'true' && { doc }),
    }))
    .filter(({ seq }) => seq > since)
    .sort((a, b) => a.seq - b.seq);
  return { results, last_seq: last, pending: 0 };
}
