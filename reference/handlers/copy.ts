/**
 * `COPY` of a document. It is not in the description, because OpenAPI 3.1 does not know the method: it reads one document
 * and writes another, as the operations for these do, each with its own authorization.
 */
import type { authorize } from '../auth/authorization.js';
import type { Handlers, OperationResponse } from '../generated/handlers.js';
import { httpError } from '../http/errors.js';
import type { Document } from '../store/render-document.js';
import type { Context } from './context.js';

/** The operations that read what is copied. */
export const copiedBy = ['getDocument', 'getDesignDocument', 'getLocalDocument'] as const;

/** A request to copy, with the parameters of the operation that reads. */
export interface CopyRequest {
  readonly operationId: (typeof copiedBy)[number];
  readonly parameters: object;
  readonly db: string;
  readonly destination: string | undefined;
}

/** @throws 400 for an invalid destination, and what reading and writing throw */
export async function copyDocument(
  { operationId, parameters, db, destination }: CopyRequest,
  components: { readonly handlers: Handlers<Context>; readonly authorize: typeof authorize },
  context: Context,
): Promise<OperationResponse<'putDocument'>> {
  const read = components.handlers[operationId] as unknown as Read;
  const { id: docid, rev } = parseDestination(destination);
  // Without an `Accept` header, the contents of attachments are part of the JSON.
  const requestHead = { ...context.requestHead, headers: {} };
  const { body } = await read(parameters, { ...context, requestHead });
  const { _id: _, ...members } = body;
  const params = { db, docid };
  components.authorize({ ...context, operationId: 'putDocument', params });
  const request = { params, query: { new_edits: true }, headers: {}, body: { ...members, _rev: rev } };
  return components.handlers.putDocument(request, context);
}

type Read = (parameters: object, context: Context) => Promise<{ body: Document }>;

/** Parses the header: an ID as in a path, and the revision to replace. */
function parseDestination(header: string | undefined): { id: string; rev: string | undefined } {
  if (header === undefined) throw badRequest('Destination header is mandatory for COPY.');
  if (/^https?:\/\//i.test(header)) throw badRequest('Destination URL must be relative.');
  // Node decodes headers as Latin-1.
  const [path = '', query] = Buffer.from(header, 'latin1').toString().split('?');
  try {
    const id = decodeURIComponent(path.replaceAll('+', ' '));
    return { id, rev: new URLSearchParams(query).get('rev') ?? undefined };
  } catch {
    throw badRequest('Destination is not a valid path.');
  }
}

const badRequest = (reason: string) => httpError(400, 'bad_request', reason);
