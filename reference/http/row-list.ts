/** Response bodies with a list of rows. Large ones are streamed. */
import { Readable } from 'node:stream';
import { Turn } from './turns.js';
import { toJson } from './json-text.js';

/** Length of a piece of a stream, in characters. A reader that stalls costs this much memory, or one row if longer. */
const pieceLength = 256 * 1024;

export interface RowList<Row, Body> {
  /** Rows are taken when the client has received the previous ones, so the database may change between two of them. */
  readonly rows: Iterator<Row>;
  /** Creates the body of a short list. The rows must be its last member. */
  readonly bodyOf: (rows: Row[]) => Body;
  /** Resolves when all changes so far are on disk. The response only has changes that are. */
  readonly flushed: () => Promise<void>;
}

/**
 * Creates the body of a list. It is a stream if it is longer than one piece.
 *
 * Rejects if one of the first rows fails, so that the response is an error. If a later row fails, the stream aborts.
 */
export async function rowListBody<Row, Body>({
  rows,
  bodyOf,
  flushed,
}: RowList<Row, Body>): Promise<Body | Readable> {
  const turn = new Turn();
  const first: Row[] = [];
  let { text, isLast } = await nextPiece((row) => first.push(row));
  if (isLast) return bodyOf(first);
  const opening = JSON.stringify(bodyOf([])).slice(0, -']}'.length);
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });

  async function* pieces(): AsyncGenerator<string, void, void> {
    first.length = 0;
    yield `${opening}\n${text}`;
    while (!isLast) {
      await turn.next();
      ({ text, isLast } = await nextPiece());
      await flushed();
      yield (text && `,\n${text}`) + (isLast ? '\n]}\n' : '');
    }
  }

  async function nextPiece(keep?: (row: Row) => void): Promise<{ text: string; isLast: boolean }> {
    let text = '';
    while (text.length < pieceLength) {
      if (turn.isOver) await turn.next();
      const row = rows.next();
      if (row.done) return { text, isLast: true };
      keep?.(row.value);
      text += (text === '' ? '' : ',\n') + toJson(row.value);
    }
    return { text, isLast: false };
  }
}
