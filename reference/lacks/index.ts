/**
 * What the server can do without (`serve --lack NAME`): features that real servers do not have. A suite must judge the rest
 * of such a server. Like faults, they replace components of the server.
 */
import type { RuleId } from '../../openapi/generated/rules.js';
import { httpError } from '../http/errors.js';
import type { Components } from '../server/components.js';
import {
  withoutAttachments,
  withoutBulkDesignDocuments,
  withoutBulkRevisions,
  withoutConflictEdits,
  withoutConflicts,
  withoutDeletedBodies,
  withoutDesignDocuments,
  withoutExactNumbers,
  withoutNewEdits,
  withoutRecreation,
  withoutUnusualIds,
} from './documents.js';
import { changeFeedRequests } from './feed-requests.js';

type Replace = (components: Components) => Components;
type Handlers = Components['handlers'];

/** A feature that the server can lack. */
export interface Lack {
  /** One sentence that says what the server does not do. */
  readonly summary: string;
  /**
   * The rules that are about the feature: globs over their ids. A suite cannot judge these without it, or finds them
   * violated. It must judge all others.
   */
  readonly about: readonly (RuleId | `${string}*`)[];
  readonly replace: Replace;
}

/** The operations are not there. */
const withoutOperations =
  (...operations: readonly (keyof Handlers)[]): Replace =>
  (components) => ({
    ...components,
    handlers: {
      ...components.handlers,
      ...Object.fromEntries(operations.map((operation) => [operation, notThere])),
    },
  });

const notThere = (): Promise<never> => Promise.reject(httpError(404, 'not_found', 'missing'));

type AnyHandler = (request: unknown, context: unknown) => Promise<{ readonly status: number }>;

/** Operations that create something answer 200. */
const withoutCreated: Replace = (components) => {
  const respondOk =
    (handle: AnyHandler): AnyHandler =>
    async (request, context) => {
      const response = await handle(request, context);
      return response.status === 201 ? { ...response, status: 200 } : response;
    };
  const handlers = Object.entries(components.handlers as unknown as Record<string, AnyHandler>).map(
    ([operation, handle]): [string, AnyHandler] => [operation, respondOk(handle)],
  );
  return { ...components, handlers: Object.fromEntries(handlers) as unknown as Handlers };
};

/** The path of a database without a slash at its end. */
const databasePath = /^\/[^/?]+(?=$|\?)/;

/** `PUT /{db}` redirects to the path with a slash at its end, as some frameworks do. */
const redirectingCreation: Replace = (components) => ({
  ...components,
  prepareResponse: (response) => {
    components.prepareResponse(response);
    const { method, url = '' } = response.req;
    if (method !== 'PUT' || !databasePath.test(url)) return;
    const redirection = httpError(400, 'redirected', 'The path of a database ends in a slash.');
    redirection.output.statusCode = 308;
    redirection.output.headers['location'] = url.replace(databasePath, '$&/');
    throw redirection;
  },
});

/** The most rows of a response, as in a server that forgets to read on. */
const mostRows = 1000;

/** What only documents with several leaves show, which clients make with `new_edits=false`. */
const ofConflicts = [
  'feed-conflicts',
  'feed-style-main',
  'feed-style-all',
  'feed-deleted-winner',
  'filter-all-docs-*',
] as const;

/** By name, as in `serve --lack`. Where a suite knows the feature as a capability, it has the same name there. */
export const lacks: Readonly<Record<string, Lack>> = {
  'create-redirect': {
    summary: 'PUT /{db} redirects to /{db}/.',
    about: [],
    replace: redirectingCreation,
  },
  created: {
    summary: 'What creates something answers 200 instead of 201.',
    about: ['response-schema', 'users-create'],
    replace: withoutCreated,
  },
  'bulk-docs': {
    summary: 'POST /{db}/_bulk_docs is not there.',
    about: [],
    replace: withoutOperations('bulkDocs'),
  },
  'new-edits': {
    summary: 'Writes with `new_edits=false` are refused.',
    about: ofConflicts,
    replace: withoutNewEdits,
  },
  conflicts: {
    summary: 'A document has one leaf: what would make a conflict is refused.',
    about: ofConflicts,
    replace: withoutConflicts,
  },
  'conflict-edits': {
    summary: 'An edit of a leaf that does not win is refused.',
    about: [],
    replace: withoutConflictEdits,
  },
  recreation: {
    summary: 'A deleted document cannot be made again.',
    about: [],
    replace: withoutRecreation,
  },
  'design-documents': {
    summary: 'Design documents are refused.',
    about: ['filter-design', 'filter-view', 'filter-function'],
    replace: withoutDesignDocuments,
  },
  'bulk-design-documents': {
    summary: 'POST /{db}/_bulk_docs refuses design documents.',
    about: [],
    replace: withoutBulkDesignDocuments,
  },
  'bulk-revisions': {
    summary: 'POST /{db}/_bulk_docs takes one revision of a document in a request.',
    about: [],
    replace: withoutBulkRevisions,
  },
  attachments: {
    summary: 'Documents with attachments are refused.',
    about: ['feed-attachments', 'feed-att-encoding'],
    replace: withoutAttachments,
  },
  'deleted-bodies': {
    summary: 'A deletion keeps nothing of the document.',
    about: [],
    replace: withoutDeletedBodies,
  },
  'unusual-ids': {
    summary: 'The id of a document has only letters, digits, dots, hyphens and underscores.',
    about: [],
    replace: withoutUnusualIds,
  },
  'exact-numbers': {
    summary: 'Numbers lose all digits after the fifteenth.',
    about: [],
    replace: withoutExactNumbers,
  },
  'all-docs': {
    summary: '/{db}/_all_docs is not there.',
    about: [],
    replace: withoutOperations('getAllDocs', 'postAllDocs'),
  },
  'local-documents': {
    summary: 'Local documents are not there.',
    about: ['feed-local-documents'],
    replace: withoutOperations('getLocalDocument', 'putLocalDocument', 'deleteLocalDocument'),
  },
  session: {
    summary: '/_session is not there.',
    about: ['*session*', 'login-*', 'cookie-*', 'basic-*', 'users-*', 'proxy-*', 'jwt-*', 'totp-*'],
    replace: withoutOperations('getSession', 'postSession', 'deleteSession'),
  },
  'post-changes': {
    summary: 'POST /{db}/_changes is not there.',
    about: ['feed-post-same', 'filter-selector', 'error-selector-*'],
    replace: withoutOperations('postChanges'),
  },
  'since-now': {
    summary: '`since=now` is refused.',
    about: ['feed-since-now'],
    replace: changeFeedRequests({ refused: [['since', 'now']] }),
  },
  modes: {
    summary: '`feed` is ignored: each mode answers like the normal one.',
    about: [
      'longpoll-*',
      'continuous-*',
      'eventsource-*',
      'heartbeat-*',
      'timeout-*',
      'feed-last-event-id',
      'filter-in-every-mode',
    ],
    replace: changeFeedRequests({ ignored: { feed: 'normal' } }),
  },
  longpoll: {
    summary: '`feed=longpoll` is refused.',
    about: ['longpoll-*'],
    replace: changeFeedRequests({ refused: [['feed', 'longpoll']] }),
  },
  continuous: {
    summary: '`feed=continuous` is refused.',
    about: ['continuous-*'],
    replace: changeFeedRequests({ refused: [['feed', 'continuous']] }),
  },
  eventsource: {
    summary: '`feed=eventsource` is refused.',
    about: ['eventsource-*', 'feed-last-event-id'],
    replace: changeFeedRequests({ refused: [['feed', 'eventsource']] }),
  },
  'heartbeat-true': {
    summary: '`heartbeat=true` is refused.',
    about: ['heartbeat-true'],
    replace: changeFeedRequests({ refused: [['heartbeat', true]] }),
  },
  filters: {
    summary: '`filter` is ignored.',
    about: ['filter-*', 'error-selector-*'],
    replace: changeFeedRequests({ ignored: { filter: undefined } }),
  },
  'filter-doc-ids': {
    summary: '`filter=_doc_ids` is refused.',
    about: ['filter-doc-ids'],
    replace: changeFeedRequests({ refused: [['filter', '_doc_ids']] }),
  },
  'filter-selector': {
    summary: '`filter=_selector` is refused.',
    about: ['filter-selector', 'error-selector-*'],
    replace: changeFeedRequests({ refused: [['filter', '_selector']] }),
  },
  'filter-design': {
    summary: '`filter=_design` is refused.',
    about: ['filter-design'],
    replace: changeFeedRequests({ refused: [['filter', '_design']] }),
  },
  style: {
    summary: '`style` is ignored: rows list the winner only.',
    about: ['feed-style-all', 'feed-deleted-winner', 'filter-all-docs-*'],
    replace: changeFeedRequests({ ignored: { style: 'main_only' } }),
  },
  'include-docs': {
    summary: '`include_docs` is ignored.',
    about: [
      'feed-include-docs',
      'feed-conflicts',
      'feed-attachments',
      'feed-att-encoding',
      'filter-all-docs-doc',
    ],
    replace: changeFeedRequests({ ignored: { include_docs: false } }),
  },
  descending: {
    summary: '`descending` is ignored.',
    about: ['feed-descending'],
    replace: changeFeedRequests({ ignored: { descending: false } }),
  },
  limit: {
    summary: '`limit` is ignored.',
    about: ['feed-limit', 'feed-paging', 'continuous-limit', 'eventsource-limit-timeout'],
    replace: changeFeedRequests({ ignored: { limit: undefined } }),
  },
  'all-rows': {
    summary: `A normal feed without a limit ends after ${mostRows} rows.`,
    about: ['feed-complete'],
    replace: changeFeedRequests({ defaults: { limit: mostRows } }),
  },
};

/** The server has no feature of this name that it can lack. */
export class UnknownLack extends Error {}

/**
 * Returns a function that makes the server lack these features.
 *
 * @throws UnknownLack
 */
export function without(names: readonly string[]): Replace {
  const replacements = names.map((name) => {
    const { replace } = lacks[name] ?? {};
    if (!replace)
      throw new UnknownLack(`the server cannot lack "${name}", but ${Object.keys(lacks).join(', ')}`);
    return replace;
  });
  return (components) => replacements.reduce((replaced, replace) => replace(replaced), components);
}
