/** A server in the making: the greeting, databases, `_bulk_docs` and the normal feed by GET, nothing else. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve, type TestServer } from './server.js';

interface Written {
  readonly _id: string;
  readonly _rev?: string;
  readonly _deleted?: boolean;
}

interface Database {
  /** By id, the last revision and its position in the feed. */
  readonly documents: Map<string, { readonly seq: number; readonly rev: string; readonly doc: Written }>;
  seq: number;
}

const missing = { status: 404, body: { error: 'not_found', reason: 'missing' } };

export function startUnfinishedServer(): Promise<TestServer> {
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
        const { docs } = JSON.parse(await text(request)) as { docs: Written[] };
        return { status: 201, body: docs.map((doc) => write(database, doc)) };
      }
      case 'GET _changes':
        return database ? { status: 200, body: feedOf(database, searchParams) } : missing;
      default:
        return missing;
    }
  };
  return serve((request, response) => {
    void answer(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
}

function write(database: Database, doc: Written): object {
  const generation = Number.parseInt(database.documents.get(doc._id)?.rev ?? '0') + 1;
  const rev = doc._rev ?? `${generation}-${'0'.repeat(32)}`;
  database.seq += 1;
  database.documents.set(doc._id, { seq: database.seq, rev, doc: { ...doc, _rev: rev } });
  return { ok: true, id: doc._id, rev };
}

function feedOf({ documents, seq: last }: Database, query: URLSearchParams): object {
  const since = query.get('since') === 'now' ? last : Number(query.get('since') ?? 0);
  const results = [...documents]
    .map(([id, { seq, rev, doc }]) => ({
      ...{ seq, id, changes: [{ rev }] },
      ...(doc._deleted && { deleted: true }),
      ...(query.get('include_docs') === 'true' && { doc }),
    }))
    .filter(({ seq }) => seq > since)
    .sort((a, b) => a.seq - b.seq);
  return { results, last_seq: last, pending: 0 };
}
