import type { DatabaseClient, HttpClient } from '../http/client.js';

/** A client of the database `db`, without evidence. */
export const databaseOf = (client: HttpClient): DatabaseClient => ({
  name: 'db',
  hasOneCopy: true,
  recorder: { wrote() {}, holds() {}, follows() {} },
  settled: async () => {},
  request: (request) => client.request({ ...request, path: `/db${request.path}` }),
  open: (request) => client.open({ ...request, path: `/db${request.path}` }),
});
