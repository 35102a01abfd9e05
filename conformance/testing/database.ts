import type { RequestListener } from 'node:http';
import type { ExecutionContext } from 'ava';
import type { DatabaseClient, HttpClient } from '../http/client.js';
import { connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { serve } from './server.js';

/** A client of a server that the test writes. Both end with the test. */
export async function clientOf(
  t: Pick<ExecutionContext, 'teardown'>,
  listener: RequestListener,
  observers: Parameters<ReturnType<typeof connect>['client']>[1] = [],
): Promise<HttpClient> {
  const server = await serve(listener);
  const connection = connect([new URL(server.url)], undefined, createRedactor([]));
  t.teardown(async () => {
    await connection.close();
    await server.stop();
  });
  return connection.client(new AbortController().signal, observers);
}

/** A client of the database `db`, without evidence. */
export const databaseOf = (client: HttpClient): DatabaseClient => ({
  name: 'db',
  hasOneCopy: true,
  lacks: new Set(),
  recorder: { wrote() {}, holds() {}, follows() {} },
  settled: async () => {},
  request: (request) => client.request({ ...request, path: `/db${request.path}` }),
  open: (request) => client.open({ ...request, path: `/db${request.path}` }),
});
