/** The workloads that run on every server. Each verifies what it receives. To add a workload, add an entry here. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { meanTime, medianOf, timed } from '../measure.js';
import { documentOf, type Dataset } from './dataset.js';
import { bareHttp, quickjsAlone, sqlAlone, type Floor, type Work } from './floors.js';
import type { Client } from '../client.js';

/** What a workload measures; less is better. */
export type Unit =
  'ms' | 'ms/row' | 'ms/write' | 'ms/document' | 'ms/request' | 'MiB' | 'KiB/feed' | 'requests';

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Measures once and returns the result in this unit. */
  readonly measure: Work;
  readonly floor?: Floor | Floor<[Dataset, Work]>;
  /** Why another server may take very much longer. */
  readonly note?: string;
}

const sharedVerdicts =
  'docfeed keeps what a function decided about each document and shares it between requests, so only the first ' +
  'request runs the function. Without that, every request runs it for every document.';

export interface OwnWorkload {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Measures once, on a server of its own. */
  readonly measure: () => Promise<number>;
  readonly floor?: Floor;
  /** `--check` fails if the result is higher. For counts and differences, which depend little on the machine. */
  readonly max?: number;
}

/** Size of one measurement of workloads that write. */
export interface Size {
  readonly longpolls: number;
  readonly feeds: number;
  readonly writesToFeeds: number;
  readonly singleWrites: number;
  /** Number of requests with 500 documents each. */
  readonly bulkWrites: number;
  readonly sessions: number;
}

export const defaultSize: Size = {
  longpolls: 20,
  feeds: 200,
  writesToFeeds: 50,
  singleWrites: 200,
  bulkWrites: 8,
  sessions: 200,
};

export const workloadsOf = (size: Size): Workload[] => [
  {
    name: 'feed-normal',
    title: 'Normal feed, all rows',
    unit: 'ms',
    measure: (dataset) => medianOf(5, () => read(dataset, '', dataset.documents + 1)),
    floor: bareHttp('', 3),
  },
  {
    name: 'feed-include-docs',
    title: 'Normal feed with include_docs',
    unit: 'ms',
    measure: (dataset) => medianOf(5, () => read(dataset, 'include_docs=true', dataset.documents + 1)),
    floor: bareHttp('include_docs=true', 3),
  },
  {
    name: 'feed-all-docs-conflicts',
    title: 'Normal feed with style=all_docs, include_docs and conflicts',
    unit: 'ms',
    measure: (dataset) =>
      read(dataset, 'style=all_docs&include_docs=true&conflicts=true', dataset.documents + 1),
  },
  {
    name: 'feed-descending',
    title: 'Normal feed, descending',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'descending=true', dataset.documents + 1),
  },
  {
    name: 'feed-limit',
    title: 'Normal feed with limit=100',
    unit: 'ms',
    measure: (dataset) => medianOf(20, () => read(dataset, 'limit=100', 100)),
  },
  {
    name: 'feed-doc-ids',
    title: 'Ten documents by _doc_ids',
    unit: 'ms',
    measure: (dataset) => {
      const ids = Array.from({ length: 10 }, (_, index) => documentOf(index)._id);
      return medianOf(20, () => read(dataset, 'filter=_doc_ids', 10, { doc_ids: ids }));
    },
  },
  {
    name: 'filter-selector',
    title: 'Selector that accepts half of the documents',
    unit: 'ms',
    measure: (dataset) =>
      read(dataset, 'filter=_selector', dataset.documents / 2, {
        selector: { value: { $lt: dataset.documents / 2 } },
      }),
  },
  {
    name: 'filter-function',
    title: 'JavaScript filter that accepts half of the documents',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'filter=bench/even', dataset.documents / 2),
    note: sharedVerdicts,
  },
  {
    name: 'filter-request',
    title: 'JavaScript filter that reads the request',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'filter=bench/rest&rest=0', dataset.documents / 2),
    floor: quickjsAlone,
  },
  {
    name: 'filter-view',
    title: 'View as filter, half of the documents',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'filter=_view&view=bench/even', dataset.documents / 2),
    note: sharedVerdicts,
  },
  {
    name: 'longpoll-latency',
    title: 'Long poll, from the write to the delivery',
    unit: 'ms',
    measure: ({ target }) => inFreshDatabase(target, latency, size),
    floor: bareHttp('limit=1', 6),
  },
  {
    name: 'feeds-open',
    title: `${size.feeds} continuous feeds, ${size.writesToFeeds} writes`,
    unit: 'ms/row',
    measure: ({ target }) => inFreshDatabase(target, rowsToOpenFeeds, size),
  },
  {
    name: 'write-single',
    title: 'Single PUT',
    unit: 'ms/write',
    measure: ({ target }) => inFreshDatabase(target, singleWrites, size),
    floor: bareHttp('limit=1', 6),
  },
  {
    name: 'write-bulk',
    title: '_bulk_docs with 500 documents',
    unit: 'ms/document',
    measure: ({ target }) => inFreshDatabase(target, bulkWrites, size),
    floor: sqlAlone,
  },
  {
    name: 'session-cookie',
    title: 'GET /_session with a cookie',
    unit: 'ms/request',
    measure: ({ target }) => meanTime(size.sessions, () => target.read('GET', '/_session')),
  },
];

/** Measures a complete normal feed. */
async function read({ target, path }: Dataset, query: string, rows: number, body?: unknown): Promise<number> {
  let text = '';
  const duration = await timed(async () => {
    text = await target.read(body === undefined ? 'GET' : 'POST', `${path}/_changes?${query}`, body);
  });
  expect(rowsIn(text), rows, `${target.title}: rows of _changes?${query}`);
  return duration;
}

/** Measures the time from sending a write to the end of the longpoll response. */
function latency(target: Client, path: string, { longpolls }: Size): Promise<number> {
  let number = 0;
  return medianOf(longpolls, async () => {
    const { body } = await target.openOk('GET', `${path}/_changes?feed=longpoll&since=now&timeout=30000`);
    const start = performance.now();
    const [text] = await Promise.all([body.text(), write(target, path, number++)]);
    const duration = performance.now() - start;
    expect(rowsIn(text), 1, `${target.title}: rows of a longpoll`);
    return duration;
  });
}

/**
 * Measures the time for a row that one of many continuous feeds receives while one client writes.
 *
 * @throws Error if the feeds do not end in time, as with a server that ignores `limit`
 */
export async function rowsToOpenFeeds(
  target: Client,
  path: string,
  { feeds, writesToFeeds, maxMs = 180_000 }: FeedSize,
): Promise<number> {
  const query = `feed=continuous&since=now&limit=${writesToFeeds}&timeout=30000`;
  const tooSlow = new AbortController();
  setMaxListeners(0, tooSlow.signal);
  const timer = setTimeout(() => {
    tooSlow.abort(new Error(`${target.title}: ${feeds} feeds did not end within ${maxMs / 1000} s`));
  }, maxMs);
  try {
    const opened = await Promise.all(
      Array.from({ length: feeds }, () =>
        target.openOk('GET', `${path}/_changes?${query}`, undefined, tooSlow.signal),
      ),
    );
    const start = performance.now();
    const ended = Promise.all(opened.map(({ body }) => body.text()));
    const [texts] = await Promise.all([ended, writeAll(target, path, writesToFeeds)]);
    const rows = rowsIn(texts.join(''));
    const duration = performance.now() - start;
    expect(rows, feeds * writesToFeeds, `${target.title}: rows of open feeds`);
    return duration / rows;
  } finally {
    clearTimeout(timer);
  }
}

interface FeedSize extends Pick<Size, 'feeds' | 'writesToFeeds'> {
  /** Time after which the work has failed. */
  readonly maxMs?: number;
}

async function writeAll(target: Client, path: string, count: number): Promise<void> {
  for (let number = 0; number < count; number++) await write(target, path, number);
}

function singleWrites(target: Client, path: string, { singleWrites: writes }: Size): Promise<number> {
  return meanTime(writes, (number) => write(target, path, number));
}

async function write(target: Client, path: string, number: number): Promise<void> {
  const { _id, ...document } = documentOf(number);
  await target.read('PUT', `${path}/${_id}`, document);
}

async function bulkWrites(target: Client, path: string, { bulkWrites: requests }: Size): Promise<number> {
  const size = 500;
  const duration = await meanTime(requests, (number) => {
    const docs = Array.from({ length: size }, (_, index) => documentOf(number * size + index));
    return target.read('POST', `${path}/_bulk_docs`, { docs });
  });
  return duration / size;
}

export async function inFreshDatabase<Options>(
  target: Client,
  measure: (target: Client, path: string, options: Options) => Promise<number>,
  options: Options,
): Promise<number> {
  const path = `/docfeed-bench-${randomBytes(4).toString('hex')}`;
  await target.read('PUT', path);
  try {
    return await measure(target, path, options);
  } finally {
    await target.read('DELETE', path);
  }
}

const rowsIn = (text: string): number => text.split('"changes":[').length - 1;

function expect(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${expected}, got ${actual}`);
}
