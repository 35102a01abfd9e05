/** Creating, deleting and inspecting databases. */
import { isUsersDatabase } from '../auth/authorization.js';
import { httpError } from '../http/errors.js';
import type { Context } from './context.js';
import type { Handlers, OperationRequest } from '../generated/handlers.js';
import { mapInTurns } from '../http/turns.js';
import { databaseInfo } from '../store/database-info.js';
import { maxRevisions } from '../store/revisions.js';
import type { Store } from '../store/store.js';

type DatabaseHandlers = Pick<
  Handlers<Context>,
  | 'getAllDbs'
  | 'getDbsInfo'
  | 'postDbsInfo'
  | 'getDatabase'
  | 'putDatabase'
  | 'deleteDatabase'
  | 'compactDatabase'
  | 'commitDatabase'
  | 'getRevsLimit'
  | 'putRevsLimit'
>;

type ListQuery = OperationRequest<'getAllDbs'>['query'];

export const databases: DatabaseHandlers = {
  getAllDbs: ({ query }, { store }) => Promise.resolve({ status: 200, body: namesOf(store, query) }),

  getDbsInfo: async ({ query }, { store }) => ({
    status: 200,
    body: await mapInTurns(namesOf(store, query), (name) => infoOf(store, name)),
  }),

  postDbsInfo: async ({ body }, { settings, store }) => {
    if (body.keys.length > settings.maxDatabasesInfo)
      throw httpError(
        400,
        'bad_request',
        `The body has more than ${settings.maxDatabasesInfo} keys (see the setting chttpd/max_db_number_for_dbs_info_req).`,
      );
    return { status: 200, body: await mapInTurns(body.keys, (key) => infoOf(store, key)) };
  },

  getDatabase: ({ params }, { store }) =>
    Promise.resolve({ status: 200, body: databaseInfo(store.database(params.db)) }),

  putDatabase: ({ params, query }, { store, settings }) => {
    // The answer of a CouchDB whose partitions are switched off.
    if (query.partitioned) throw httpError(400, 'bad_request', 'Partitioned feature is not enabled.');
    const database = store.create(params.db);
    if (settings.defaultSecurity !== 'admin_only' && !isUsersDatabase(params.db, settings))
      database.security = {};
    const location = `/${encodeURIComponent(params.db)}`;
    return Promise.resolve({ status: 201, headers: { location }, body: { ok: true } });
  },

  // Writes are complete before their responses, so there is nothing to do. Replicators need the response.
  commitDatabase: ({ params }, { store }) => {
    const { startTime } = store.database(params.db);
    return Promise.resolve({ status: 201, body: { ok: true, instance_start_time: startTime } });
  },

  compactDatabase: async ({ params }, { store }) => {
    await store.database(params.db).compact();
    return { status: 202, body: { ok: true } };
  },

  getRevsLimit: ({ params }, { store }) =>
    Promise.resolve({ status: 200, body: store.database(params.db).revisionsLimit }),

  putRevsLimit: ({ params, body }, { store }) => {
    const database = store.database(params.db);
    if (body > maxRevisions)
      throw httpError(400, 'bad_request', `The limit of revisions is ${maxRevisions} at most.`);
    database.revisionsLimit = body;
    return Promise.resolve({ status: 200, body: { ok: true } });
  },

  deleteDatabase: ({ params }, { store, requestHead }) => {
    // A client that leaves out the id of a document must not delete all of them. The description has no such parameter.
    if (new URLSearchParams(requestHead.url.split('?')[1]).has('rev'))
      throw httpError(
        400,
        'bad_request',
        'You tried to DELETE a database with a ?=rev parameter. Did you mean to DELETE a document instead?',
      );
    store.delete(params.db);
    return Promise.resolve({ status: 200, body: { ok: true } });
  },
};

/** Returns the names of databases that a list shows. */
function namesOf(store: Store, query: ListQuery): string[] {
  const { startkey = query.start_key, endkey = query.end_key, descending, skip, limit = Infinity } = query;
  const names = descending ? store.names().reverse() : store.names();
  const [first, last] = descending ? [endkey, startkey] : [startkey, endkey];
  const within = names.filter((name) => !(first! > name) && !(last! < name));
  return within.slice(skip, skip + limit);
}

const infoOf = (store: Store, key: unknown) =>
  typeof key === 'string' && store.has(key)
    ? { key, info: databaseInfo(store.database(key)) }
    : { key, error: 'not_found' };
