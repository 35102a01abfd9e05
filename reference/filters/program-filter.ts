/** Filters that use the content of documents. They run as programs in separate processes. */
import { httpError } from '../http/errors.js';
import type { DocumentHead, Revision } from '../store/tables.js';
import { EvaluationError, type Program } from './evaluation/protocol.js';
import type { Results } from './evaluation/worker-pool.js';
import { accountOf, type DocumentTexts, type Filter, type FilterContext, type Verdicts } from './filter.js';
import { documentText, inBatches } from './program-documents.js';

export interface ProgramFilterOptions {
  /** Subject of error messages, such as `The filter function lists/quick`. */
  readonly name: string;
  readonly program: Program;
  readonly context: FilterContext;
  /** Returns members to add to a document before the program sees it. */
  readonly extraMembers?: (head: DocumentHead, revision: Revision) => object;
}

/**
 * Creates the filter of a program.
 *
 * @throws 400 if the program does not compile
 */
export async function programFilter({
  name,
  program,
  context,
  extraMembers,
}: ProgramFilterOptions): Promise<Filter> {
  const { kind, key } = program;
  const end = new AbortController();
  const texts: DocumentTexts = {
    key: extraMembers ? 'with extra members' : 'plain',
    program: key,
    render: (head, revision) => documentText(head.id, revision, extraMembers?.(head, revision)),
    accept: acceptTexts,
  };
  await evaluate([]);
  return {
    // Selectors and map functions depend on nothing but the document. Filter functions also get the request.
    key: kind === 'filter' ? undefined : `${kind} ${key}`,
    texts,
    needsBodies: true,
    async accept(batch) {
      // Render all documents before the first await: extra members are read from the database, which may change later.
      const { passes } = await acceptTexts(
        batch.flatMap(({ head, revisions }) => revisions.map((revision) => texts.render(head, revision))),
      );
      let next = 0;
      return batch.map(({ revisions }) => passes.slice(next, (next += revisions.length)));
    },
    close: () => end.abort(),
  };

  async function acceptTexts(texts: readonly string[]): Promise<Verdicts> {
    const passes: boolean[] = [];
    let isPure = true;
    for (const batch of inBatches(texts, (text) => text)) {
      const results = await evaluate(batch);
      passes.push(...Array.from(results.parts.join(''), (result) => result === '1'));
      isPure &&= results.isPure;
    }
    return { passes, isPure };
  }

  async function evaluate(texts: readonly string[]): Promise<Results> {
    const options = { account: accountOf(context), signal: end.signal };
    try {
      return await context.workerPool.evaluate(program, texts, options);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const { at, message, document } = error.failure;
      if (at === 'compilation') {
        if (kind === 'selector') throw httpError(400, 'bad_request', message);
        throw httpError(400, 'compilation_error', `${name} does not compile: ${message}`);
      }
      const where =
        document === undefined ? '' : ` at the document ${JSON.stringify(idOf(texts[document]!))}`;
      throw httpError(400, 'filter_error', `${name} fails${where}: ${message}`);
    }
  }
}

const idOf = (text: string): string => (JSON.parse(text) as { _id: string })._id;
