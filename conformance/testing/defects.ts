/** Defects that a server of somebody else had, in the reference server: each is one cause, with one right name. */
import type { Components } from '../../reference/index.js';
import {
  changeBody,
  combine,
  replaceHandler,
  type HandlerResponse,
  type JsonObject,
  type Replace,
} from '../rules/shared/components.faults.js';
import {
  changeFeedQuery,
  changeRow,
  changeRows,
  replaceFeedHandlers,
  type FeedRow,
} from '../rules/shared/feeds.faults.js';

type Identity = NonNullable<Awaited<ReturnType<NonNullable<Components['authenticators'][string]>>>>;

const refuse = (isRefused: (sent: URLSearchParams) => boolean, status: number): Replace =>
  replaceFeedHandlers((original, request) =>
    isRefused(request.sent)
      ? Promise.resolve({ status, body: { error: 'refused', reason: 'The test refuses it.' } })
      : original(request, request.context),
  );

const hasSelector = (sent: URLSearchParams): boolean => sent.get('filter') === '_selector';

const changeBulk = (change: (doc: JsonObject) => JsonObject): Replace =>
  replaceHandler('bulkDocs', (original, request, context) => {
    const docs = request.body.docs.map((doc) => change(doc as JsonObject) as typeof doc);
    return original({ ...request, body: { ...request.body, docs } }, context);
  });

/** Changes each document before it is stored. */
const changeWritten = (change: (doc: JsonObject) => JsonObject): Replace =>
  combine(
    changeBulk(change),
    replaceHandler('putDocument', (original, request, context) =>
      original({ ...request, body: change(request.body) }, context),
    ),
  );

/** Changes each document that is read by its id and in the feed. */
const changeRead = (change: (doc: JsonObject) => JsonObject): Replace =>
  combine(
    changeRow((row) => (row.doc ? { ...row, doc: change(row.doc) } : row)),
    replaceHandler('getDocument', async (original, request, context) => {
      const response: HandlerResponse = await original(request, context);
      return response.status === 200 ? { ...response, body: change(response.body as JsonObject) } : response;
    }),
  );

const without =
  (...names: string[]) =>
  (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Without authorization, wrong credentials are as good as none. */
const orNobody = (authenticate: () => Promise<Identity | undefined>): Promise<Identity | undefined> =>
  authenticate().catch(() => undefined);

/** Replaces who a request is, and lets everybody do everything. */
const withoutAuthorization =
  (identify: (handler: string, identity: Identity | undefined) => Identity | undefined): Replace =>
  (components) => ({
    ...components,
    authorize: () => {},
    authenticators: Object.fromEntries(
      Object.entries(components.authenticators).map(([name, authenticate]) => [
        name,
        async (...request) => identify(name, await orNobody(async () => authenticate?.(...request))),
      ]),
    ),
  });

const isAdministrator = withoutAuthorization((authenticatedBy) => ({
  user: { name: 'admin', roles: ['_admin'], authenticatedBy },
}));

const again = (rows: readonly FeedRow[]): readonly FeedRow[] =>
  rows.length > 2 ? [...rows.slice(0, 2), rows[0]!, ...rows.slice(2)] : rows;

const cutAt = (most: number): Replace =>
  changeFeedQuery(
    'any',
    { limit: most },
    ({ query: { feed, limit } }) => ['normal', 'longpoll'].includes(feed) && limit === undefined,
  );

export const defects = {
  'a row that comes twice': changeRows(again),
  'a row that comes twice with a filter': changeRows((rows, { query }) =>
    query.filter ? again(rows) : rows,
  ),
  'the last row comes twice': changeRows((rows) => [...rows, ...rows.slice(-1)]),
  'feeds are cut at 100 rows': cutAt(100),
  'feeds are cut at 1,000 rows': cutAt(1000),
  'no row is marked as deleted': changeRow(({ deleted: _, ...row }) => row),
  'each row is marked as deleted': changeRow((row) => ({ ...row, deleted: true })),
  'deleted: false': changeRow((row) => ({ ...row, deleted: row.deleted === true })),
  'no edits of losing leaves': replaceHandler('bulkDocs', async (original, request, context) => {
    const { docs, new_edits } = request.body;
    const database = context.store.database(request.params.db);
    const isLosing = (doc: JsonObject): boolean => {
      const [id, rev] = [doc['_id'], doc['_rev']].map(String) as [string, string];
      const { conflicts = [], deletedConflicts = [] } = database.find(id)?.leaves ?? {};
      return new_edits !== false && [...conflicts, ...deletedConflicts].includes(rev);
    };
    const accepted = docs.filter((doc) => !isLosing(doc as JsonObject));
    const refused = docs.filter((doc) => isLosing(doc as JsonObject));
    const { body, ...response } = await original(
      { ...request, body: { ...request.body, docs: accepted } },
      context,
    );
    const errors = refused.map((doc) => ({
      id: (doc as JsonObject)['_id'],
      error: 'conflict',
      reason: 'The test refuses it.',
    }));
    return { ...response, body: [...(body as JsonObject[]), ...errors] };
  }),
  'no selectors (404)': refuse(hasSelector, 404),
  'no selectors (400)': refuse(hasSelector, 400),
  'no deletion keeps its body': changeWritten((doc) =>
    doc['_deleted'] === true
      ? Object.fromEntries(Object.entries(doc).filter(([name]) => name.startsWith('_')))
      : doc,
  ),
  'attachments in _bulk_docs are lost': changeBulk(without('_attachments')),
  'a member is lost': changeRead(without('value')),
  'everybody is the administrator': isAdministrator,
  'everybody is the administrator, in a malformed session': combine(
    isAdministrator,
    changeBody('getSession', without('ok')),
  ),
  'everybody has the role of an administrator': withoutAuthorization((authenticatedBy, identity) =>
    identity || authenticatedBy === 'default'
      ? {
          ...identity,
          user: {
            name: null,
            authenticatedBy,
            ...identity?.user,
            roles: [...new Set([...(identity?.user.roles ?? []), '_admin'])],
          },
        }
      : undefined,
  ),
  'nobody has a name': withoutAuthorization((authenticatedBy) => ({
    user: { name: null, roles: ['_admin'], authenticatedBy },
  })),
  'no since but 0': refuse((sent) => ![null, '0'].includes(sent.get('since')), 400),
} satisfies Readonly<Record<string, Replace>>;
