/** Histories for consumers: generated from a seed, written with what the server answers, and what is true afterwards. */
import fc from 'fast-check';
import type { DocumentWrite } from '../../reports/report.js';
import { unusualIds } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/json.js';
import { type DatabaseState, planWrite, type Write as DocumentChange } from '../model/history.js';
import { emptyTree, leaves, withWinner } from '../model/revisions.js';
import { recordWrite } from '../play/writes-record.js';

/** What a scenario writes. */
export interface HistoryShape {
  /** Number of documents. */
  readonly documents: number;
  /** Number of writes of each document in each part after the first. Default 0: each document is in one part only. */
  readonly updates?: number;
  /** Whether a third of the documents is deleted in its last part. */
  readonly deletes?: true;
  /** Whether a third of the documents gets conflicts. */
  readonly conflicts?: true;
  /** Whether ids and bodies have text that is easily damaged. */
  readonly unusual?: true;
}

export interface Write {
  /** Which event `write` of the scenario makes it, from 0. */
  readonly part: number;
  readonly id: string;
  readonly change: DocumentChange;
}

/** The same seed makes the same writes. */
export function writesOf(shape: HistoryShape, parts: number, seed: number): Write[] {
  const { documents, updates = 0, deletes, conflicts, unusual } = shape;
  const [contents] = fc.sample(
    fc.array(fc.tuple(unusual ? unusualTexts : fc.constant('doc'), unusual ? bodies : plainBodies), {
      ...{ minLength: documents, maxLength: documents, size: 'max' },
    }),
    { seed, numRuns: 1 },
  );
  const writes = contents!.flatMap(([name, body], index): Write[] => {
    const id = `${name}-${index}`;
    const first = index % parts;
    const last = parts - 1;
    const later = Array.from({ length: updates * (last - first) }, (_, n) => first + 1 + Math.floor(n / updates));
    const put = (part: number, round: number): Write => ({
      ...{ part, id },
      change: { kind: 'put', leaf: 0, body: round === 0 ? body : { ...body, round } },
    });
    const branch = (digit: number): Write => ({
      ...{ part: last, id },
      change: { kind: 'replicate', parent: 0, hashDigits: [digit], deleted: false, body },
    });
    const isChosen = index % 3 === 0;
    return [
      ...[first, ...later].map(put),
      ...(conflicts && isChosen ? [branch(1), branch(14)] : []),
      ...(deletes && isChosen ? [{ part: last, id, change: { kind: 'delete', leaf: 0, body: {} } } as const] : []),
    ];
  });
  return writes.sort((a, b) => a.part - b.part);
}

const unusualTexts = fc.oneof(unusualIds, fc.constant('ünï-😀'));
const plainBodies = fc.record({ value: fc.nat() });

/** The state of a document that a consumer must know. */
export interface Truth {
  readonly rev: string;
  readonly deleted: boolean;
  /** All leaf revisions, sorted. */
  readonly leaves: readonly string[];
}

/** Sends a request to the database itself and returns the parsed body. Rejects if the server refuses. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The most documents of one request. */
const batchSize = 2000;

/** Writes to one database and keeps what was acknowledged. */
export class Writer {
  readonly #send: Send;
  #state: DatabaseState = new Map();
  /** Revisions that ever existed, by document id, also in an earlier database of the same name. */
  readonly everWritten = new Map<string, Set<string>>();
  readonly records: DocumentWrite[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  get state(): DatabaseState {
    return this.#state;
  }

  /** A request contains each document once, since a write needs the revision before it. */
  async play(writes: readonly Write[]): Promise<void> {
    let batch = new Map<string, Write>();
    for (const write of writes) {
      const [first = write] = batch.values();
      const isOther = isReplicated(first) !== isReplicated(write);
      if (isOther || batch.has(write.id) || batch.size === batchSize) {
        await this.#writeTogether(batch);
        batch = new Map();
      }
      batch.set(write.id, write);
    }
    await this.#writeTogether(batch);
  }

  async #writeTogether(batch: ReadonlyMap<string, Write>): Promise<void> {
    const planned = [...batch.values()].flatMap(({ id, change }) => {
      const plan = planWrite(id, this.#state.get(id) ?? emptyTree, change);
      return plan ? [{ id, ...plan }] : [];
    });
    if (planned.length === 0) return;
    const { newEdits } = planned[0]!;
    const docs = planned.map(({ document }) => document);
    const answer = (await this.#send('POST', '/_bulk_docs', { docs, new_edits: newEdits })) as { rev: string }[];
    const state = new Map(this.#state);
    for (const [index, { id, document, grow }] of planned.entries()) {
      const rev = newEdits ? answer[index]!.rev : undefined;
      const tree = grow(rev);
      state.set(id, tree);
      this.everWritten.set(id, new Set([...(this.everWritten.get(id) ?? []), ...tree.keys()]));
      this.records.push(recordWrite(id, document, rev));
    }
    this.#state = state;
  }

  /** The database was deleted. */
  forget(): void {
    this.#state = new Map();
  }

  /** Asks the server which of several leaves wins, since the service document does not define it. */
  async truth(): Promise<Map<string, Truth>> {
    const truths = new Map<string, Truth>();
    for (const [id, tree] of this.#state) {
      let all = leaves(tree);
      if (all.length > 1) {
        const { _rev } = (await this.#send('GET', `/${encodeURIComponent(id)}`)) as { _rev: string };
        all = leaves(withWinner(tree, _rev));
      }
      const { rev, deleted } = all[0]!;
      truths.set(id, { rev, deleted, leaves: all.map((leaf) => leaf.rev).sort() });
    }
    return truths;
  }
}

const isReplicated = ({ change }: Write): boolean => change.kind === 'replicate';
