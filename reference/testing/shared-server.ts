import test from 'ava';
import { testServer, type TestServer } from './server.js';

/**
 * Starts a server for tests of a file, and stops it at their end: to start one takes longer than most tests.
 *
 * @param prepare called with the server before the tests
 * @returns a function that returns the server in tests
 */
export function sharedServer(prepare: (server: TestServer) => Promise<unknown>): () => TestServer {
  let server: TestServer;
  const ends: (() => unknown)[] = [];
  test.before(async () => {
    server = await testServer({ teardown: (end) => ends.push(end) });
    await prepare(server);
  });
  test.after.always(() => Promise.all(ends.map((end) => end())));
  return () => server;
}
