/** Filters that evaluate by content: documents are put to a program, which runs apart from the server. */
import { httpError } from '../http/errors.js';
import { renderStub } from '../store/attachments.js';
import type { Revision } from '../store/tables.js';
import { EvaluationError, type WorkerPool } from './evaluation/worker-pool.js';
import type { Program } from './evaluation/protocol.js';
import type { Candidate, Filter } from './filter.js';

/** Characters of documents that a program is given at once; a single document may have more. */
const batchCharacters = 1024 * 1024;

/** What a document has besides the members that its writer gave it, its identity and its attachments. */
export type ExtraMembers = (candidate: Candidate, revision: Revision) => object;

interface RenderedDocument {
  readonly id: string;
  /** As JSON text. */
  readonly text: string;
}

export class ProgramFilter implements Filter {
  readonly needsBodies = true;
  readonly #name: string;
  readonly #program: Program;
  readonly #workerPool: WorkerPool;
  readonly #extraMembers: ExtraMembers;
  readonly #end = new AbortController();

  /** @param name what errors call it: `The filter function lists/quick` */
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

  /** Rejects with 400 when the program does not compile. */
  async compile(): Promise<void> {
    await this.#evaluate([]);
  }

  async accept(batch: readonly Candidate[]): Promise<boolean[][]> {
    // All of them at once, before anything can be written: what is further is read from the database.
    const documents = batch.flatMap((candidate) =>
      candidate.revisions.map((revision) => this.#documentOf(candidate, revision)),
    );
    const verdicts: boolean[] = [];
    for (const part of inBatches(documents)) verdicts.push(...(await this.#evaluate(part)));
    return batch.map(({ revisions }) => verdicts.splice(0, revisions.length));
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
    // The members of the writer are text already.
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
  let part: RenderedDocument[] = [];
  let characters = 0;
  for (const document of documents) {
    if (part.length > 0 && characters + document.text.length > batchCharacters) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(document);
    characters += document.text.length;
  }
  if (part.length > 0) yield part;
}
