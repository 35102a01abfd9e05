/** A database that a replicator writes to, and what it contains. */
import { type Administrator, startServer } from '../../reference/index.js';
import { documentPath } from '../http/document-requests.js';
import { type Arrival, feedReaders } from '../play/feed-readers.js';
import { Front } from './front.js';
import type { Scenario } from './scenario.js';
import type { Group } from './scenario-histories.js';
import type { Statement } from './statements.js';

export interface TargetDatabase {
  /** Stands before it. */
  readonly front: Front;
  /** With credentials. */
  readonly url: string;
  /** A document with its attachments. */
  readonly read: (id: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Refuses the documents of a group. */
const refusal = (group: Group): string =>
  `function (doc) { if (doc.group === '${group}') throw { forbidden: 'This database takes no documents of group ${group}.' }; }`;

/**
 * Starts a plain server with a database and a front before it, and calls `learn` for each change in the database.
 *
 * @param ofScenario what happens to requests for it, and whether it refuses some documents
 */
export async function startTarget(
  admin: Administrator,
  { treatments = [], refusesGroup }: NonNullable<Scenario['target']>,
  learn: (statement: Statement) => void,
): Promise<TargetDatabase> {
  const server = await startServer({
    admin,
    config: { chttpd_auth: { iterations: '1' } },
    log: { level: 'error' },
  });
  const url = new URL('/target', server.url);
  const headers = {
    authorization: `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`,
  };
  await fetch(url, { method: 'PUT', headers });
  if (refusesGroup) {
    const validate_doc_update = refusal('b');
    await fetch(`${url.href}/_design/refusal`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ validate_doc_update }),
    });
  }
  const feed = new AbortController();
  const { body } = await fetch(
    `${url.href}/_changes?feed=continuous&heartbeat=true&style=all_docs&since=now`,
    { headers, signal: feed.signal },
  );
  learnRows(body!, learn).catch((error: unknown) => {
    // The end of the trial breaks the feed.
    if (!feed.signal.aborted) throw error;
  });
  const front = new Front(treatments);
  front.upstream = new URL(server.url);
  await front.listen();
  const [username, password] = [admin.name, admin.password].map(encodeURIComponent);
  return {
    front,
    url: Object.assign(new URL('/target', front.url), { username, password }).href,
    read: async (id) => (await fetch(`${url.href}${documentPath(id)}?attachments=true`, { headers })).json(),
    async stop() {
      feed.abort();
      await front.stop();
      await server.stop();
    },
  };
}

async function learnRows(
  body: AsyncIterable<Uint8Array>,
  learn: (statement: Statement) => void,
): Promise<void> {
  const arrivals: Arrival[] = [];
  const read = feedReaders.continuous(arrivals);
  for await (const bytes of body) {
    read({ bytes });
    for (const arrival of arrivals.splice(0)) {
      if (arrival.kind !== 'row') continue;
      const { id, revs, value } = arrival.row;
      learn({ id, rev: revs[0]!, deleted: value['deleted'] === true, leaves: revs.toSorted() });
    }
  }
}
