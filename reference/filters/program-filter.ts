/** Filters that use the content of documents. They run as programs in separate processes. */
import { httpError } from '../http/errors.js';
import { renderStub } from '../store/attachments.js';
import type { Revision } from '../store/tables.js';
import { EvaluationError, type WorkerPool } from './evaluation/worker-pool.js';
import type { Program } from './evaluation/protocol.js';
import type { Candidate, Filter } from './filter.js';

/** Maximum size of a batch for a program, unless a single document is larger. */
const batchCharacters = 1024 * 1024;

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
      candidate.revisions.map((revision) => this.#documentOf(candidate, revision)),
    );
    const results: boolean[] = [];
    for (const batch of inBatches(documents)) results.push(...(await this.#evaluate(batch)));
    return batch.map(({ revisions }) => results.splice(0, revisions.length));
  }

  close(): void {
    this.#end.abort();
  }

  #documentOf(candidate: Candidate, revision: Revision): RenderedDocument {
    const { id } = candidate.head;
    const attachments = Object.entries(revision.attachments ?? {}).map(([name, attachment]) => [
      name,
      renderStub(attachment),
    ]);
    const members = JSON.stringify({
      _id: id,
      _rev: revision.revision,
      ...(revision.deleted && { _deleted: true }),
      ...(attachments.length > 0 && { _attachments: Object.fromEntries(attachments) as unknown }),
      ...this.#extraMembers(candidate, revision),
    });
    // Combine JSON texts instead of parsing the body.
    const { body } = revision;
    return { id, text: body === '{}' ? members : `${members.slice(0, -1)},${body.slice(1)}` };
  }

  async #evaluate(documents: readonly RenderedDocument[]): Promise<boolean[]> {
    const text = `[${documents.map(({ text }) => text).join(',')}]`;
    try {
      return await this.#workerPool.evaluate(this.#program, text, this.#end.signal);
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

function* inBatches(documents: readonly RenderedDocument[]): Generator<RenderedDocument[]> {
  let batch: RenderedDocument[] = [];
  let characters = 0;
  for (const document of documents) {
    if (batch.length > 0 && characters + document.text.length > batchCharacters) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(document);
    characters += document.text.length;
  }
  if (batch.length > 0) yield batch;
}
