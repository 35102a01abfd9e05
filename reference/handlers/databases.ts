/** Creating, deleting and inspecting databases. */
import { isUsersDatabase } from '../auth/authorization.js';
import { httpError } from '../http/errors.js';
import type { Context } from './context.js';
import type { Handlers } from '../generated/handlers.js';
import { databaseInfo } from '../store/database-info.js';
import { maxRevisions } from '../store/revisions.js';

type DatabaseHandlers = Pick<
  Handlers<Context>,
  | 'getAllDbs'
  | 'getDatabase'
  | 'putDatabase'
  | 'deleteDatabase'
  | 'compactDatabase'
  | 'commitDatabase'
  | 'getRevsLimit'
  | 'putRevsLimit'
>;

export const databases: DatabaseHandlers = {
  getAllDbs: ({ query }, { store }) => {
    const { startkey = query.start_key, endkey = query.end_key, descending, skip, limit = Infinity } = query;
    const names = descending ? store.names().reverse() : store.names();
    const [first, last] = descending ? [endkey, startkey] : [startkey, endkey];
    const within = names.filter((name) => !(first! > name) && !(last! < name));
    return Promise.resolve({ status: 200, body: within.slice(skip, skip + limit) });
  },

  getDatabase: ({ params }, { store }) =>
    Promise.resolve({ status: 200, body: databaseInfo(store.database(params.db)) }),

  putDatabase: ({ params, query }, { store, settings }) => {
    if (query.partitioned) throw httpError(501, 'not_implemented', 'Partitioned databases are not offered.');
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
