/** Bulk operations: writing and reading several documents. */
import type { Boom } from '@hapi/boom';
import type { components } from '../../openapi/generated/types.service.js';
import { refusalToWrite } from '../auth/authorization.js';
import type { Context } from './context.js';
import { httpError, type ErrorBody } from '../http/errors.js';
import { validateEdits, validateReplication } from '../filters/validation.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { documentPart, errorPart, type ReadContent } from '../http/document-message.js';
import { acceptedMultipart, headerText, streamMessage, type Part } from '../http/multipart.js';
import { rowListBody } from '../http/row-list.js';
import { mapInTurns, type BulkTurn } from '../http/turns.js';
import type { Database } from '../store/database.js';
import type { WriteResult } from '../store/revision-writer.js';
import { withRevisions, type ParsedDocument } from '../store/parse-document.js';
import type { Document } from '../store/render-document.js';
import { revisionOf, revisionsOf, storedForm } from '../store/revisions.js';
import { bytesOf } from '../store/tables.js';
import { bulkResults } from './bulk-results.js';
import { leavesOf, readRevision, resolveRevision, storedContents } from './documents.js';
import { submittedDocument } from './submitted-document.js';

type BulkHandlers = Pick<Handlers<Context>, 'bulkDocs' | 'bulkGet' | 'revsDiff' | 'missingRevs'>;
type BulkGetItem = components['schemas']['BulkGetItem'];
type BulkGetEntry = components['schemas']['BulkGetEntry'];
type RevsDiffRequest = components['schemas']['RevsDiffRequest'];
type BulkDocsResults = components['schemas']['BulkDocsResults'];

export const bulk: BulkHandlers = {
  bulkDocs: async ({ params, body }, context) => {
    const database = context.store.database(params.db);
    // A client that asks for it must not take the writes for one that is done as a whole.
    if (body.all_or_nothing === true)
      throw httpError(417, 'not_implemented', 'all_or_nothing is not supported');
    // Parse all documents before writing the first, because a malformed document rejects the whole request.
    const documents = await mapInTurns(body.docs, (sent) =>
      submittedDocument('_id' in sent ? sent : { _id: context.uuids.next(), ...sent }, context.settings),
    );
    const errors = await rejections(database, documents, body.new_edits, context);
    const allowed = documents.filter((_, index) => !errors[index]);
    const results = await writeInTurns(database, allowed, body.new_edits, context.components.bulkTurn());
    const refused = documents.map(({ id, revisions }, index) => {
      const error = errors[index];
      if (!error) return undefined;
      const rev = body.new_edits ? {} : { rev: revisionOf(revisions!) };
      return { id, ...rev, ...(error.output.payload as unknown as ErrorBody) };
    });
    return { status: 201, body: bulkResults(refused, results, body.new_edits) };
  },

  bulkGet: async ({ params, query, body }, { store, requestHead }) => {
    const database = store.database(params.db);
    // A malformed ID must be rejected before the response begins.
    await mapInTurns(body.docs, ({ id }) => void bytesOf(id));
    function* entries(form?: 'message') {
      for (const item of body.docs) yield readItem(database, item, query, form);
    }
    const type = acceptedMultipart(requestHead.headers.accept, ['multipart/mixed', 'multipart/related']);
    if (type) {
      const parts = entryParts(entries('message'), storedContents(database));
      return { status: 200, ...streamMessage(type, parts, () => store.flushed()) };
    }
    const response = await rowListBody({
      rows: entries(),
      bodyOf: (results) => ({ results }),
      flushed: () => store.flushed(),
    });
    return { status: 200, body: response };
  },

  revsDiff: async ({ params, body }, { store }) => ({
    status: 200,
    body: Object.fromEntries(await revisionsDiff(store.database(params.db), body)),
  }),

  missingRevs: async ({ params, body }, { store }) => {
    const diff = await revisionsDiff(store.database(params.db), body);
    const missing_revs = Object.fromEntries(diff.map(([id, { missing }]) => [id, missing]));
    return { status: 200, body: { missing_revs } };
  },
};

/** Returns the errors of documents that the user may not write or that a validation function rejects. */
async function rejections(
  database: Database,
  documents: ParsedDocument[],
  newEdits: boolean,
  context: Context,
): Promise<(Boom | undefined)[]> {
  const validated = await (newEdits
    ? validateEdits(database, documents, context)
    : validateReplication(database, await mapInTurns(documents, withRevisions), context));
  return mapInTurns(
    documents.entries(),
    ([index, { id }]) => refusalToWrite(id, context.user, database) ?? validated[index],
  );
}

/**
 * Writes documents in as many transactions as there are turns. Each document is written completely or not at all.
 *
 * @returns a result for each document with `newEdits`; otherwise nothing
 */
async function writeInTurns(
  database: Database,
  documents: ParsedDocument[],
  newEdits: boolean,
  turn: BulkTurn,
): Promise<BulkDocsResults> {
  const replicated = newEdits ? [] : await mapInTurns(documents, withRevisions);
  const results: BulkDocsResults = [];
  const isOver = (count: number) => turn.isOver(count);
  for (let written = 0; written < documents.length;) {
    if (written > 0) await turn.next();
    if (newEdits) {
      const some = database.edit(documents.slice(written), isOver);
      results.push(...some.map(resultOf));
      written += some.length;
    } else written += database.replicate(replicated.slice(written), isOver);
  }
  return results;
}

function resultOf(result: WriteResult): BulkDocsResults[number] {
  return result.error === undefined ? { ok: true, ...result } : result;
}

/** Reads the requested revision or, if the item names none, all leaf revisions. */
function readItem(
  database: Database,
  { id, rev, atts_since }: BulkGetItem,
  query: OperationRequest<'bulkGet'>['query'],
  form?: 'message',
): BulkGetEntry {
  const { revs, attachments } = query;
  const failure = (rev: string | null) => ({ error: { id, rev, error: 'not_found', reason: 'missing' } });
  const head = database.find(id);
  if (!head) return { id, docs: [failure(rev ?? null)] };
  // As in CouchDB, an empty list is none here.
  const since = atts_since?.length === 0 ? undefined : atts_since;
  const revisions = rev === undefined ? leavesOf(head) : resolveRevision(database, head, rev, query);
  const docs = revisions.map((revision) => {
    const options = { revs, attachments, ...(since && { atts_since: since }) };
    const ok = readRevision(database, head, revision, options, form);
    return ok ? { ok } : failure(revision);
  });
  return { id, docs };
}

function* entryParts(entries: Iterable<BulkGetEntry>, read: ReadContent): Generator<Part, void> {
  for (const { docs } of entries)
    for (const one of docs) yield one.ok ? foundPart(one.ok, read) : errorPart(one.error!);
}

function foundPart(document: Document, read: ReadContent): Part {
  const { headers, body } = documentPart(document, read);
  const { _id: id, _rev: rev } = document;
  return { headers: { 'X-Doc-Id': headerText(id), 'X-Rev-Id': headerText(rev), ...headers }, body };
}

/** Returns what is missing of each document that has missing revisions. */
async function revisionsDiff(database: Database, sent: RevsDiffRequest) {
  const results = await mapInTurns(Object.keys(sent), (id) => {
    const found = missingRevisions(database, id, sent[id]!);
    return found && ([id, found] as const);
  });
  return results.filter((result) => result !== undefined);
}

/** @returns undefined if no revision is missing */
function missingRevisions(database: Database, id: string, revisions: string[]) {
  const head = database.find(id);
  const known = head && revisionsOf(database.tree(head));
  const missing = [...new Set(revisions.map(storedForm))].filter((revision) => !known?.has(revision));
  if (missing.length === 0) return undefined;
  const newest = missing.reduce((newest, revision) => Math.max(newest, generationOf(revision)), 0);
  const ancestors = (head ? leavesOf(head) : []).filter((leaf) => generationOf(leaf) < newest);
  return { missing, ...(ancestors.length > 0 && { possible_ancestors: ancestors }) };
}

const generationOf = (revision: string) => parseInt(revision, 10);
