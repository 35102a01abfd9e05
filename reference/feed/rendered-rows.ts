import { LRUCache } from 'lru-cache';
import type { DocumentTexts, Filter, Verdicts } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import { batch, filterChanges, openReader, readsBodies, type OpenReader } from './reader.js';
import { listedDocuments } from './listed-documents.js';
import { RowCache, type Rendering } from './row-cache.js';
import { winnerOf } from '../store/tables.js';
import { RoundReader, type Reader, type Source } from './round-reader.js';
import { renderRow, type Change, type FeedOptions, type RenderedRow, type RenderRow } from './rows.js';

/** What determines the rows of a feed. */
export interface RowOptions {
  readonly database: Database;
  readonly options: FeedOptions;
  /** The feed closes the filter when it ends. */
  readonly filter?: Filter | undefined;
  readonly openReader: OpenReader;
  readonly renderRow: RenderRow;
}

/** The rows of a feed as text. */
export interface Rows {
  /** Tells how far the feed is. Only `next` reads. */
  readonly reader: Omit<Reader<unknown>, 'next'>;
  /** As that of a reader. */
  readonly next: () => Promise<RenderedRow[] | undefined>;
}

/**
 * Reads the rows of a feed as text, from the cache if they are the same for other feeds.
 *
 * @throws 400 if `options.start` is not a sequence of the database
 */
export function openRows(request: RowOptions): Rows {
  const { database, options, filter, openReader, renderRow } = request;
  const source = canShareRows(request) ? openSource(request) : undefined;
  if (source) {
    const reader = new RoundReader(database, options, source);
    return { reader, next: () => reader.next() };
  }
  const reader = openReader(database, options, filter);
  let count = 0;
  const next = async () =>
    (await reader.next())?.map((change) => {
      const row = renderRow(database, change, options);
      const hasSequence = count++ % (options.query.seq_interval ?? 1) === 0;
      return renderedRow(change, hasSequence ? row : { ...row, seq: null });
    });
  return { reader, next };
}

/** Whether the rows only depend on documents and options, so that other feeds can use them, and are not too large. */
function canShareRows({ options: { query }, ...functions }: RowOptions): boolean {
  // Faults and variations replace these functions by others that may depend on anything.
  const isReplaced = functions.openReader !== openReader || functions.renderRow !== renderRow;
  return (
    !isReplaced &&
    !query.descending &&
    (query.seq_interval ?? 1) === 1 &&
    !(query.include_docs && query.attachments)
  );
}

/** @returns undefined if the results of the filter can only be computed by `Filter.accept` for each feed */
function openSource({ database, options, filter }: RowOptions): Source<RenderedRow> | undefined {
  if (!filter || filter.key !== undefined) return rowCache(database, options, filter);
  const { ids } = filter;
  if (ids && ids.size <= batch.rows) return listedDocuments(database, ids, rendering(database, options));
  if (!filter.texts || options.query.style === 'all_docs') return undefined;
  return filteredRows(rowCache(database, options), textCache(database, filter.texts), filter.texts);
}

function rowCache(database: Database, options: FeedOptions, filter?: Filter): RowCache {
  const { style, include_docs, conflicts, att_encoding_info } = options.query;
  const key = JSON.stringify([style, include_docs && { conflicts, att_encoding_info }, filter?.key]);
  return new RowCache(database, { key, ...rendering(database, options, filter) });
}

const rendering = (database: Database, options: FeedOptions, filter?: Filter): Omit<Rendering, 'key'> => ({
  bodies: readsBodies(options, filter),
  render: async (found) =>
    (await filterChanges(found, database, options, filter)).map((change) =>
      renderedRow(change, renderRow(database, change, options)),
    ),
});

/** The texts of winning revisions that a filter evaluates. */
function textCache(database: Database, { key, render }: DocumentTexts): RowCache {
  return new RowCache(database, {
    key: `texts ${key}`,
    bodies: true,
    render: (found) =>
      Promise.resolve(
        found.map((row) => ({ position: row.position, seq: null, json: render(row, winnerOf(row)) })),
      ),
  });
}

/** Number of programs whose verdicts are kept for a page. */
const programsPerPage = 8;

/** The verdicts on pages of texts, by program. A page does not change while it is cached. */
const verdictsOfPages = new WeakMap<readonly RenderedRow[], LRUCache<string, Promise<Verdicts>>>();

/** Rows of a filter that evaluates the texts of documents. */
const filteredRows = (rows: RowCache, texts: RowCache, documents: DocumentTexts): Source<RenderedRow> => ({
  async read(range) {
    const page = await texts.read(range);
    if (!page) return undefined;
    const { passes } = await verdictsOn(page.rows, documents);
    const accepted = new Set(page.rows.filter((_, index) => passes[index]).map(({ position }) => position));
    const found: RenderedRow[] = [];
    // Documents that have changed since then have a row in a later round.
    for (let after = range.after; accepted.size > 0 && after < page.rest.after;) {
      const read = await rows.read({ after, upTo: page.rest.after });
      if (!read) break;
      found.push(...read.rows.filter(({ position }) => accepted.has(position)));
      after = read.rest.after;
    }
    return { rows: found, rest: page.rest };
  },
});

/** Feeds with the same function share its verdicts, unless they depend on the request or the time. */
async function verdictsOn(
  texts: readonly RenderedRow[],
  { program, accept }: DocumentTexts,
): Promise<Verdicts> {
  const known = verdictsOfPages.get(texts) ?? new LRUCache({ max: programsPerPage });
  verdictsOfPages.set(texts, known);
  // If the other feed ends or fails, this feed evaluates the texts itself.
  const other = await known.get(program)?.catch(() => undefined);
  if (other?.isPure) return other;
  const verdicts = accept(texts.map(({ json }) => json));
  known.set(program, verdicts);
  return verdicts;
}

const renderedRow = ({ position }: Change, row: ReturnType<RenderRow>): RenderedRow => ({
  position,
  seq: row.seq as RenderedRow['seq'],
  json: JSON.stringify(row),
});
