/** What is measured. Each workload counts what it gets and fails when that is not what it must be. */
import { randomBytes } from 'node:crypto';
import { median } from 'simple-statistics';
import { documentOf, type Bed } from './dataset.js';
import type { Side } from './target.js';

export interface Workload {
  readonly name: string;
  readonly unit: 'ms' | 'rows/s' | 'writes/s';
  /** One measurement, in this unit. */
  readonly measure: (bed: Bed) => Promise<number>;
}

/** How much one measurement of what writes does. */
export interface Size {
  readonly longpolls: number;
  readonly feeds: number;
  readonly writesToFeeds: number;
  readonly singleWrites: number;
  /** Requests of 500 documents. */
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
  { name: 'feed-normal', unit: 'ms', measure: (bed) => read(bed, '', bed.documents) },
  { name: 'feed-include-docs', unit: 'ms', measure: (bed) => read(bed, 'include_docs=true', bed.documents) },
  {
    name: 'feed-all-docs-conflicts',
    unit: 'ms',
    measure: (bed) => read(bed, 'style=all_docs&include_docs=true&conflicts=true', bed.documents),
  },
  { name: 'feed-descending', unit: 'ms', measure: (bed) => read(bed, 'descending=true', bed.documents) },
  {
    name: 'filter-selector',
    unit: 'ms',
    measure: (bed) =>
      read(bed, 'filter=_selector', (bed.documents - 1) / 2, {
        selector: { value: { $lt: (bed.documents - 1) / 2 } },
      }),
  },
  {
    name: 'filter-function',
    unit: 'ms',
    measure: (bed) => read(bed, `filter=bench/even&since=${bed.since}`, bed.rest / 2),
  },
  {
    name: 'filter-view',
    unit: 'ms',
    measure: (bed) => read(bed, `filter=_view&view=bench/even&since=${bed.since}`, bed.rest / 2),
  },
  { name: 'longpoll-latency', unit: 'ms', measure: ({ side }) => inFreshDatabase(side, latency, size) },
  { name: 'feeds-open', unit: 'rows/s', measure: ({ side }) => inFreshDatabase(side, rowsToOpenFeeds, size) },
  {
    name: 'write-single',
    unit: 'writes/s',
    measure: ({ side }) => inFreshDatabase(side, singleWrites, size),
  },
  { name: 'write-bulk', unit: 'writes/s', measure: ({ side }) => inFreshDatabase(side, bulkWrites, size) },
];

/** Time of a whole normal feed. */
async function read({ side, path }: Bed, query: string, rows: number, body?: unknown): Promise<number> {
  const start = performance.now();
  const text = await side.send(body === undefined ? 'GET' : 'POST', `${path}/_changes?${query}`, body);
  const took = performance.now() - start;
  expect(rowsIn(text), rows, `${side.title}: rows of _changes?${query}`);
  return took;
}

/** From the sending of a write to the end of the longpoll that tells of it: the median of some. */
async function latency(side: Side, path: string, { longpolls }: Size): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < longpolls; number++) {
    const { body } = await side.open('GET', `${path}/_changes?feed=longpoll&since=now&timeout=30000`);
    const start = performance.now();
    const [text] = await Promise.all([body.text(), write(side, path, number)]);
    times.push(performance.now() - start);
    expect(rowsIn(text), 1, `${side.title}: rows of a longpoll`);
  }
  return median(times);
}

async function write(side: Side, path: string, number: number): Promise<void> {
  const { _id, ...document } = documentOf(number);
  await side.send('PUT', `${path}/${_id}`, document);
}

/** Rows that all of many continuous feeds get a second while one client writes. */
async function rowsToOpenFeeds(side: Side, path: string, { feeds, writesToFeeds }: Size): Promise<number> {
  const query = `feed=continuous&since=now&limit=${writesToFeeds}&timeout=30000`;
  const opened = await Promise.all(
    Array.from({ length: feeds }, () => side.open('GET', `${path}/_changes?${query}`)),
  );
  const start = performance.now();
  const ended = opened.map(({ body }) => body.text());
  for (let number = 0; number < writesToFeeds; number++) await write(side, path, number);
  const rows = rowsIn((await Promise.all(ended)).join(''));
  expect(rows, feeds * writesToFeeds, `${side.title}: rows of open feeds`);
  return perSecond(rows, start);
}

async function singleWrites(side: Side, path: string, { singleWrites: writes }: Size): Promise<number> {
  const start = performance.now();
  for (let number = 0; number < writes; number++) await write(side, path, number);
  return perSecond(writes, start);
}

async function bulkWrites(side: Side, path: string, { bulkWrites: requests }: Size): Promise<number> {
  const size = 500;
  const start = performance.now();
  for (let first = 0; first < requests * size; first += size) {
    const docs = Array.from({ length: size }, (_, index) => documentOf(first + index));
    await side.send('POST', `${path}/_bulk_docs`, { docs });
  }
  return perSecond(requests * size, start);
}

async function inFreshDatabase(
  side: Side,
  measure: (side: Side, path: string, size: Size) => Promise<number>,
  size: Size,
): Promise<number> {
  const path = `/docfeed-bench-${randomBytes(4).toString('hex')}`;
  await side.send('PUT', path);
  try {
    return await measure(side, path, size);
  } finally {
    await side.send('DELETE', path);
  }
}

const rowsIn = (text: string): number => text.split('"changes":[').length - 1;

const perSecond = (count: number, start: number): number => (count * 1000) / (performance.now() - start);

function expect(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual}, not ${expected}`);
}
