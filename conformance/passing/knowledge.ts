/**
 * What a passer-by knows for certain: who else uses the target is unknown, so that almost nothing is. It is forgotten
 * rather than doubtful.
 */
import { LRUCache } from 'lru-cache';
import type { RecordedExchange } from '../../reports/report.js';
import type { FeedMode } from '../oracle/allowed-rows.js';
import { atMost } from './at-most.js';
import { type Deliveries, type KnownChange, KnownChanges, type KnownWrite } from './known-changes.js';
import { KnownOrder } from './known-order.js';

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
  /** When the last exchange began that shows it. */
  readonly startedAt: number;
  /** What showed it last. What a request has written may be stored otherwise, such as with rounded numbers. */
  readonly from: 'write' | 'feed' | 'document';
}

/** All leaves of a document. */
interface KnownLeaves {
  readonly revs: readonly string[];
  /** When a response showed them first. */
  readonly at: number;
}

/** For each database. */
const maxLeaves = 2000;
const maxSuspicions = 1000;
const maxCounts = 100;
const maxDoubts = 100;
/** In all databases together. */
const maxBodies = 10_000;
const maxBodyCharacters = 8 * 1024 * 1024;
const maxDatabases = 200;
const maxCookies = 10_000;

/** A database may be made again in the second in which it was made, and so says the same time, in milliseconds. */
export const startTimeUnitMs = 1000;

const generationOf = (rev: string): number => Number.parseInt(rev, 10);

type Bodies = LRUCache<string, KnownBody>;

let keys = 0;
const newKeys = (): string => String((keys += 1));

const suspicionKey = (id: string, as: Shown): string => `${as} ${id}`;

export class KnownDatabase {
  /** Whether there is only one copy, so that a write is visible as soon as it is acknowledged. */
  hasOneCopy: boolean;
  /** Whether its changes have one order, since it is not split into shards. */
  hasOneShard = false;
  readonly changes = new KnownChanges();
  readonly order = new KnownOrder((at) => this.#isSettled(at));
  /** By mode, how many feeds with a heartbeat have ended at their timeout, one after the other, and when the last did. */
  readonly timedOut = new Map<FeedMode, { readonly feeds: number; readonly endedAt: number }>();
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

  constructor(hasOneCopy: boolean, bodies: Bodies) {
    this.hasOneCopy = hasOneCopy;
    this.#bodies = bodies;
    this.#keys = newKeys();
  }

  /**
   * @param body what was written or read, which is not deleted
   * @param size about how many characters it has
   */
  addBody(
    id: string,
    rev: string,
    body: object,
    { size, ...when }: Omit<KnownBody, 'document'> & { readonly size: number },
  ): void {
    if (size > maxBodyCharacters / 10) return;
    const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('_')));
    const document = { ...fields, _id: id, _rev: rev };
    this.#bodies.set(this.#keyOf(id, rev), { document, ...when }, { size: Math.max(1, size) });
  }

  bodyOf(id: string, rev: string): KnownBody | undefined {
    return this.#bodies.get(this.#keyOf(id, rev));
  }

  addLeaves(id: string, leaves: KnownLeaves): void {
    const known = this.#leaves.get(id);
    const isSame =
      known?.revs.length === leaves.revs.length && leaves.revs.every((rev) => known.revs.includes(rev));
    if (!isSame) this.#leaves.set(id, leaves);
  }

  leavesOf(id: string): KnownLeaves | undefined {
    return this.#leaves.peek(id);
  }

  addWrite(write: KnownWrite): void {
    const earlier = this.changes.writeOf(write.id);
    // A database that was deleted and created again past the proxy, or a conflict.
    if (earlier && generationOf(earlier.rev) >= generationOf(write.rev)) this.forget();
    this.changes.addWrite(write);
  }

  /**
   * @param covers whether the feed has a row for a change
   * @returns the changes that a feed must deliver. Nothing if the position of `since` is unknown.
   */
  changesAfter(
    since: string | undefined,
    requestedAt: number,
    covers: (change: KnownChange) => boolean,
  ): Deliveries | undefined {
    if (since === undefined || since === '0') return this.changes.after(undefined, requestedAt, covers);
    const start = this.order.reached(since);
    return start && this.changes.after(start, requestedAt, covers);
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
    if (this.#isSettled(doubt.from) && !this.#doubts.has(about)) this.#doubts.set(about, doubt);
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
    this.changes.forget();
    this.order.forget();
    this.#suspicions.clear();
    this.#leaves.clear();
    this.#counts.clear();
    this.#doubts.clear();
    this.#keys = newKeys();
    this.#identity = undefined;
    this.timedOut.clear();
  }

  /** Whether a database that has been made again since a time says so. */
  #isSettled(at: number): boolean {
    return this.#identity !== undefined && at - this.#identity.knownAt >= startTimeUnitMs;
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
