/** Databases: making, removing and looking at them. */
import type { Context } from '../context.js';
import type { Handlers } from '../generated/handlers.js';

type DatabaseHandlers = Pick<
  Handlers<Context>,
  'getAllDbs' | 'getDatabase' | 'putDatabase' | 'deleteDatabase'
>;

export const databases: DatabaseHandlers = {
  getAllDbs: ({ query }, { store }) => {
    const { startkey = query.start_key, endkey = query.end_key, descending, skip, limit = Infinity } = query;
    const names = descending ? store.names().reverse() : store.names();
    const [first, last] = descending ? [endkey, startkey] : [startkey, endkey];
    const within = names.filter((name) => !(first! > name) && !(last! < name));
    return Promise.resolve({ status: 200, body: within.slice(skip, skip + limit) });
  },

  getDatabase: ({ params }, { store }) => {
    const database = store.database(params.db);
    const { size } = database;
    return Promise.resolve({
      status: 200,
      body: {
        db_name: database.name,
        doc_count: database.documentCount,
        doc_del_count: database.deletedCount,
        update_seq: database.sequenceOf(database.position),
        purge_seq: 0,
        instance_start_time: '0',
        compact_running: false,
        disk_format_version: 8,
        sizes: { file: size, active: size, external: size },
        props: {},
        cluster: { q: 1, n: 1, w: 1, r: 1 },
      },
    });
  },

  putDatabase: ({ params }, { store }) => {
    store.create(params.db);
    const location = `/${encodeURIComponent(params.db)}`;
    return Promise.resolve({ status: 201, headers: { location }, body: { ok: true } });
  },

  deleteDatabase: ({ params }, { store }) => {
    store.delete(params.db);
    return Promise.resolve({ status: 200, body: { ok: true } });
  },
};
