/** Reads changes as a cluster with several shards does (SERVICE 4.7 rules 3 and 4). */
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenReader } from '../feed/reader.js';
import type { Reader } from '../feed/round-reader.js';
import type { Change, FeedOptions } from '../feed/rows.js';
import type { Database } from '../store/database.js';
import type { Json } from '../store/json.js';
import { parseShardSequence, formatShardSequence, shardOf, type ShardPositions } from './shard-positions.js';
import type { Plan } from './plan.js';
import type { Random } from './random.js';

/** Batch size for counting rows. */
const countBatch = { rows: 1000, characters: Infinity };

/** Wraps a reader so that the order differs in each call, and a resumed feed may start too early. */
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
    // The inner reader rejects a malformed sequence.
    if (!start) return openReader(database, options, filter);
    const repeats = plan.copies > 1 && since !== 'now' && random.upTo(2) === 0;
    const positions = repeats ? rewound(start, random) : start;
    const from = database.sequenceOf(Math.min(...positions)) as string;
    const unlimited = { ...options, start: { ...options.start, since: from }, limit: Infinity };
    return new ShardedReader({
      database,
      options,
      inner: openReader(database, unlimited, filter),
      positions,
      plan,
      random,
    });
  };
}

/** Rewinds one shard: another copy of it only knows an earlier checkpoint. */
function rewound(positions: ShardPositions, random: Random): ShardPositions {
  const behind = random.upTo(positions.length - 1);
  return positions.map((position, shard) => (shard === behind ? random.upTo(position) : position));
}

interface Parameters {
  readonly database: Database;
  readonly options: FeedOptions;
  /** Reads all changes from the earliest position of any shard. */
  readonly inner: Reader<Change>;
  readonly positions: ShardPositions;
  readonly plan: Plan;
  readonly random: Random;
}

class ShardedReader implements Reader<Change> {
  readonly #parameters: Parameters;
  readonly #sent: number[];
  #queue: Change[] = [];
  #left: number;
  #last: Json | undefined;
  #isRoundOver = false;

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
    this.#sent = [...parameters.positions];
    this.#left = parameters.options.limit;
  }

  get exhausted(): boolean {
    return this.#left === 0;
  }

  get upToDate(): boolean {
    return this.#parameters.inner.upToDate;
  }

  get last(): Json {
    const { database, inner, plan, positions } = this.#parameters;
    if (this.#last !== undefined) return this.#last;
    // After a round without rows, all shards are at its end.
    const end = this.#isRoundOver ? database.positionOf(inner.last as string)! : undefined;
    return formatShardSequence(
      database,
      end === undefined ? positions : positions.map(() => end),
      plan.sequences,
    );
  }

  get pending(): number {
    const { inner, options } = this.#parameters;
    if (this.#isRoundOver) return inner.pending;
    return options.query.descending ? this.#queue.length + inner.pending : this.#countAfter(this.#sent);
  }

  renew(): void {
    this.#isRoundOver = false;
    this.#parameters.inner.renew();
  }

  async next(): Promise<Change[] | undefined> {
    const { inner, plan, random } = this.#parameters;
    if (this.exhausted) return undefined;
    // Documents may change again during the pause. Their earlier states are then skipped (SERVICE 4.7 rule 3).
    if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
    if (this.#queue.length === 0) {
      const read = await inner.next();
      this.#isRoundOver = read === undefined;
      if (!read) return undefined;
      this.#queue = this.#interleave(read);
    }
    const rows = this.#queue.splice(0, Math.min(this.#left, 1 + random.upTo(this.#queue.length)));
    this.#left -= rows.length;
    return rows.map((row) => this.#send(row));
  }

  /** Interleaves the shards at random, keeping the order within each. Removes changes that were sent before. */
  #interleave(read: readonly Change[]): Change[] {
    const { positions, plan, random } = this.#parameters;
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

  #send(change: Change): Change {
    const { database, options, plan } = this.#parameters;
    const shard = shardOf(change.id, plan.shards);
    this.#sent[shard] = change.position;
    const positions = options.query.descending ? this.#sent.map(() => change.position) : this.#sent;
    this.#last = formatShardSequence(database, positions, plan.sequences);
    return { ...change, seq: this.#last };
  }

  #countAfter(positions: ShardPositions): number {
    const { database, plan } = this.#parameters;
    const upTo = Math.max(...positions);
    let count = database.countChanges({ after: upTo, upTo: database.position });
    for (let after = Math.min(...positions); after < upTo;) {
      const rows = database.changes({ after, upTo }, false, false, countBatch);
      count += rows.filter(({ id, position }) => position > positions[shardOf(id, plan.shards)]!).length;
      after = rows.at(-1)?.position ?? upTo;
    }
    return count;
  }
}
