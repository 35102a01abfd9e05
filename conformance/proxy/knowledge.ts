/**
 * What a passer-by knows for certain: who else uses the target is unknown, so that almost nothing is. It is forgotten
 * rather than doubtful.
 */
import { LRUCache } from 'lru-cache';
import type { RecordedExchange } from '../../reports/report.js';
import { toJson } from '../http/json.js';

/** An acknowledged write of a document. */
export interface KnownWrite {
  readonly id: string;
  readonly rev: string;
  /** When the request began and when its response had passed, on the clock of the proxy. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly record: () => RecordedExchange;
}

/** A write that a response lacks. */
export interface Suspicion {
  readonly write: KnownWrite;
  /** When the response had passed. */
  readonly endedAt: number;
  /** Reports it. */
  readonly confirm: () => void;
}

/** For each database. */
const maxWrites = 2000;
const maxSeqs = 20_000;
const maxSuspicions = 200;
const maxDatabases = 200;
const maxCookies = 10_000;

/** The text that a client sends as `since` (SERVICE 2.6). */
export const sinceText = (seq: unknown): string => (typeof seq === 'string' ? seq : toJson(seq));

const generationOf = (rev: string): number => Number.parseInt(rev, 10);

class KnownDatabase {
  /** Whether there is only one copy, so that a write is visible as soon as it is acknowledged. */
  hasOneCopy = false;
  readonly writes = new LRUCache<string, KnownWrite>({ max: maxWrites });
  /** When the proxy first saw each seq. */
  readonly #seqs = new LRUCache<string, number>({ max: maxSeqs });
  readonly #suspicions = new LRUCache<string, Suspicion>({ max: maxSuspicions });

  addWrite(write: KnownWrite): void {
    const earlier = this.writes.peek(write.id);
    // A database that was deleted and created again past the proxy, or a conflict.
    if (earlier && generationOf(earlier.rev) >= generationOf(write.rev)) this.forget();
    this.writes.set(write.id, write);
  }

  addSeq(seq: unknown, at: number): void {
    if (seq === null || seq === undefined) return;
    const text = sinceText(seq);
    if (!this.#seqs.has(text)) this.#seqs.set(text, at);
  }

  /** When the target had certainly reached the position of a `since`, or nothing if that is unknown. */
  reachedAt(since: string | undefined): number | undefined {
    return since === undefined || since === '0' ? -Infinity : this.#seqs.get(since);
  }

  suspect(suspicion: Suspicion): void {
    this.#suspicions.set(suspicion.write.id, suspicion);
  }

  /**
   * A response shows a revision. If the request for it began after a response that lacks it, the document has not been
   * purged, nor its database deleted, past the proxy.
   */
  confirm(id: string, rev: string, startedAt: number): void {
    const suspicion = this.#suspicions.peek(id);
    if (suspicion?.write.rev !== rev || startedAt <= suspicion.endedAt) return;
    this.#suspicions.delete(id);
    suspicion.confirm();
  }

  forget(): void {
    this.writes.clear();
    this.#seqs.clear();
    this.#suspicions.clear();
  }
}

export class Knowledge {
  readonly #hasOneCopy: boolean;
  readonly #databases = new LRUCache<string, KnownDatabase>({ max: maxDatabases });
  /** By the value of a session cookie, the name of the user to whom the target has given it. */
  readonly cookies = new LRUCache<string, string>({ max: maxCookies });

  /** @param hasOneCopy whether the user says that the target has one copy of each database. */
  constructor(hasOneCopy: boolean) {
    this.#hasOneCopy = hasOneCopy;
  }

  database(name: string): KnownDatabase {
    let database = this.#databases.get(name);
    if (!database) {
      database = new KnownDatabase();
      database.hasOneCopy = this.#hasOneCopy;
      this.#databases.set(name, database);
    }
    return database;
  }

  /** Parts of what passes are unknown from now on. */
  forget(): void {
    for (const database of this.#databases.values()) database.forget();
  }
}
