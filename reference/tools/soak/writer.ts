/** A client that writes the same documents again and again, over restarts of the server. */
import { attempt, type Connect, type Session } from './follower.js';

export class Writer {
  readonly number: number;
  /** The revision that the server has acknowledged last, by document. */
  readonly revisions = new Map<string, string>();
  /** Number of acknowledged writes. */
  writes = 0;
  readonly #database: string;
  readonly #ids: readonly string[];
  readonly #report: (problem: string) => void;

  constructor(number: number, database: string, documents: number, report: (problem: string) => void) {
    this.number = number;
    this.#database = database;
    this.#ids = Array.from({ length: documents }, (_, index) => `writer${number}-${index}`);
    this.#report = report;
  }

  /** Writes its documents in turn until the signal aborts. */
  async write(connect: Connect, signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      const id = this.#ids[turn % this.#ids.length]!;
      if (await attempt(connect, (session) => this.#put(session, id, turn), this.#report)) continue;
      // The server was killed, perhaps after it stored the document. The restarted server knows.
      while (!(await attempt(connect, (session) => this.#readRevision(session, id), this.#report)));
    }
  }

  async #put({ client }: Session, id: string, turn: number): Promise<void> {
    const response = await client.open('PUT', `/${this.#database}/${id}`, {
      _rev: this.revisions.get(id),
      turn,
      even: this.number % 2 === 0,
      text: 'x'.repeat(100),
    });
    const { rev, reason } = (await response.body.json()) as { rev?: string; reason?: string };
    if (rev === undefined) {
      this.#report(`PUT ${id}: status ${response.statusCode} ${reason}`);
      return;
    }
    this.revisions.set(id, rev);
    this.writes++;
  }

  async #readRevision({ client }: Session, id: string): Promise<void> {
    const { body, statusCode } = await client.open('GET', `/${this.#database}/${id}`);
    const { _rev: stored } = (await body.json()) as { _rev?: string };
    const acknowledged = this.revisions.get(id);
    if (statusCode !== 200 && acknowledged !== undefined) this.#report(`${id} is lost: ${acknowledged}`);
    if (generation(stored) < generation(acknowledged))
      this.#report(`${id} is ${stored} after ${acknowledged} was acknowledged`);
    if (stored !== undefined) this.revisions.set(id, stored);
  }
}

const generation = (rev = '0-'): number => Number.parseInt(rev);
