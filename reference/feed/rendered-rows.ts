import type { Filter } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import { filterChanges, openReader, readsBodies, type OpenReader } from './reader.js';
import { RowCache } from './row-cache.js';
import { RoundReader, type Reader } from './round-reader.js';
import { renderRow, type Change, type FeedOptions, type RenderedRow, type RenderRow } from './rows.js';

export interface RowOptions {
  readonly database: Database;
  readonly options: FeedOptions;
  readonly filter?: Filter | undefined;
  readonly openReader: OpenReader;
  readonly renderRow: RenderRow;
}

/**
 * Reads the rows of a feed as text, from the cache if they are the same for other feeds.
 *
 * @throws 400 if `options.start` is no sequence of the database
 */
export function openRows(request: RowOptions): Reader<RenderedRow> {
  const { database, options, filter } = request;
  const key = cacheKey(request);
  if (key === undefined) return new RowReader(request);
  const render = async (found: Parameters<typeof filterChanges>[0]) =>
    (await filterChanges(found, database, options, filter)).map((change) =>
      renderedRow(change, renderRow(database, change, options)),
    );
  const cache = new RowCache(database, { key, bodies: readsBodies(options, filter), render });
  return new RoundReader(database, options, cache);
}

/**
 * @returns what the text of the rows depends on besides the documents; undefined if other feeds cannot use them, or if
 *   they may be large
 */
function cacheKey({ options, filter, ...functions }: RowOptions): string | undefined {
  // Faults and variations replace these functions.
  const isReplaced = functions.openReader !== openReader || functions.renderRow !== renderRow;
  const { descending, seqInterval, includeDocs, conflicts, attachments, encodingInfo, allLeaves } = options;
  const isOwn = descending || seqInterval > 1 || (includeDocs && attachments);
  if (isReplaced || isOwn || (filter && filter.key === undefined)) return undefined;
  return JSON.stringify([allLeaves, includeDocs && { conflicts, encodingInfo }, filter?.key]);
}

const renderedRow = ({ position }: Change, row: ReturnType<RenderRow>): RenderedRow => ({
  position,
  seq: row.seq as RenderedRow['seq'],
  json: JSON.stringify(row),
});

/** Renders the changes of a reader for one feed. */
class RowReader implements Reader<RenderedRow> {
  readonly #request: RowOptions;
  readonly #reader: Reader<Change>;
  #count = 0;

  constructor(request: RowOptions) {
    const { openReader, database, options, filter } = request;
    this.#request = request;
    this.#reader = openReader(database, options, filter);
  }

  get exhausted() {
    return this.#reader.exhausted;
  }

  get upToDate() {
    return this.#reader.upToDate;
  }

  get last() {
    return this.#reader.last;
  }

  get pending() {
    return this.#reader.pending;
  }

  renew(): void {
    this.#reader.renew();
  }

  async next(): Promise<RenderedRow[] | undefined> {
    const changes = await this.#reader.next();
    const { database, options, renderRow } = this.#request;
    return changes?.map((change) => {
      const row = renderRow(database, change, options);
      const hasSequence = this.#count++ % options.seqInterval === 0;
      return renderedRow(change, hasSequence ? row : { ...row, seq: null });
    });
  }
}
