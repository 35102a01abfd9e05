/** A client of the kill test that follows a feed, over restarts of the server. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../testing/feed.js';
import { type FeedMode, isRow, readFeed } from '../../testing/read-feed.js';
import type { Life } from './life.js';

export const positionOf = ({ seq }: Pick<Row, 'seq'>): number => parseInt(seq);

/** How a follower reads the feed. To add one, add an entry here. */
interface FollowerKind {
  readonly name: string;
  readonly feed: FeedMode;
  readonly query?: string;
  /** Body of a POST request. */
  readonly body?: object;
  /** Whether the filter accepts a document. Default: it accepts all. */
  readonly accepts?: RegExp;
}

const even = /^writer[02]-/;

/** Design document of the filter function. */
export const filters = { even: `function (doc) { return ${even}.test(doc._id); }` };

export const followerKinds: readonly FollowerKind[] = [
  { name: 'normal', feed: 'normal' },
  { name: 'longpoll', feed: 'longpoll' },
  { name: 'continuous', feed: 'continuous' },
  { name: 'eventsource', feed: 'eventsource' },
  { name: 'filter function', feed: 'continuous', query: '&filter=test/even', accepts: even },
  {
    name: 'selector',
    feed: 'longpoll',
    query: '&filter=_selector',
    accepts: even,
    body: { selector: { _id: { $regex: even.source } } },
  },
];

export class Follower {
  readonly #kind: FollowerKind;
  readonly #path: string;
  /** The last row of each document that the feed has shown. */
  readonly #rows = new Map<string, Row>();
  #since = '0';
  #count = 0;

  constructor(kind: FollowerKind, database: string) {
    this.#kind = kind;
    this.#path = `/${database}/_changes?style=all_docs&timeout=5000&feed=${kind.feed}${kind.query ?? ''}`;
  }

  /** Follows the feed until the life of the server ends. The next life continues where the last one ended. */
  async follow(life: Life): Promise<void> {
    while (await life.attempt(() => this.#request(life)));
  }

  /** @returns the number of rows since the last call */
  takeCount(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }

  async #request({ server: { client }, ending: { signal } }: Life): Promise<true> {
    const { body, feed } = this.#kind;
    const path = `${this.#path}&since=${encodeURIComponent(this.#since)}`;
    const response = await client.openOk(body ? 'POST' : 'GET', path, body, signal);
    for await (const part of readFeed(feed, response.body)) {
      if (isRow(part)) this.#add(part);
      else this.#since = part.last_seq;
    }
    if (feed === 'normal') await pause(100, undefined, { signal });
    return true;
  }

  #add(row: Row): void {
    const isLater = positionOf(row) > parseInt(this.#since);
    assert.ok(isLater, `${this.#kind.name}: ${JSON.stringify(row)} came after ${this.#since}`);
    this.#rows.set(row.id, row);
    this.#since = row.seq;
    this.#count++;
  }

  /** @throws AssertionError if the server has lost a row that it has shown */
  compare(current: readonly Row[]): void {
    const rows = new Map(current.map((row) => [row.id, row]));
    for (const row of this.#rows.values()) {
      const now = rows.get(row.id);
      const problem = `${this.#kind.name}: the feed showed ${JSON.stringify(row)}, and now shows ${JSON.stringify(now)}`;
      assert.ok(now && positionOf(now) >= positionOf(row), problem);
      if (positionOf(now) === positionOf(row)) assert.deepEqual(now, row, problem);
    }
  }

  /** @returns which of the rows the follower has not seen, although its filter accepts their documents */
  missing(current: readonly Row[]): string[] {
    const { name, accepts } = this.#kind;
    return current
      .filter(({ id, seq }) => accepts?.test(id) !== false && this.#rows.get(id)?.seq !== seq)
      .map((row) => `${name}: no row ${JSON.stringify(row)}`);
  }
}
