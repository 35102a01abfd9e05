/** Filters that use the content of documents. They run as programs in separate processes. */
import { httpError } from '../http/errors.js';
import type { Revision } from '../store/tables.js';
import { EvaluationError, type WorkerPool } from './evaluation/worker-pool.js';
import type { Program } from './evaluation/protocol.js';
import type { Candidate, Filter } from './filter.js';
import { documentText, inBatches } from './program-documents.js';

/** Returns members to add to a document before the program sees it. */
export type ExtraMembers = (candidate: Candidate, revision: Revision) => object;

interface RenderedDocument {
  readonly id: string;
  /** JSON text. */
  readonly text: string;
}

export class ProgramFilter implements Filter {
  readonly needsBodies = true;
  readonly #name: string;
  readonly #program: Program;
  readonly #workerPool: WorkerPool;
  readonly #extraMembers: ExtraMembers;
  readonly #end = new AbortController();

  /** @param name subject of error messages, such as `The filter function lists/quick` */
  constructor(
    name: string,
    program: Program,
    workerPool: WorkerPool,
    extraMembers: ExtraMembers = () => ({}),
  ) {
    this.#name = name;
    this.#program = program;
    this.#workerPool = workerPool;
    this.#extraMembers = extraMembers;
  }

  /** @throws 400 if the program does not compile */
  async compile(): Promise<void> {
    await this.#evaluate([]);
  }

  async accept(batch: readonly Candidate[]): Promise<boolean[][]> {
    // Render all documents before the first await: extra members are read from the database, which may change later.
    const documents = batch.flatMap((candidate) =>
      candidate.revisions.map((revision): RenderedDocument => {
        const { id } = candidate.head;
        return { id, text: documentText(id, revision, this.#extraMembers(candidate, revision)) };
      }),
    );
    const results: boolean[] = [];
    for (const batch of inBatches(documents)) results.push(...(await this.#evaluate(batch)));
    return batch.map(({ revisions }) => results.splice(0, revisions.length));
  }

  close(): void {
    this.#end.abort();
  }

  async #evaluate(documents: readonly RenderedDocument[]): Promise<boolean[]> {
    const text = `[${documents.map(({ text }) => text).join(',')}]`;
    try {
      const results = await this.#workerPool.evaluate(this.#program, text, this.#end.signal);
      return [...results].map((result) => result === '1');
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const { at, message, document } = error.failure;
      if (at === 'compilation')
        throw httpError(400, 'compilation_error', `${this.#name} does not compile: ${message}`);
      const where =
        document === undefined ? '' : ` at the document ${JSON.stringify(documents[document]!.id)}`;
      throw httpError(400, 'filter_error', `${this.#name} fails${where}: ${message}`);
    }
  }
}
