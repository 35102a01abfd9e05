/** Histories for consumers: generated from a seed, written with what the server answers, and what is true afterwards. */
import fc from 'fast-check';
import type { DocumentWrite } from '../../reports/report.js';
import { unusualIds } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/json.js';
import {
  type DatabaseState,
  type History,
  type PlannedWrite,
  planWrite,
  type Write,
} from '../model/history.js';
import { type Body, emptyTree, leaves, type RevisionTree, withWinner } from '../model/revisions.js';
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

/** The documents of a group are those that a selector accepts. */
export type Group = 'a' | 'b';

/** The history of one database, with a part for each event `write` of the scenario. */
export function stagesOf(shape: HistoryShape, parts: number): fc.Arbitrary<History[]> {
  const { documents, updates = 0, deletes, conflicts, unusual } = shape;
  const contents = fc.record({
    text: unusual ? unusualTexts : fc.constant('doc'),
    body: unusual ? bodies : plainBodies,
  });
  const writesIn = (part: number, content: Body, index: number): Write[] => {
    // Each part has documents of both groups.
    const group: Group = Math.floor(index / parts) % 2 === 0 ? 'a' : 'b';
    const body = { ...content, group };
    const age = part - (index % parts);
    const isChosen = part === parts - 1 && index % 3 === 0;
    return [
      ...Array.from({ length: age === 0 ? 1 : age > 0 ? updates : 0 }, (_, round): Write => ({
        ...{ kind: 'put', leaf: 0, body: { ...body, round } },
      })),
      ...(conflicts && isChosen ? [branch(1, body), branch(14, body)] : []),
      ...(deletes && isChosen ? [{ kind: 'delete', leaf: 0, body: {} } as const] : []),
    ];
  };
  return fc
    .array(contents, { minLength: documents, maxLength: documents, size: 'max' })
    .map((all) =>
      Array.from({ length: parts }, (_, part) =>
        all
          .map(({ text, body }, index) => ({ id: `${text}-${index}`, writes: writesIn(part, body, index) }))
          .filter(({ writes }) => writes.length > 0),
      ),
    );
}

const branch = (digit: number, body: Body): Write => ({
  ...{ kind: 'replicate', parent: 0, hashDigits: [digit], deleted: false, body },
});
const unusualTexts = fc.constantFrom(...unusualIds, 'ünï-😀');
const plainBodies = fc.record({ value: fc.nat() });

/** The state of a document that a consumer must know. */
export interface Truth {
  readonly rev: string;
  readonly deleted: boolean;
  /** All leaf revisions, sorted. */
  readonly leaves: readonly string[];
  readonly group: Group | undefined;
}

/** Sends a request to the database itself and returns the parsed body. Rejects if the server refuses. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The most documents of one request. */
const batchSize = 2000;

/** Writes to one database and keeps what was acknowledged. */
export class Writer {
  readonly #send: Send;
  #state = new Map<string, RevisionTree>();
  /** Revisions that ever existed, by document id, also in an earlier database of the same name. */
  readonly everWritten = new Map<string, Set<string>>();
  readonly records: DocumentWrite[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  get state(): DatabaseState {
    return this.#state;
  }

  /** Writes one revision of each document after the other, since a write needs the revision before it. */
  async play(history: History): Promise<void> {
    const rounds = Math.max(0, ...history.map(({ writes }) => writes.length));
    for (let round = 0; round < rounds; round += 1) {
      const writes = history.flatMap(({ id, writes }) => {
        const write = writes[round];
        const plan = write && planWrite(id, this.#state.get(id) ?? emptyTree, write);
        return plan ? [{ id, ...plan }] : [];
      });
      for (const newEdits of [true, false]) {
        const together = writes.filter((write) => write.newEdits === newEdits);
        for (let from = 0; from < together.length; from += batchSize) {
          await this.#writeTogether(together.slice(from, from + batchSize), newEdits);
        }
      }
    }
  }

  async #writeTogether(writes: readonly (PlannedWrite & { id: string })[], newEdits: boolean): Promise<void> {
    const docs = writes.map(({ document }) => document);
    const answer = (await this.#send('POST', '/_bulk_docs', { docs, new_edits: newEdits })) as {
      rev: string;
    }[];
    for (const [index, write] of writes.entries()) {
      const { id, document } = write;
      const rev = newEdits ? answer[index]!.rev : undefined;
      const tree = write.grow(rev);
      this.#state.set(id, tree);
      this.everWritten.set(id, new Set([...(this.everWritten.get(id) ?? []), ...tree.keys()]));
      this.records.push(recordWrite(id, document, rev));
    }
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
      const { rev, deleted, body } = all[0]!;
      const { group } = (body ?? {}) as { group?: Group };
      truths.set(id, { rev, deleted, leaves: all.map((leaf) => leaf.rev).sort(), group });
    }
    return truths;
  }
}
