/** The normal mode of the feed: all past changes in one JSON object (SERVICE 2.5, 4.7). */
import { Readable } from 'node:stream';
import type { Database } from '../store/database.js';
import { readChanges, type FeedOptions, type RenderRow } from './rows.js';

/** The response as a stream that reads on only when the client has taken what came before. */
export function normalFeed(database: Database, options: FeedOptions, renderRow: RenderRow): Readable {
  return Readable.from(writeFeed(database, options, renderRow), { objectMode: false });
}

/** One row a line, as CouchDB writes it: there are clients that read it by lines. */
function* writeFeed(
  database: Database,
  options: FeedOptions,
  renderRow: RenderRow,
): Generator<string, void, void> {
  yield '{"results":[\n';
  let last: number | undefined;
  for (const changes of readChanges(database, options)) {
    const rows = changes.map((change) => JSON.stringify(renderRow(database, change, options))).join(',\n');
    yield last === undefined ? rows : `,\n${rows}`;
    last = changes.at(-1)!.position;
  }
  const { after, descending } = options;
  const remaining =
    descending && last !== undefined
      ? { after, upTo: last - 1 }
      : { after: last ?? after, upTo: database.position };
  const sequence = JSON.stringify(database.sequenceOf(last ?? after));
  yield `\n],\n"last_seq":${sequence},"pending":${database.countChanges(remaining)}}\n`;
}
