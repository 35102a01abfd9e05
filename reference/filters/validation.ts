/** Functions of design documents that accept or reject writes: `validate_doc_update`. They run as in CouchDB. */
import { isBoom, type Boom } from '@hapi/boom';
import { httpError } from '../http/errors.js';
import { mapInTurns } from '../http/turns.js';
import type { Database } from '../store/database.js';
import { toJson } from '../http/json-text.js';
import { isJsonObject, type Json } from '../store/json.js';
import type { ParsedDocument, ReplicatedDocument } from '../store/parse-document.js';
import { renderHistory } from '../store/render-document.js';
import { conflict, type WritePreview } from '../store/revision-writer.js';
import { revisionOf } from '../store/revisions.js';
import { keyOf, readDesign } from './design-functions.js';
import { EvaluationError, type FunctionProgram, type Refusal } from './evaluation/protocol.js';
import { designProblem } from './design-form.js';
import { accountOf, type FilterContext } from './filter.js';
import { documentText, inBatches } from './program-documents.js';

export interface ValidationContext extends Pick<FilterContext, 'user' | 'requestHead' | 'workerPool'> {
  /** Returns a signal that is aborted when the client closes the connection. */
  readonly disconnected: () => AbortSignal;
}

/** The validation function of a design document. */
interface ValidationFunction {
  /** Subject of error messages. */
  readonly title: string;
  readonly language: Json;
  readonly program: Omit<FunctionProgram, 'request'>;
}

interface RenderedWrite {
  /** Index of the document in the request. */
  readonly index: number;
  readonly id: string;
  /** JSON text of the first two arguments of validation functions. */
  readonly text: string;
}

/** The error of a document that must not be written. */
type Rejection = Boom | undefined;

/**
 * Runs all validation functions of the database for new revisions. A document that would be a conflict is rejected too:
 * when it is written, it might no longer be one, and nothing would have validated it.
 *
 * @returns the error of each document: 400 for the form of a design document, 403, 401, 409, or 500 if a function fails
 * @throws 412 for a missing attachment; 500 if a function exceeds a limit
 */
export function validateEdits(
  database: Database,
  documents: readonly ParsedDocument[],
  context: ValidationContext,
): Promise<Rejection[]> {
  const preview = (document: ParsedDocument) =>
    database.previewEdit(document) ?? httpError(409, conflict.error, conflict.reason);
  return validate(database, documents, preview, context);
}

/** Does the same for revisions that another server made. As in CouchDB, those that are known already are not validated. */
export function validateReplication(
  database: Database,
  documents: readonly ReplicatedDocument[],
  context: ValidationContext,
): Promise<Rejection[]> {
  return validate(database, documents, (document) => database.previewReplication(document), context);
}

async function validate<Document extends ParsedDocument>(
  database: Database,
  documents: readonly Document[],
  previewOf: (document: Document) => WritePreview | Boom | undefined,
  context: ValidationContext,
): Promise<Rejection[]> {
  const rejections: Rejection[] = documents.map(designProblem);
  const functions = validationFunctions(database);
  if (functions.length === 0) return rejections;
  const rendered = await mapInTurns(documents.entries(), ([index, document]): RenderedWrite[] => {
    // Design documents are not validated, because a wrong function could not be repaired.
    const preview = document.id.startsWith('_') ? undefined : previewOf(document);
    if (isBoom(preview)) rejections[index] = preview;
    else if (preview) return [{ index, id: document.id, text: writeText(database, document, preview) }];
    return [];
  });
  const writes = rendered.flat();
  const { name, roles } = context.user;
  const request = toJson([{ db: database.name, name, roles }, database.security]);
  for (const validationFunction of functions) {
    const accepted = writes.filter(({ index }) => !rejections[index]);
    for (const batch of inBatches(accepted, ({ text }) => text)) {
      const results = await run(validationFunction, batch, request, context);
      for (const [position, { index }] of batch.entries()) rejections[index] = results[position];
    }
  }
  return rejections;
}

/** The `{ document, before }` object of a write: the new document, and the revision that it follows. */
function writeText(
  database: Database,
  { id, revisions, deleted, body }: ParsedDocument,
  preview: WritePreview,
) {
  const { existing, resolved } = preview;
  const revision = revisions && revisionOf(revisions);
  const document = documentText(
    id,
    { revision, deleted, body, attachments: resolved },
    { _revisions: revisions },
  );
  // As in CouchDB, a document that is created again after its deletion has no previous revision.
  const before = revisions && preview.before();
  const beforeText =
    existing && before
      ? documentText(id, before, { _revisions: renderHistory(database, existing, before.revision) })
      : 'null';
  return `{"document":${document},"before":${beforeText}}`;
}

const designDocuments = { from: '_design/', to: '_design0', toExclusive: true };
const ids = { descending: false, skip: 0, bodies: false };
const all = { rows: Infinity, characters: Infinity };
const cache = new WeakMap<Database, { readonly version: number; readonly functions: ValidationFunction[] }>();

/** Returns the functions in the order of the IDs of their design documents. */
function validationFunctions(database: Database): ValidationFunction[] {
  const version = database.designVersion;
  const cached = cache.get(database);
  if (cached?.version === version) return cached.functions;
  // Many databases are written to once or twice; a query without results would be a large part of that.
  const designs = database.position === 0 ? [] : database.documents(designDocuments, ids, all);
  const functions = designs.flatMap(({ id }) => validationFunctionOf(database, id));
  cache.set(database, { version, functions });
  return functions;
}

function validationFunctionOf(database: Database, id: string): ValidationFunction[] {
  const document = readDesign(database, id);
  const { validate_doc_update: source, language = 'javascript' } = document;
  if (typeof source !== 'string') return [];
  const design = toJson(document);
  const key = keyOf(database.name, 'validate', id, design);
  return [
    {
      title: `The validation function of ${id}`,
      language,
      program: { kind: 'validate', key, source, design },
    },
  ];
}

async function run(
  { title, language, program }: ValidationFunction,
  writes: readonly RenderedWrite[],
  request: string,
  context: ValidationContext,
): Promise<Rejection[]> {
  const rejectAll = (error: string, reason: string) => writes.map(() => httpError(500, error, reason));
  if (language !== 'javascript')
    return rejectAll('unknown_query_language', `${title} is not in JavaScript: ${JSON.stringify(language)}`);
  try {
    const texts = writes.map(({ text }) => text);
    const options = { account: accountOf(context), signal: context.disconnected() };
    const { parts } = await context.workerPool.evaluate({ ...program, request }, texts, options);
    const refusals = parts.flatMap((part) => JSON.parse(part) as (Refusal | null)[]);
    return refusals.map((refusal) => (refusal === null ? undefined : rejectionOf(refusal)));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { at, message, document } = error.failure;
    if (at === 'compilation') return rejectAll('compilation_error', `${title} does not compile: ${message}`);
    const where = document === undefined ? '' : ` at the document ${JSON.stringify(writes[document]!.id)}`;
    throw httpError(500, 'os_process_error', `${title} fails${where}: ${message}`);
  }
}

/** Errors and statuses are CouchDB's, except that `reason` is always a string. */
function rejectionOf(refusal: Refusal): Rejection {
  if (refusal.name !== undefined) return httpError(500, refusal.name, refusal.message);
  const { thrown } = refusal;
  if (thrown === true || thrown === 1) return undefined;
  const [member, ...others] = isJsonObject(thrown) ? Object.entries(thrown) : [];
  if (member && others.length === 0) {
    const [error, reason] = member;
    if (error === 'forbidden') return httpError(403, 'forbidden', textOf(reason));
    if (error === 'unauthorized') return httpError(401, 'unauthorized', textOf(reason));
    return httpError(500, 'unknown_error', textOf(reason));
  }
  if (Array.isArray(thrown) && thrown[0] === 'error' && thrown.length === 3)
    return httpError(500, textOf(thrown[1]!), textOf(thrown[2]!));
  return httpError(500, 'unknown_error', thrown === undefined ? 'undefined' : textOf(thrown));
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
