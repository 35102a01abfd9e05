/** A database that a replicator writes to, and what it contains. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Administrator, startServer } from '../../reference/index.js';
import type { Statement } from './statements.js';

export interface TargetDatabase {
  /** With credentials. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

interface Row {
  readonly id: string;
  readonly changes?: readonly { readonly rev: string }[];
  readonly deleted?: boolean;
}

/** Starts a plain server with an empty database, and calls `learn` for each change in it. */
export async function startTarget(
  admin: Administrator,
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
  const feed = new AbortController();
  const { body } = await fetch(`${url.href}/_changes?feed=continuous&heartbeat=true&style=all_docs`, {
    headers,
    signal: feed.signal,
  });
  const lines = createInterface({ input: Readable.fromWeb(body as ReadableStream) });
  // The end of the trial breaks the feed.
  lines.on('error', () => {});
  lines.on('line', (line) => {
    if (line === '') return;
    const { id, changes = [], deleted = false } = JSON.parse(line) as Row;
    learn({ id, rev: changes[0]!.rev, deleted, leaves: changes.map(({ rev }) => rev).sort() });
  });
  const [username, password] = [admin.name, admin.password].map(encodeURIComponent);
  return {
    url: Object.assign(url, { username, password }).href,
    async stop() {
      feed.abort();
      await server.stop();
    },
  };
}
