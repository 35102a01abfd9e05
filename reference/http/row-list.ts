/** Response bodies with a list of rows. Large ones are streamed. */
import { Readable } from 'node:stream';
import { Turn } from './turns.js';

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

interface Piece<Row> {
  readonly rows: Row[];
  readonly texts: string[];
  readonly isLast: boolean;
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
  const first = await nextPiece(rows);
  if (first.isLast) return bodyOf(first.rows);
  const opening = JSON.stringify(bodyOf([])).slice(0, -']}'.length);
  return Readable.from(write(), { objectMode: false, highWaterMark: 1 });

  async function* write(): AsyncGenerator<string, void, void> {
    let separator = `${opening}\n`;
    for (let piece = first; ; piece = await nextPiece(rows)) {
      const text = piece.texts.map((row, index) => (index === 0 ? separator : ',\n') + row).join('');
      await flushed();
      if (text !== '') yield text;
      if (piece.isLast) break;
      separator = ',\n';
    }
    yield '\n]}\n';
  }
}

async function nextPiece<Row>(source: Iterator<Row>): Promise<Piece<Row>> {
  const turn = new Turn();
  const rows: Row[] = [];
  const texts: string[] = [];
  for (let length = 0; length < pieceLength;) {
    if (turn.isOver) await turn.next();
    const row = source.next();
    if (row.done) return { rows, texts, isLast: true };
    const text = JSON.stringify(row.value);
    rows.push(row.value);
    texts.push(text);
    length += text.length;
  }
  return { rows, texts, isLast: false };
}
