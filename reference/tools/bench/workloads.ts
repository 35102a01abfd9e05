/** The workloads. Each verifies the number of rows that it receives. */
import { randomBytes } from 'node:crypto';
import { median } from 'simple-statistics';
import { documentOf, type Dataset } from './dataset.js';
import type { BenchmarkTarget } from './target.js';

export interface Workload {
  readonly name: string;
  readonly unit: 'ms' | 'rows/s' | 'writes/s';
  /** Measures once and returns the result in this unit. */
  readonly measure: (dataset: Dataset) => Promise<number>;
}

/** Size of one measurement of workloads that write. */
export interface Size {
  readonly longpolls: number;
  readonly feeds: number;
  readonly writesToFeeds: number;
  readonly singleWrites: number;
  /** Number of requests with 500 documents each. */
  readonly bulkWrites: number;
}

export const defaultSize: Size = {
  longpolls: 20,
  feeds: 200,
  writesToFeeds: 50,
  singleWrites: 200,
  bulkWrites: 8,
};

export const workloadsOf = (size: Size): Workload[] => [
  { name: 'feed-normal', unit: 'ms', measure: (dataset) => read(dataset, '', dataset.documents) },
  {
    name: 'feed-include-docs',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'include_docs=true', dataset.documents),
  },
  {
    name: 'feed-all-docs-conflicts',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'style=all_docs&include_docs=true&conflicts=true', dataset.documents),
  },
  {
    name: 'feed-descending',
    unit: 'ms',
    measure: (dataset) => read(dataset, 'descending=true', dataset.documents),
  },
  {
    name: 'filter-selector',
    unit: 'ms',
    measure: (dataset) =>
      read(dataset, 'filter=_selector', (dataset.documents - 1) / 2, {
        selector: { value: { $lt: (dataset.documents - 1) / 2 } },
      }),
  },
  {
    name: 'filter-function',
    unit: 'ms',
    measure: (dataset) => read(dataset, `filter=bench/even&since=${dataset.since}`, dataset.rest / 2),
  },
  {
    name: 'filter-view',
    unit: 'ms',
    measure: (dataset) =>
      read(dataset, `filter=_view&view=bench/even&since=${dataset.since}`, dataset.rest / 2),
  },
  { name: 'longpoll-latency', unit: 'ms', measure: ({ target }) => inFreshDatabase(target, latency, size) },
  {
    name: 'feeds-open',
    unit: 'rows/s',
    measure: ({ target }) => inFreshDatabase(target, rowsToOpenFeeds, size),
  },
  {
    name: 'write-single',
    unit: 'writes/s',
    measure: ({ target }) => inFreshDatabase(target, singleWrites, size),
  },
  {
    name: 'write-bulk',
    unit: 'writes/s',
    measure: ({ target }) => inFreshDatabase(target, bulkWrites, size),
  },
];

/** Measures a complete normal feed. */
async function read({ target, path }: Dataset, query: string, rows: number, body?: unknown): Promise<number> {
  const start = performance.now();
  const text = await target.send(body === undefined ? 'GET' : 'POST', `${path}/_changes?${query}`, body);
  const duration = performance.now() - start;
  expect(rowsIn(text), rows, `${target.title}: rows of _changes?${query}`);
  return duration;
}

/** Measures the time from sending a write to the end of the longpoll response. Returns the median. */
async function latency(target: BenchmarkTarget, path: string, { longpolls }: Size): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < longpolls; number++) {
    const { body } = await target.open('GET', `${path}/_changes?feed=longpoll&since=now&timeout=30000`);
    const start = performance.now();
    const [text] = await Promise.all([body.text(), write(target, path, number)]);
    times.push(performance.now() - start);
    expect(rowsIn(text), 1, `${target.title}: rows of a longpoll`);
  }
  return median(times);
}

async function write(target: BenchmarkTarget, path: string, number: number): Promise<void> {
  const { _id, ...document } = documentOf(number);
  await target.send('PUT', `${path}/${_id}`, document);
}

/** Measures the rows per second that many continuous feeds receive in total while one client writes. */
async function rowsToOpenFeeds(
  target: BenchmarkTarget,
  path: string,
  { feeds, writesToFeeds }: Size,
): Promise<number> {
  const query = `feed=continuous&since=now&limit=${writesToFeeds}&timeout=30000`;
  const opened = await Promise.all(
    Array.from({ length: feeds }, () => target.open('GET', `${path}/_changes?${query}`)),
  );
  const start = performance.now();
  const ended = opened.map(({ body }) => body.text());
  for (let number = 0; number < writesToFeeds; number++) await write(target, path, number);
  const rows = rowsIn((await Promise.all(ended)).join(''));
  expect(rows, feeds * writesToFeeds, `${target.title}: rows of open feeds`);
  return perSecond(rows, start);
}

async function singleWrites(
  target: BenchmarkTarget,
  path: string,
  { singleWrites: writes }: Size,
): Promise<number> {
  const start = performance.now();
  for (let number = 0; number < writes; number++) await write(target, path, number);
  return perSecond(writes, start);
}

async function bulkWrites(
  target: BenchmarkTarget,
  path: string,
  { bulkWrites: requests }: Size,
): Promise<number> {
  const size = 500;
  const start = performance.now();
  for (let first = 0; first < requests * size; first += size) {
    const docs = Array.from({ length: size }, (_, index) => documentOf(first + index));
    await target.send('POST', `${path}/_bulk_docs`, { docs });
  }
  return perSecond(requests * size, start);
}

async function inFreshDatabase(
  target: BenchmarkTarget,
  measure: (target: BenchmarkTarget, path: string, size: Size) => Promise<number>,
  size: Size,
): Promise<number> {
  const path = `/docfeed-bench-${randomBytes(4).toString('hex')}`;
  await target.send('PUT', path);
  try {
    return await measure(target, path, size);
  } finally {
    await target.send('DELETE', path);
  }
}

const rowsIn = (text: string): number => text.split('"changes":[').length - 1;

const perSecond = (count: number, start: number): number => (count * 1000) / (performance.now() - start);

function expect(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${expected}, got ${actual}`);
}
