/** The workloads that run on every server. Each verifies what it receives. To add a workload, add an entry here. */
import { setMaxListeners } from 'node:events';
import { meanTime, medianOf, range, timed } from '../measure.js';
import { createDatabase, documentOf } from './dataset.js';
import { bareHttp, quickjsAlone, sqlAlone, type Floor, type Work } from './floors.js';
import type { Client } from '../client.js';

/** What a workload measures; less is better. */
export type Unit = 'ms' | 'ms/row' | 'ms/write' | 'ms/document' | 'ms/request' | 'MiB' | 'requests';

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Measures once and returns the result in this unit. */
  readonly measure: Work;
  readonly floor?: Floor;
  /** `--check` fails if the result is higher. For counts and differences, which depend little on the machine. */
  readonly max?: number;
  /** Why another server may take very much longer. */
  readonly note?: string;
}

const sharedVerdicts =
  'docfeed keeps what a function decided about each document and shares it between requests, so only the first ' +
  'request runs the function. Without that, every request runs it for every document.';

/** Size of one measurement of workloads that write. */
export type Size = typeof defaultSize;

export const defaultSize = {
  longpolls: 20,
  feeds: 200,
  writesToFeeds: 50,
  singleWrites: 200,
  /** Number of requests with 500 documents each. */
  bulkWrites: 8,
  sessions: 200,
};

interface Read extends Pick<Workload, 'floor' | 'note'> {
  /** The median of this many requests counts. Default 1. */
  readonly times?: number;
  /** Rows of the response. Default: all, which are those of the documents and of the design document. */
  readonly rows?: (documents: number) => number;
  /** Body of a POST request. */
  readonly body?: (documents: number) => object;
}

/** Measures complete normal feeds. */
const read = (
  name: string,
  title: string,
  query: string,
  { times = 1, rows = (documents) => documents + 1, body, ...more }: Read = {},
): Workload => ({
  name,
  title,
  unit: 'ms',
  ...more,
  measure: ({ target, path, documents }) =>
    medianOf(times, async () => {
      const method = body ? 'POST' : 'GET';
      let text = '';
      const duration = await timed(async () => {
        text = await target.read(method, `${path}/_changes?${query}`, body?.(documents));
      });
      expect(rowsIn(text), rows(documents), `${target.title}: rows of _changes?${query}`);
      return duration;
    }),
});

const half = (documents: number): number => documents / 2;

export const workloadsOf = (size: Size): Workload[] => [
  read('feed-normal', 'Normal feed, all rows', '', { times: 5, floor: bareHttp('', 5) }),
  read('feed-include-docs', 'Normal feed with include_docs', 'include_docs=true', {
    times: 5,
    floor: bareHttp('include_docs=true', 5),
  }),
  read(
    'feed-all-docs-conflicts',
    'Normal feed with style=all_docs, include_docs and conflicts',
    'style=all_docs&include_docs=true&conflicts=true',
  ),
  read('feed-descending', 'Normal feed, descending', 'descending=true'),
  read('feed-limit', 'Normal feed with limit=100', 'limit=100', { times: 20, rows: () => 100 }),
  read('feed-doc-ids', 'Ten documents by _doc_ids', 'filter=_doc_ids', {
    times: 20,
    rows: () => 10,
    body: () => ({ doc_ids: range(0, 10).map((number) => documentOf(number)._id) }),
  }),
  read('filter-selector', 'Selector that accepts half of the documents', 'filter=_selector', {
    rows: half,
    body: (documents) => ({ selector: { value: { $lt: half(documents) } } }),
  }),
  read('filter-function', 'JavaScript filter that accepts half of the documents', 'filter=bench/even', {
    rows: half,
    note: sharedVerdicts,
  }),
  read('filter-request', 'JavaScript filter that reads the request', 'filter=bench/rest&rest=0', {
    rows: half,
    floor: quickjsAlone,
  }),
  read('filter-view', 'View as filter, half of the documents', 'filter=_view&view=bench/even', {
    rows: half,
    note: sharedVerdicts,
  }),
  {
    name: 'longpoll-latency',
    title: 'Long poll, from the write to the delivery',
    unit: 'ms',
    measure: ({ target }) => inFreshDatabase(target, (path) => latency(target, path, size.longpolls)),
    floor: bareHttp('limit=1', 6),
  },
  {
    name: 'feeds-open',
    title: `${size.feeds} continuous feeds, ${size.writesToFeeds} writes`,
    unit: 'ms/row',
    measure: ({ target }) => rowsToOpenFeeds(target, size),
  },
  {
    name: 'write-single',
    title: 'Single PUT',
    unit: 'ms/write',
    measure: ({ target }) => inFreshDatabase(target, (path) => meanWrite(target, path, size.singleWrites)),
    floor: bareHttp('limit=1', 6),
  },
  {
    name: 'write-bulk',
    title: '_bulk_docs with 500 documents',
    unit: 'ms/document',
    measure: ({ target }) => inFreshDatabase(target, (path) => meanBulkWrite(target, path, size.bulkWrites)),
    floor: sqlAlone,
  },
  {
    name: 'session-cookie',
    title: 'GET /_session with a cookie',
    unit: 'ms/request',
    measure: ({ target }) => meanTime(size.sessions, () => target.read('GET', '/_session')),
  },
];

/** Measures the time from sending a write to the end of the longpoll response. */
const latency = (target: Client, path: string, times: number): Promise<number> =>
  medianOf(times, async (number) => {
    const { body } = await target.openOk('GET', `${path}/_changes?feed=longpoll&since=now&timeout=30000`);
    const start = performance.now();
    const [text] = await Promise.all([body.text(), write(target, path, number)]);
    const duration = performance.now() - start;
    expect(rowsIn(text), 1, `${target.title}: rows of a longpoll`);
    return duration;
  });

interface FeedSize extends Pick<Size, 'feeds' | 'writesToFeeds'> {
  /** Time after which the work has failed. */
  readonly maxMs?: number;
}

/**
 * Measures the time for a row that one of many continuous feeds receives while one client writes.
 *
 * @throws Error if the feeds do not end in time, as with a server that ignores `limit`
 */
export const rowsToOpenFeeds = (
  target: Client,
  { feeds, writesToFeeds, maxMs = 180_000 }: FeedSize,
): Promise<number> =>
  inFreshDatabase(target, async (path) => {
    const query = `feed=continuous&since=now&limit=${writesToFeeds}&timeout=30000`;
    const tooSlow = AbortSignal.timeout(maxMs);
    setMaxListeners(0, tooSlow);
    try {
      const open = () => target.openOk('GET', `${path}/_changes?${query}`, undefined, tooSlow);
      const opened = await Promise.all(range(0, feeds).map(open));
      const start = performance.now();
      const ended = Promise.all(opened.map(({ body }) => body.text()));
      const [texts] = await Promise.all([ended, meanWrite(target, path, writesToFeeds)]);
      const rows = rowsIn(texts.join(''));
      const duration = performance.now() - start;
      expect(rows, feeds * writesToFeeds, `${target.title}: rows of open feeds`);
      return duration / rows;
    } catch (error) {
      if (!tooSlow.aborted) throw error;
      throw new Error(`${target.title}: ${feeds} feeds did not end within ${maxMs / 1000} s`, {
        cause: error,
      });
    }
  });

export const meanWrite = (target: Client, path: string, times: number): Promise<number> =>
  meanTime(times, (number) => write(target, path, number));

async function write(target: Client, path: string, number: number): Promise<void> {
  const { _id, ...document } = documentOf(number);
  await target.read('PUT', `${path}/${_id}`, document);
}

export async function meanBulkWrite(target: Client, path: string, times: number): Promise<number> {
  const size = 500;
  const duration = await meanTime(times, (number) => {
    const docs = range(number * size, (number + 1) * size).map(documentOf);
    return target.read('POST', `${path}/_bulk_docs`, { docs });
  });
  return duration / size;
}

export async function inFreshDatabase(
  target: Client,
  measure: (path: string) => Promise<number>,
): Promise<number> {
  const path = await createDatabase(target);
  try {
    return await measure(path);
  } finally {
    await target.read('DELETE', path);
  }
}

const rowsIn = (text: string): number => text.split('"changes":[').length - 1;

function expect(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${expected}, got ${actual}`);
}
