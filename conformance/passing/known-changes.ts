/** The changes of a database that are known for certain, and which of them a feed must deliver. */
import { LRUCache } from 'lru-cache';
import type { RecordedExchange } from '../../reports/report.js';
import { atMost } from './at-most.js';

/** A change of a document that every feed from its beginning has from now on: a later one may take its place. */
export interface KnownChange {
  readonly id: string;
  readonly rev: string;
  /** Whether the revision is a deletion, as far as the row or the request says so. */
  readonly isDeleted: boolean | undefined;
  /** When it had certainly not happened yet, on the clock of the proxy. Nothing for one that only a row has shown. */
  readonly startedAt: number | undefined;
  /** When the response had passed that shows or acknowledges it. */
  readonly endedAt: number;
  readonly record: () => RecordedExchange;
}

/** An acknowledged write of a document. It starts when its request does. */
export interface KnownWrite extends KnownChange {
  readonly startedAt: number;
  /** The revision that the request named, which this one has replaced. */
  readonly replaced: string | undefined;
}

/** The changes that a feed must deliver, with the number of rows until theirs: `Infinity` as long as it has none. */
export type Deliveries = Map<KnownChange, number>;

/** What is known of a position in the order of changes since a feed gave it first. */
export interface Reached {
  /** When the target had certainly reached it. */
  readonly at: number;
  /** What the feed that gave it had to deliver, and how many of its rows came before. */
  readonly deliveries?: Deliveries | undefined;
  readonly rows: number;
}

/** For each database. */
const maxWrites = 2000;
const maxShown = 2000;
const maxDelivered = maxWrites + maxShown;
const maxDeliveries = 100;

export class KnownChanges {
  readonly #writes = new LRUCache<string, KnownWrite>(atMost(maxWrites));
  /** What rows have shown of documents that nobody has written while this looked on. */
  readonly #shown = new LRUCache<string, KnownChange>(atMost(maxShown));
  /** Those of the last feeds. Positions in earlier ones keep only their time. */
  readonly #deliveries = new LRUCache<Deliveries, true>({
    ...atMost(maxDeliveries),
    dispose: (_, deliveries) => deliveries.clear(),
  });

  addWrite(write: KnownWrite): void {
    this.#shown.delete(write.id);
    this.#writes.set(write.id, write);
  }

  /**
   * @param feed what the feed must deliver that has the row, as far as that is known, how many rows it has had, and whether
   *   it stays open: it would learn ever more that it has delivered
   */
  addRow(
    { id, rev, ...rest }: Omit<KnownChange, 'startedAt'>,
    { deliveries, rows, isLive }: Pick<Reached, 'deliveries' | 'rows'> & { readonly isLive: boolean },
  ): void {
    const known = this.lastOf(id);
    const isShown = !this.#writes.has(id);
    const isKnown = known !== undefined && (!isShown || known.rev === rev);
    const change = isKnown ? known : { id, rev, startedAt: undefined, ...rest };
    if (isShown) this.#shown.set(id, change);
    if (!deliveries) return;
    const delivered = deliveries.get(change);
    const isLearnt = delivered === undefined && isShown && !isLive && deliveries.size < maxDelivered;
    if (delivered === Infinity || isLearnt) deliveries.set(change, rows);
  }

  /** The last known write of the document. */
  writeOf(id: string): KnownWrite | undefined {
    return this.#writes.peek(id);
  }

  /** The last known change of the document. */
  lastOf(id: string): KnownChange | undefined {
    return this.#writes.peek(id) ?? this.#shown.peek(id);
  }

  /**
   * The changes that a feed must deliver because they were known before its request and lie after its `since`: they began
   * when the target had reached it, or the feed that gave it had not delivered them until then.
   *
   * @param start the position of its `since`, unless it has all changes
   * @param covers whether the feed has a row for it
   */
  after(
    start: Reached | undefined,
    requestedAt: number,
    covers: (change: KnownChange) => boolean,
  ): Deliveries {
    const isAfter = (change: KnownChange): boolean =>
      start === undefined ||
      (change.startedAt !== undefined && change.startedAt > start.at) ||
      (start.deliveries?.get(change) ?? 0) > start.rows;
    const due = [...this.#writes.values(), ...this.#shown.values()].filter(
      (change) => change.endedAt < requestedAt && covers(change) && isAfter(change),
    );
    const deliveries: Deliveries = new Map(due.map((change) => [change, Infinity]));
    this.#deliveries.set(deliveries, true);
    return deliveries;
  }

  forget(): void {
    this.#writes.clear();
    this.#shown.clear();
    this.#deliveries.clear();
  }
}
