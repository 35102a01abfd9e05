/** Filters that use the content of documents. They run as programs in separate processes. */
import { httpError } from '../http/errors.js';
import type { DocumentHead, Revision } from '../store/tables.js';
import { EvaluationError, type Program } from './evaluation/protocol.js';
import type { Results } from './evaluation/worker-pool.js';
import {
  accountOf,
  type Candidate,
  type DocumentTexts,
  type Filter,
  type FilterContext,
  type Verdicts,
} from './filter.js';
import { documentText, inBatches } from './program-documents.js';

/** Returns members to add to a document before the program sees it. */
export type ExtraMembers = (head: DocumentHead, revision: Revision) => object;

export interface ProgramFilterOptions {
  /** Subject of error messages, such as `The filter function lists/quick`. */
  readonly name: string;
  readonly program: Program;
  readonly context: FilterContext;
  readonly extraMembers?: ExtraMembers;
}

export class ProgramFilter implements Filter {
  readonly needsBodies = true;
  /** Selectors and map functions depend on nothing but the document. Filter functions also get the request. */
  readonly key: string | undefined;
  readonly texts: DocumentTexts;
  readonly #options: ProgramFilterOptions;
  readonly #end = new AbortController();

  constructor(options: ProgramFilterOptions) {
    this.#options = options;
    const { kind, key } = options.program;
    this.key = kind === 'filter' ? undefined : `${kind} ${key}`;
    this.texts = {
      key: options.extraMembers ? 'with extra members' : 'plain',
      program: key,
      render: (head, revision) => documentText(head.id, revision, options.extraMembers?.(head, revision)),
      accept: (texts) => this.#accept(texts),
    };
  }

  /** @throws 400 if the program does not compile */
  async compile(): Promise<void> {
    await this.#evaluate([]);
  }

  async accept(batch: readonly Candidate[]): Promise<boolean[][]> {
    // Render all documents before the first await: extra members are read from the database, which may change later.
    const texts = batch.flatMap(({ head, revisions }) =>
      revisions.map((revision) => this.texts.render(head, revision)),
    );
    const { passes } = await this.#accept(texts);
    let next = 0;
    return batch.map(({ revisions }) => passes.slice(next, (next += revisions.length)));
  }

  close(): void {
    this.#end.abort();
  }

  async #accept(texts: readonly string[]): Promise<Verdicts> {
    const passes: boolean[] = [];
    let isPure = true;
    for (const batch of inBatches(texts, (text) => text)) {
      const results = await this.#evaluate(batch);
      passes.push(...Array.from(results.parts.join(''), (result) => result === '1'));
      isPure &&= results.isPure;
    }
    return { passes, isPure };
  }

  async #evaluate(texts: readonly string[]): Promise<Results> {
    const { name, program, context } = this.#options;
    const options = { account: accountOf(context), signal: this.#end.signal };
    try {
      return await context.workerPool.evaluate(program, texts, options);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const { at, message, document } = error.failure;
      if (at === 'compilation') {
        if (program.kind === 'selector') throw httpError(400, 'bad_request', message);
        throw httpError(400, 'compilation_error', `${name} does not compile: ${message}`);
      }
      const where =
        document === undefined ? '' : ` at the document ${JSON.stringify(idOf(texts[document]!))}`;
      throw httpError(400, 'filter_error', `${name} fails${where}: ${message}`);
    }
  }
}

const idOf = (text: string): string => (JSON.parse(text) as { _id: string })._id;
