/**
 * Rendered rows in memory, which all feeds share. The tables hold the truth: rows are rendered from them when a feed needs
 * them first.
 *
 * A row never changes while it exists, because each change of a document takes a new position. So all that can happen to
 * cached rows is that their documents move to later positions.
 */
import { LRUCache } from 'lru-cache';
import type { Database, Positions } from '../store/database.js';
import type { DocumentRow } from '../store/tables.js';
import { batch } from './reader.js';
import type { Page, Source } from './round-reader.js';
import type { RenderedRow } from './rows.js';

/** Number of positions that one segment covers at most. */
const segmentSize = batch.rows;

/** If a segment lacks only this many positions that a feed needs, they become part of the same page. */
const fewPositions = 50;

/** Estimated memory of a row in addition to its text. */
const rowOverhead = 150;
/** The same of a segment, with the texts of its rows that feeds send. */
const segmentOverhead = 1000;

/** Rendered rows of consecutive changes. */
interface Segment {
  /** The range that has been rendered. */
  readonly range: Positions;
  /** Number of documents in the range, including those without rows. */
  readonly documents: number;
  readonly rows: RenderedRow[];
  /** Position of the database when documents that had changed again were removed. */
  checkedAt: number;
}

/**
 * Sizes are in characters, twice because of the text that feeds send. Longer segments are not kept, so a client that stalls
 * does not hold more than that.
 */
const segments = new LRUCache<string, Segment>({
  maxSize: 32 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ rows }) =>
    rows.reduce((size, { json }) => size + 2 * json.length + rowOverhead, segmentOverhead),
});

/** The pages that feeds have read last. */
const pages = new LRUCache<string, Promise<Page<RenderedRow> | undefined>>({ max: 64 });

export interface Rendering {
  /** Unique key of what `render` does. */
  readonly key: string;
  /** Whether `render` needs the content of documents. */
  readonly bodies: boolean;
  /** Returns the rows of the documents that pass the filter. It may only depend on the documents. */
  readonly render: (found: readonly DocumentRow[]) => Promise<RenderedRow[]>;
}

/** Reads rows in ascending order from the cache, and adds missing rows to it. */
export class RowCache implements Source<RenderedRow> {
  readonly #database: Database;
  readonly #rendering: Rendering;

  constructor(database: Database, rendering: Rendering) {
    this.#database = database;
    this.#rendering = rendering;
  }

  /** Feeds that wait for changes read the same page at the same time, and one of them renders it. */
  async read(range: Positions): Promise<Page<RenderedRow> | undefined> {
    const { instance, position } = this.#database;
    const key = `${instance}/${position}/${range.after}/${range.upTo}/${this.#rendering.key}`;
    // If the other feed ends or fails, this feed renders the page itself.
    const other = pages.get(key);
    const shared = other && (await other.catch(() => undefined));
    if (shared) return shared;
    const page = this.#readPage(range);
    pages.set(key, page);
    return page;
  }

  async #readPage(range: Positions): Promise<Page<RenderedRow> | undefined> {
    const first = this.#database.firstPosition(range);
    if (first === undefined) return undefined;
    const number = Math.floor((first - 1) / segmentSize);
    const key = `${this.#database.instance}/${number}/${this.#rendering.key}`;
    const upTo = Math.min(range.upTo, (number + 1) * segmentSize);
    let segment = this.#find(key);
    if (!segment || first <= segment.range.after || first > segment.range.upTo) {
      const rendered = await this.#render({ after: first - 1, upTo });
      const previous = segments.get(key);
      // There are no documents between `range.after` and `first`.
      const isNext =
        previous !== undefined && range.after <= previous.range.upTo && previous.range.upTo < first;
      segment = isNext ? join(previous, rendered) : rendered;
      segments.set(key, segment);
    } else if (segment.range.upTo < upTo && upTo - segment.range.upTo <= fewPositions) {
      // A feed sends each page in a chunk of its own, which takes longer than rendering a few rows.
      segment = join(segment, await this.#render({ after: segment.range.upTo, upTo }));
      segments.set(key, segment);
    }
    return {
      rows: rowsIn(segment.rows, { after: range.after, upTo }),
      rest: { after: Math.min(segment.range.upTo, upTo), upTo: range.upTo },
    };
  }

  /** Finds a segment and removes the rows of documents that have changed again. */
  #find(key: string): Segment | undefined {
    const segment = segments.get(key);
    const { position } = this.#database;
    if (!segment || segment.checkedAt === position) return segment;
    segment.checkedAt = position;
    if (this.#database.countPositions(segment.range) === segment.documents) return segment;
    const positions = new Set(this.#database.positions(segment.range));
    const rows = segment.rows.filter((row) => positions.has(row.position));
    const current = { ...segment, rows, documents: positions.size };
    segments.set(key, current);
    return current;
  }

  async #render(range: Positions): Promise<Segment> {
    const checkedAt = this.#database.position;
    const found = this.#database.changes(range, false, this.#rendering.bodies, batch);
    const rows = await this.#rendering.render(found);
    const upTo = found.at(-1)?.position ?? range.upTo;
    return { range: { ...range, upTo }, documents: found.length, rows, checkedAt };
  }
}

function join(previous: Segment, next: Segment): Segment {
  return {
    range: { after: previous.range.after, upTo: next.range.upTo },
    documents: previous.documents + next.documents,
    rows: [...previous.rows, ...next.rows],
    checkedAt: Math.min(previous.checkedAt, next.checkedAt),
  };
}

function rowsIn(rows: RenderedRow[], { after, upTo }: Positions): RenderedRow[] {
  const [from, to] = [countUpTo(rows, after), countUpTo(rows, upTo)];
  return from === 0 && to === rows.length ? rows : rows.slice(from, to);
}

/** Number of rows up to a position, by binary search. */
function countUpTo(rows: readonly RenderedRow[], position: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle]!.position <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}
