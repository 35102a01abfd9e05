/**
 * What a passer-by knows for certain: who else uses the target is unknown, so that almost nothing is. It is forgotten
 * rather than doubtful.
 */
import { LRUCache } from 'lru-cache';
import type { RecordedExchange } from '../../reports/report.js';
import { toJson } from '../http/parse-json.js';
import type { FeedMode } from '../oracle/allowed-rows.js';

/** A change of a document that every feed from its beginning has from now on: a later one may take its place. */
export interface KnownChange {
  readonly id: string;
  readonly rev: string;
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
  /** Whether the revision is a deletion, if the request says so. */
  readonly isDeleted: boolean | undefined;
}

/** The changes that a feed must deliver, with the number of rows until theirs: `Infinity` as long as it has none. */
export type Deliveries = Map<KnownChange, number>;

/** What is known of a position in the order of changes since a feed gave it first. */
interface Reached {
  /** When the target had certainly reached it. */
  readonly at: number;
  /** What the feed that gave it had to deliver, and how many of its rows came before. */
  readonly deliveries?: Deliveries | undefined;
  readonly rows: number;
}

interface Position extends Reached {
  /** In the last response that had it. */
  readonly place: Place;
  /** The document whose row had it there, if one had. */
  readonly id: string | undefined;
}

/** Where a position is in a line: one response, and others each of which starts where the one before has ended. */
export interface Place {
  readonly line: { length: number };
  readonly index: number;
  /** When the response had it. */
  readonly at: number;
}

/** How many changes come after a position, as a response said. */
export interface Counted {
  readonly pending: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly record: () => RecordedExchange;
}

/**
 * Something that a target can only send if, between two times, the database was deleted and made again, or something was
 * purged from it.
 */
interface Doubt {
  readonly from: number;
  readonly to: number;
  readonly onConfirmed: () => void;
}

/**
 * What a later response must show of a revision: that it is stored, that it is a leaf, or that it is the only one, so that
 * no other has decided what a response has.
 */
export type Shown = 'stored' | 'leaf' | 'only leaf';

/** A revision that a response lacks or has wrongly, unless it is no leaf any more. */
interface Suspicion {
  readonly id: string;
  readonly rev: string;
  readonly as: Shown;
  /** When the response had passed. */
  readonly endedAt: number;
  /** Gets the time at which the revision was shown again. */
  readonly onConfirmed: (at: number) => void;
}

/** The content of a revision, which never changes. */
interface KnownBody {
  /** With its id and revision, and nothing else that the server adds. */
  readonly document: Readonly<Record<string, unknown>>;
  /** When the exchange began that shows it. */
  readonly startedAt: number;
}

/** All leaves of a document. */
interface KnownLeaves {
  readonly revs: readonly string[];
  /** When a response showed them. */
  readonly at: number;
}

/** For each database. */
const maxWrites = 2000;
const maxShown = 2000;
const maxDelivered = 4000;
const maxLeaves = 2000;
const maxSeqs = 20_000;
const maxSuspicions = 1000;
const maxCounts = 100;
const maxDoubts = 100;
/** In all databases together. */
const maxBodies = 10_000;
const maxBodyCharacters = 8 * 1024 * 1024;
const maxDeliveries = 100;
const maxDatabases = 200;
const maxCookies = 10_000;

/** The text that a client sends as `since` (SERVICE 2.6). */
export const sinceText = (seq: unknown): string => (typeof seq === 'string' ? seq : toJson(seq));

/** A database may be made again in the second in which it was made, and so says the same time, in milliseconds. */
const startTimeUnitMs = 1000;

const generationOf = (rev: string): number => Number.parseInt(rev, 10);

/** The least recently used are forgotten. It takes memory for what it has, not for what it may have: there are many. */
const atMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });

type Bodies = LRUCache<string, KnownBody>;

let keys = 0;
const newKeys = (): string => String((keys += 1));

const suspicionKey = (id: string, as: Shown): string => `${as} ${id}`;

export class KnownDatabase {
  /** Whether there is only one copy, so that a write is visible as soon as it is acknowledged. */
  hasOneCopy: boolean;
  /** Whether its changes have one order, since it is not split into shards. */
  hasOneShard = false;
  /** By mode, how many feeds with a heartbeat have ended at their timeout, one after the other, and when the last did. */
  readonly timedOut = new Map<FeedMode, { readonly feeds: number; readonly endedAt: number }>();
  readonly #writes = new LRUCache<string, KnownWrite>(atMost(maxWrites));
  /** What rows have shown of documents that nobody has written while this looked on. */
  readonly #shown = new LRUCache<string, KnownChange>(atMost(maxShown));
  readonly #positions = new LRUCache<string, Position>(atMost(maxSeqs));
  readonly #suspicions = new LRUCache<string, Suspicion>(atMost(maxSuspicions));
  readonly #leaves = new LRUCache<string, KnownLeaves>(atMost(maxLeaves));
  /** By position. */
  readonly #counts = new LRUCache<string, Counted>(atMost(maxCounts));
  /** By what they are about. */
  readonly #doubts = new LRUCache<string, Doubt>(atMost(maxDoubts));
  readonly #bodies: Bodies;
  /** What is forgotten has other keys. */
  #keys: string;
  /** What the database says of when it was made and what was purged of it, and since when that has been known. */
  #identity: { readonly text: string; readonly knownAt: number } | undefined;
  /** Those of the last feeds. Positions in earlier ones keep only their time. */
  readonly #deliveries = new LRUCache<Deliveries, true>({
    ...atMost(maxDeliveries),
    dispose: (_, deliveries) => deliveries.clear(),
  });

  constructor(hasOneCopy: boolean, bodies: Bodies) {
    this.hasOneCopy = hasOneCopy;
    this.#bodies = bodies;
    this.#keys = newKeys();
  }

  /**
   * @param body what was written or read, which is not deleted
   * @param size about how many characters it has
   */
  addBody(id: string, rev: string, body: object, size: number, startedAt: number): void {
    if (size > maxBodyCharacters / 10) return;
    const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('_')));
    const document = { ...fields, _id: id, _rev: rev };
    this.#bodies.set(this.#keyOf(id, rev), { document, startedAt }, { size: Math.max(1, size) });
  }

  bodyOf(id: string, rev: string): KnownBody | undefined {
    return this.#bodies.get(this.#keyOf(id, rev));
  }

  addLeaves(id: string, leaves: KnownLeaves): void {
    this.#leaves.set(id, leaves);
  }

  leavesOf(id: string): KnownLeaves | undefined {
    return this.#leaves.peek(id);
  }

  addWrite(write: KnownWrite): void {
    const earlier = this.#writes.peek(write.id);
    // A database that was deleted and created again past the proxy, or a conflict.
    if (earlier && generationOf(earlier.rev) >= generationOf(write.rev)) this.forget();
    this.#shown.delete(write.id);
    this.#writes.set(write.id, write);
  }

  /** @param deliveries what the feed must deliver that has the row, as far as that is known, and how many rows it has had */
  addRow(
    { id, rev, ...rest }: Pick<KnownChange, 'id' | 'rev' | 'endedAt' | 'record'>,
    { deliveries, rows }: Pick<Reached, 'deliveries' | 'rows'>,
  ): void {
    let change = this.changeOf(id);
    if (!this.#writes.has(id) && change?.rev !== rev) {
      change = { id, rev, startedAt: undefined, ...rest };
      this.#shown.set(id, change);
    }
    const isNew = change?.startedAt === undefined && (deliveries?.size ?? 0) < maxDelivered;
    const delivered = change && deliveries?.get(change);
    if (change && (delivered === Infinity || (delivered === undefined && isNew)))
      deliveries?.set(change, rows);
  }

  /** The last known write of the document. */
  writeOf(id: string): KnownWrite | undefined {
    return this.#writes.peek(id);
  }

  /** The last known change of the document. */
  changeOf(id: string): KnownChange | undefined {
    return this.#writes.peek(id) ?? this.#shown.peek(id);
  }

  /**
   * @param seq of a row, or the `last_seq` of a response
   * @param after the place before it in the response
   * @returns its place
   */
  addSeq(
    seq: unknown,
    { id, ...reached }: Reached & Pick<Position, 'id'>,
    after: Place | undefined,
  ): Place | undefined {
    if (seq === null || seq === undefined) return after;
    const text = sinceText(seq);
    const known = this.#positions.get(text);
    // `last_seq` is also that of the last row.
    if (known && id === undefined && known.place === after) return after;
    const line = after && after.index === after.line.length - 1 ? after.line : { length: 0 };
    const place = { line, index: line.length, at: reached.at };
    line.length += 1;
    this.#positions.set(text, { ...(known ?? reached), place, id: id ?? known?.id });
    return place;
  }

  placeOf(since: string | undefined): Place | undefined {
    return since === undefined ? undefined : this.#positions.peek(since)?.place;
  }

  /**
   * Whether a response had a row at or before a position, as far as that is known.
   *
   * @returns since when that has been known, if it had
   */
  cameBefore({ id, seq }: { id: string; seq: unknown }, since: unknown): number | undefined {
    const [row, position] = [seq, since].map((one) => this.#positions.peek(sinceText(one)));
    const isBefore =
      row && position && row.place.line === position.place.line && row.place.index <= position.place.index;
    return isBefore && row.id === id ? Math.min(row.place.at, position.place.at) : undefined;
  }

  /** @returns when a response had the row the last time, if one had it */
  cameAt({ id, seq }: { id: string; seq: unknown }): number | undefined {
    const row = this.#positions.peek(sinceText(seq));
    return row?.id === id ? row.place.at : undefined;
  }

  /**
   * The changes that a feed must deliver because they were known before its request and lie after its `since`: they began
   * when the target had reached it, or the feed that gave it had not delivered them until then.
   *
   * @param covers whether the feed has a row for it.
   * @returns nothing if the position of `since` is unknown
   */
  changesAfter(
    since: string | undefined,
    requestedAt: number,
    covers: (change: KnownChange) => boolean,
  ): Deliveries | undefined {
    const isWhole = since === undefined || since === '0';
    const start = isWhole ? undefined : this.#positions.get(since);
    if (!isWhole && !start) return undefined;
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

  addCount(since: string, count: Counted): void {
    const known = this.#counts.get(since);
    if (!known || known.pending <= count.pending) this.#counts.set(since, count);
  }

  /** The most changes after the position that a response has counted. */
  countAfter(since: string): Counted | undefined {
    return this.#counts.get(since);
  }

  /** Until it is decided, no other about the same is looked at. */
  doubt(about: string, doubt: Doubt): void {
    const canBeDecided = this.#identity && doubt.from - this.#identity.knownAt >= startTimeUnitMs;
    if (canBeDecided && !this.#doubts.has(about)) this.#doubts.set(about, doubt);
  }

  /** A response shows which database this is. If it is still the same, nobody has replaced or purged it meanwhile. */
  identify(identity: string, startedAt: number, endedAt: number): void {
    const { text } = this.#identity ?? {};
    if (text !== identity) {
      if (text !== undefined) this.forget();
      this.#identity = { text: identity, knownAt: endedAt };
      return;
    }
    for (const [about, { to, onConfirmed }] of [...this.#doubts]) {
      if (to >= startedAt) continue;
      this.#doubts.delete(about);
      onConfirmed();
    }
  }

  suspect(suspicion: Suspicion): void {
    this.#suspicions.set(suspicionKey(suspicion.id, suspicion.as), suspicion);
  }

  /**
   * A response shows a revision. If the request for it began after a response that lacks it, the document has not been
   * purged, nor its database deleted, past the proxy.
   *
   * @param shown what the response shows of it
   */
  confirm(
    id: string,
    rev: string,
    { startedAt, at }: { startedAt: number; at: number },
    shown: readonly Shown[],
  ): void {
    for (const as of shown) {
      const key = suspicionKey(id, as);
      const suspicion = this.#suspicions.peek(key);
      if (suspicion?.rev !== rev || startedAt <= suspicion.endedAt) continue;
      this.#suspicions.delete(key);
      suspicion.onConfirmed(at);
    }
  }

  forget(): void {
    this.#writes.clear();
    this.#shown.clear();
    this.#positions.clear();
    this.#suspicions.clear();
    this.#leaves.clear();
    this.#deliveries.clear();
    this.#counts.clear();
    this.#doubts.clear();
    this.#keys = newKeys();
    this.#identity = undefined;
    this.timedOut.clear();
  }

  #keyOf(id: string, rev: string): string {
    return `${this.#keys} ${rev} ${id}`;
  }
}

export class Knowledge {
  readonly #databases: LRUCache<string, KnownDatabase>;
  /** By the value of a session cookie, the name of the user to whom the target has given it. */
  readonly cookies = new LRUCache<string, string>({ max: maxCookies });

  /** @param hasOneCopy whether the user says that the target has one copy of each database. */
  constructor(hasOneCopy: boolean) {
    const bodies: Bodies = new LRUCache({ max: maxBodies, maxSize: maxBodyCharacters });
    const memoMethod = (): KnownDatabase => new KnownDatabase(hasOneCopy, bodies);
    this.#databases = new LRUCache({ max: maxDatabases, memoMethod });
  }

  /** Whether a database is known to have one copy. */
  get hasOneCopy(): boolean {
    return [...this.#databases.values()].some(({ hasOneCopy }) => hasOneCopy);
  }

  database(name: string): KnownDatabase {
    return this.#databases.memo(name);
  }

  /** Parts of what passes are unknown from now on. */
  forget(): void {
    for (const database of this.#databases.values()) database.forget();
  }
}
