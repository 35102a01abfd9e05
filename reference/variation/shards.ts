/** The changes of a database as a cluster of shards gives them (SERVICE 4.7 rules 3 and 4). */
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenReader, Reader } from '../feed/reader.js';
import type { Change, FeedOptions } from '../feed/rows.js';
import type { Database } from '../store/database.js';
import type { Json } from '../store/json.js';
import { parseShardSequence, formatShardSequence, shardOf, type ShardPositions } from './shard-positions.js';
import type { Plan } from './plan.js';
import type { Random } from './random.js';

/** Rows to read at once when rows are only counted. */
const counted = { rows: 1000, characters: Infinity };

/** Opens feeds whose order differs from call to call, and which after a resume may begin too early. */
export function shardedReader(
  openReader: OpenReader,
  plan: Plan,
  randomFor: (name: string) => Random,
): OpenReader {
  return (database, options, filter) => {
    const random = randomFor(database.name);
    const { since } = options.start;
    const start =
      since === 'now'
        ? Array<number>(plan.shards).fill(database.position)
        : parseShardSequence(database, since, plan.shards);
    // A malformed sequence is refused as ever.
    if (!start) return openReader(database, options, filter);
    const repeats = plan.copies > 1 && since !== 'now' && random.onceIn(3);
    const positions = repeats ? rewound(start, random) : start;
    const from = database.sequenceOf(Math.min(...positions)) as string;
    const whole = { ...options, start: { ...options.start, since: from }, limit: Infinity };
    return new ShardedReader({
      database,
      options,
      inner: openReader(database, whole, filter),
      positions,
      plan,
      random,
    });
  };
}

/** One shard answers from another copy, which knows of an earlier checkpoint only. */
function rewound(positions: ShardPositions, random: Random): ShardPositions {
  const behind = random.upTo(positions.length - 1);
  return positions.map((position, shard) => (shard === behind ? random.upTo(position) : position));
}

interface Parameters {
  readonly database: Database;
  readonly options: FeedOptions;
  /** Reads all changes from the first that any shard has yet to give. */
  readonly inner: Reader;
  readonly positions: ShardPositions;
  readonly plan: Plan;
  readonly random: Random;
}

class ShardedReader implements Reader {
  readonly #of: Parameters;
  readonly #given: number[];
  #waiting: Change[] = [];
  #left: number;
  #last: Json | undefined;
  #isRoundOver = false;

  constructor(parameters: Parameters) {
    this.#of = parameters;
    this.#given = [...parameters.positions];
    this.#left = parameters.options.limit;
  }

  get exhausted(): boolean {
    return this.#left === 0;
  }

  get upToDate(): boolean {
    return this.#of.inner.upToDate;
  }

  get last(): Json {
    const { database, inner, plan, positions } = this.#of;
    if (this.#last !== undefined) return this.#last;
    // A round without a row has nothing left to give either.
    const end = this.#isRoundOver ? database.positionOf(inner.last as string)! : undefined;
    return formatShardSequence(
      database,
      end === undefined ? positions : positions.map(() => end),
      plan.sequences,
    );
  }

  get pending(): number {
    const { inner, options } = this.#of;
    if (this.#isRoundOver) return inner.pending;
    return options.descending ? this.#waiting.length + inner.pending : this.#countAfter(this.#given);
  }

  renew(): void {
    this.#isRoundOver = false;
    this.#of.inner.renew();
  }

  async next(): Promise<Change[] | undefined> {
    const { inner, plan, random } = this.#of;
    if (this.exhausted) return undefined;
    // While it waits, documents may change again: their states of before are then never seen (SERVICE 4.7 rule 3).
    if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
    if (this.#waiting.length === 0) {
      const read = await inner.next();
      this.#isRoundOver = read === undefined;
      if (!read) return undefined;
      this.#waiting = this.#shuffled(read);
    }
    const rows = this.#waiting.splice(0, Math.min(this.#left, 1 + random.upTo(this.#waiting.length)));
    this.#left -= rows.length;
    return rows.map((row) => this.#give(row));
  }

  /** In the order of each shard, but the shards in no order; without what the client has had. */
  #shuffled(read: readonly Change[]): Change[] {
    const { positions, plan, random } = this.#of;
    const queues = Array.from({ length: plan.shards }, (): Change[] => []);
    for (const change of read) {
      const shard = shardOf(change.id, plan.shards);
      if (change.position > positions[shard]!) queues[shard]!.push(change);
    }
    const rows: Change[] = [];
    for (let left = queues; (left = left.filter((queue) => queue.length > 0)).length > 0;)
      rows.push(random.pick(left).shift()!);
    return rows;
  }

  #give(change: Change): Change {
    const { database, options, plan } = this.#of;
    const shard = shardOf(change.id, plan.shards);
    this.#given[shard] = change.position;
    const positions = options.descending ? this.#given.map(() => change.position) : this.#given;
    this.#last = formatShardSequence(database, positions, plan.sequences);
    return { ...change, seq: this.#last };
  }

  #countAfter(positions: ShardPositions): number {
    const { database, plan } = this.#of;
    const upTo = Math.max(...positions);
    let count = database.countChanges({ after: upTo, upTo: database.position });
    for (let after = Math.min(...positions); after < upTo;) {
      const rows = database.changes({ after, upTo }, false, false, counted);
      count += rows.filter(({ id, position }) => position > positions[shardOf(id, plan.shards)]!).length;
      after = rows.at(-1)?.position ?? upTo;
    }
    return count;
  }
}
