import { LRUCache } from 'lru-cache';
import type { DocumentTexts, Filter, Verdicts } from '../filters/filter.js';
import type { Database } from '../store/database.js';
import { batch, filterChanges, openReader, readsBodies, type OpenReader } from './reader.js';
import { listedDocuments } from './listed-documents.js';
import { RowCache, type Rendering } from './row-cache.js';
import { winnerOf } from '../store/tables.js';
import { RoundReader, type Reader, type Source } from './round-reader.js';
import {
  contentOf,
  renderRow,
  type Change,
  type FeedOptions,
  type RenderedRow,
  type RenderRow,
  type RowContent,
} from './rows.js';
import { toJson } from '../http/json-text.js';

/** What determines the rows of a feed. */
export interface RowOptions {
  readonly database: Database;
  readonly options: FeedOptions;
  /** The feed closes the filter when it ends. */
  readonly filter?: Filter | undefined;
}

/** The rows of a feed as text. */
export interface Rows {
  /** Tells how far the feed is. Only `next` reads. */
  readonly reader: Omit<Reader<unknown>, 'next'>;
  /** As that of a reader. */
  readonly next: () => Promise<RenderedRow[] | undefined>;
}

interface RowFunctions {
  readonly openReader: OpenReader;
  readonly renderRow: RenderRow;
}

/** Reads the rows of feeds. */
export interface RowSource extends RowFunctions {
  /** @throws 400 if `options.start` is not a sequence of the database */
  readonly open: (request: RowOptions) => Rows;
  /**
   * The source with other functions. Those may depend on anything, so no feed uses the rows of another.
   */
  readonly with: (functions: Partial<RowFunctions>) => RowSource;
}

const rowSource = (functions: RowFunctions, open: RowSource['open']): RowSource => ({
  ...functions,
  open,
  with(others) {
    const changed = { ...functions, ...others };
    return rowSource(changed, (request) => openOwnRows(request, changed));
  },
});

/** Takes rows from the cache if they are the same for other feeds. */
export const rowsOfFeeds: RowSource = rowSource({ openReader, renderRow }, (request) => {
  const { database, options } = request;
  const source = canShareRows(options) ? openSource(request) : undefined;
  if (!source) return openOwnRows(request, { openReader, renderRow });
  const reader = new RoundReader(database, options, source);
  return { reader, next: () => reader.next() };
});

/** Rows that only one feed uses. */
function openOwnRows(
  { database, options, filter }: RowOptions,
  { openReader, renderRow }: RowFunctions,
): Rows {
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

/** Whether other feeds can use the rows: in ascending order, each with its sequence, and not too large. */
const canShareRows = ({ query }: FeedOptions): boolean =>
  !query.descending && (query.seq_interval ?? 1) === 1 && !(query.include_docs && query.attachments);

/** @returns undefined if the results of the filter can only be computed by `Filter.accept` for each feed */
function openSource({ database, options, filter }: RowOptions): Source<RenderedRow> | undefined {
  const content = contentOf(options.query);
  if (!filter || filter.key !== undefined) return rowCache(database, content, filter);
  const { ids } = filter;
  if (ids && ids.size <= batch.rows) return listedDocuments(database, ids, rendering(database, content));
  if (!filter.texts || content.style === 'all_docs') return undefined;
  return filteredRows(rowCache(database, content), textCache(database, filter.texts), filter.texts);
}

/** All that `rendering` is given is in the key, so a row is never that of another request. */
const rowCache = (database: Database, content: RowContent, filter?: Filter): RowCache =>
  new RowCache(database, {
    key: JSON.stringify([content, filter?.key]),
    ...rendering(database, content, filter),
  });

const rendering = (database: Database, content: RowContent, filter?: Filter): Omit<Rendering, 'key'> => ({
  bodies: readsBodies(content, filter),
  render: async (found) =>
    (await filterChanges(found, database, content, filter)).map((change) =>
      renderedRow(change, renderRow(database, change, { query: content })),
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
  json: toJson(row),
});
