/** Documents that the server refuses, or changes before it stores them. */
import { isBoom, type Boom } from '@hapi/boom';
import type { Context } from '../handlers/context.js';
import { requestedRevision } from '../handlers/documents.js';
import { localName } from '../handlers/local-documents.js';
import type { OperationRequest } from '../generated/handlers.js';
import { httpError, type ErrorBody } from '../http/errors.js';
import type { Components } from '../server/components.js';
import { parseDocument } from '../store/parse-document.js';
import { revisionsOf } from '../store/revisions.js';
import type { DocumentHead } from '../store/tables.js';
import { toJson } from '../http/json-text.js';

type Replace = (components: Components) => Components;
type Sent = OperationRequest<'bulkDocs'>['body']['docs'][number];

/** How a document is written. */
interface Writing {
  readonly id: string | undefined;
  /** What the database has of it. */
  readonly stored: DocumentHead | undefined;
  /** The revisions that the database knows of it. */
  readonly known: ReadonlySet<string>;
  /** False: the client chooses the revision. */
  readonly newEdits: boolean;
  readonly isBulk: boolean;
  /** Whether the request has another document with this id before. */
  readonly isRepeated?: boolean;
}

/** @returns what to store instead. Throws what the server answers for the document. */
type Treatment = (document: Sent, writing: Writing) => Sent;

/** Treats each document before it is written. */
const treatDocuments =
  (treat: Treatment): Replace =>
  (components) => {
    const { handlers } = components;
    const treated = (
      { store }: Context,
      db: string,
      document: Sent,
      how: Pick<Writing, 'newEdits' | 'isBulk' | 'isRepeated'>,
    ): Sent => {
      const { _id: id } = document;
      // Users are documents of the server itself.
      if (localName(id) !== undefined || db === '_users') return document;
      const database = store.database(db);
      const stored = id === undefined ? undefined : database.find(id);
      const known = new Set(stored && revisionsOf(database.tree(stored)));
      return treat(document, { id, stored, known, ...how });
    };
    const put = (
      id: string,
      request: OperationRequest<'putDocument'> | OperationRequest<'putDesignDocument'>,
      context: Context,
    ): Sent => {
      const { params, query, body } = request;
      const _rev = requestedRevision(request, body._rev);
      const document = { ...body, _id: id, ...(_rev !== undefined && { _rev }) };
      return treated(context, params.db, document, { newEdits: query.new_edits, isBulk: false });
    };
    return {
      ...components,
      handlers: {
        ...handlers,
        putDocument: async (request, context) =>
          handlers.putDocument({ ...request, body: put(request.params.docid, request, context) }, context),
        putDesignDocument: async (request, context) =>
          handlers.putDesignDocument(
            { ...request, body: put(`_design/${request.params.ddoc}`, request, context) },
            context,
          ),
        postDocument: async (request, context) => {
          const how = { newEdits: true, isBulk: false };
          const body = treated(context, request.params.db, request.body, how);
          return handlers.postDocument({ ...request, body }, context);
        },
        deleteDocument: async (request, context) => {
          const { db, docid: _id } = request.params;
          const _rev = requestedRevision(request);
          const deletion = { _id, _deleted: true, ...(_rev !== undefined && { _rev }) };
          treated(context, db, deletion, { newEdits: true, isBulk: false });
          return handlers.deleteDocument(request, context);
        },
        bulkDocs: async (request, context) => {
          const { params, body } = request;
          const outcomes: object[] = [];
          const seen = new Set<string | undefined>();
          for (const batch of withoutRepeatedIds(body.docs)) {
            const docs: Sent[] = [];
            for (const document of batch) {
              try {
                const isRepeated = seen.has(document._id);
                seen.add(document._id);
                const how = { newEdits: body.new_edits, isBulk: true, isRepeated };
                docs.push(treated(context, params.db, document, how));
              } catch (error) {
                if (!isBoom(error)) throw error;
                outcomes.push({ id: document._id, ...(error.output.payload as unknown as ErrorBody) });
              }
            }
            const response = await handlers.bulkDocs({ ...request, body: { ...body, docs } }, context);
            outcomes.push(...(response.body as object[]));
          }
          return { status: 201, body: outcomes as [] };
        },
      },
    };
  };

/** Splits a list, since what becomes of a document may depend on those with its id before. */
function withoutRepeatedIds(documents: readonly Sent[]): Sent[][] {
  const batches: Sent[][] = [[]];
  for (const document of documents) {
    const { _id: id } = document;
    if (id !== undefined && batches.at(-1)!.some(({ _id }) => _id === id)) batches.push([]);
    batches.at(-1)!.push(document);
  }
  return batches;
}

/** @param isRefused whether the server refuses the document. */
const refuseDocuments = (
  isRefused: (document: Sent, writing: Writing) => boolean,
  refusal: () => Boom,
): Replace =>
  treatDocuments((document, writing) => {
    if (isRefused(document, writing)) throw refusal();
    return document;
  });

const conflict = (): Boom => httpError(409, 'conflict', 'Document update conflict.');
const unsupported = (what: string) => (): Boom => httpError(400, 'bad_request', `${what} are not supported.`);

export const withoutNewEdits = refuseDocuments(
  (_, { newEdits }) => !newEdits,
  unsupported('Revisions of the client'),
);

/** What does not continue the only leaf. */
export const withoutConflicts = refuseDocuments((document, { stored, known, newEdits }) => {
  if (newEdits || !stored) return false;
  const { start, ids } = parseDocument(document).revisions!;
  const sent = ids.map((id, back) => `${start - back}-${id}`);
  return !known.has(sent[0]!) && !sent.includes(stored.leaves.winner);
}, conflict);

export const withoutConflictEdits = refuseDocuments(
  ({ _rev }, { stored, newEdits }) =>
    newEdits && stored !== undefined && _rev !== undefined && _rev !== stored.leaves.winner,
  conflict,
);

export const withoutRecreation = refuseDocuments(
  ({ _deleted = false }, { stored, newEdits }) => newEdits && !_deleted && stored?.leaves.deleted === true,
  conflict,
);

const isDesign = ({ _id = '' }: Sent): boolean => _id.startsWith('_design/');

export const withoutDesignDocuments = refuseDocuments(isDesign, unsupported('Design documents'));

export const withoutBulkDesignDocuments = refuseDocuments(
  (document, { isBulk }) => isBulk && isDesign(document),
  unsupported('Design documents in _bulk_docs'),
);

export const withoutBulkRevisions = refuseDocuments((_, { isRepeated = false }) => isRepeated, conflict);

export const withoutAttachments = refuseDocuments(
  ({ _attachments = {} }) => Object.keys(_attachments).length > 0,
  unsupported('Attachments'),
);

export const withoutUnusualIds = refuseDocuments(
  (document, { id = '' }) => !isDesign(document) && !/^[\w.-]*$/.test(id),
  () => httpError(400, 'illegal_docid', 'The id has characters that are not allowed.'),
);

export const withoutDeletedBodies = treatDocuments((document) =>
  document._deleted === true
    ? Object.fromEntries(Object.entries(document).filter(([name]) => name.startsWith('_')))
    : document,
);

const withFifteenDigits = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(15)) : value;

export const withoutExactNumbers = treatDocuments(
  (document) => JSON.parse(toJson(document), withFifteenDigits) as Sent,
);
