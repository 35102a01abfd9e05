import { httpError } from '../http/errors.js';
import { parseAttachments, type SubmittedAttachments } from './attachments.js';
import { toJson } from '../http/json-text.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { formatRevision, parseSentRevision, type Ancestry } from './revisions.js';

/** A valid document from a request. */
export interface ParsedDocument {
  id: string;
  /** The named revision and its ancestors, if sent; undefined if the document names no revision. */
  revisions: Ancestry | undefined;
  deleted: boolean;
  /** JSON text of the document without the members that this server interprets. */
  body: string;
  attachments: SubmittedAttachments;
}

const documentMembers = new Set(['_id', '_rev', '_revisions', '_deleted', '_attachments']);

// Members that replicators of CouchDB 1 add to their documents. They are content.
const replicationMembers = new Set([
  '_replication_id',
  '_replication_state',
  '_replication_state_reason',
  '_replication_state_time',
  '_replication_stats',
]);

// Members that only responses have. Clients may send them back.
const ignoredMembers = new Set(['_revs_info', '_local_seq', '_conflicts', '_deleted_conflicts']);

/** A document with a revision that another server made. */
export interface ReplicatedDocument extends ParsedDocument {
  revisions: Ancestry;
}

/** @throws 400 if the document names no revision */
export function withRevisions({ revisions, ...document }: ParsedDocument): ReplicatedDocument {
  if (!revisions) throw httpError(400, 'bad_request', 'With `new_edits` false a document needs its `_rev`');
  return { ...document, revisions };
}

/**
 * @param id document ID, if the request has it outside of the document: as in CouchDB, that in the document does not count
 * @throws 400 with the reason
 */
export function parseDocument(document: unknown, id?: string): ParsedDocument {
  if (!isJsonObject(document)) throw httpError(400, 'bad_request', 'Document must be a JSON object');
  const body = bodyOf(document);
  const { _id: sentId = id ?? null, _deleted: deleted = false, _attachments: attachments = {} } = document;
  checkId(sentId);
  const ownId = id ?? sentId;
  checkId(ownId);
  if (typeof deleted !== 'boolean') throw invalidMember('_deleted');
  if (!isJsonObject(attachments)) throw invalidMember('_attachments');
  return {
    id: ownId,
    revisions: parseRevisions(document),
    deleted,
    body,
    attachments: parseAttachments(attachments),
  };
}

/** A valid local document from a request. */
export interface ParsedLocalDocument {
  /** Number of the named revision; 0 if there is none. */
  version: number;
  deleted: boolean;
  body: string;
}

const localRevisionPattern = /^0-([0-9]{1,15})$/;

/** @throws 400 with the reason */
export function parseLocalDocument(document: unknown): ParsedLocalDocument {
  if (!isJsonObject(document)) throw httpError(400, 'bad_request', 'Document must be a JSON object');
  const body = bodyOf(document);
  const { _rev: revision = '0-0', _deleted: deleted = false, _attachments: attachments = {} } = document;
  const [, version] = typeof revision === 'string' ? (localRevisionPattern.exec(revision) ?? []) : [];
  if (version === undefined) throw invalidRevision();
  if (typeof deleted !== 'boolean') throw invalidMember('_deleted');
  // As in CouchDB, attachments of local documents are not stored.
  if (!isJsonObject(attachments)) throw invalidMember('_attachments');
  return { version: Number(version), deleted, body };
}

/** JSON text of the members whose names do not begin with an underscore, and of `replicationMembers`. */
function bodyOf(document: JsonObject): string {
  const body: JsonObject = {};
  for (const member of Object.keys(document)) {
    if (!member.startsWith('_') || replicationMembers.has(member)) body[member] = document[member]!;
    else if (!documentMembers.has(member) && !ignoredMembers.has(member)) throw invalidMember(member);
  }
  return toJson(body);
}

const invalidRevision = () => httpError(400, 'bad_request', 'Invalid rev format');

function invalidMember(name: string) {
  return httpError(400, 'doc_validation', `Bad special document member: ${name}`);
}

function checkId(id: unknown): asserts id is string {
  const problem = problemOfId(id);
  if (problem) throw httpError(400, 'illegal_docid', problem);
}

function problemOfId(id: unknown): string | undefined {
  if (typeof id !== 'string') return 'Document id must be a string';
  if (id === '') return 'Document id must not be empty';
  if (/\p{Surrogate}/u.test(id)) return 'Document id must be valid Unicode';
  if (id === '_design/') return 'Illegal document id `_design/`';
  if (id.startsWith('_') && !id.startsWith('_design/'))
    return 'Only reserved document ids may start with underscore.';
  return undefined;
}

/** Parses `_rev` and `_revisions`. As in CouchDB, `_revisions` decides if both are present. */
function parseRevisions({ _rev: revision, _revisions: history }: JsonObject): Ancestry | undefined {
  if (history !== undefined) return parseAncestry(history);
  if (revision === undefined) return undefined;
  const parsed = typeof revision === 'string' ? parseSentRevision(revision) : undefined;
  if (!parsed) throw invalidRevision();
  return { start: parsed.generation, ids: [parsed.hash] };
}

function parseAncestry(history: Json): Ancestry {
  if (isJsonObject(history)) {
    const { start, ids } = history;
    if (typeof start === 'number' && Array.isArray(ids) && ids.length > 0 && start >= ids.length) {
      const parsed = ids.map((hash) =>
        typeof hash === 'string' ? parseSentRevision(formatRevision(start, hash)) : undefined,
      );
      const hashes = parsed.flatMap((one) => (one ? [one.hash] : []));
      if (hashes.length === ids.length) return { start, ids: hashes };
    }
  }
  throw httpError(
    400,
    'doc_validation',
    '_revisions must have a number `start` and as many hashes in `ids` or fewer',
  );
}
