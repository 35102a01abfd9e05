import test from 'ava';
import type { ServerOptions } from '../index.js';
import { testServer, type TestServer } from './server.js';

/**
 * A server for several tests of a file, which stops at their end: to start one takes longer than most tests.
 *
 * @param prepare called with the server when it has started
 * @returns a function that starts the server when the first test calls it
 */
export function sharedServer(
  options: ServerOptions = {},
  prepare?: (server: TestServer) => Promise<unknown>,
): () => Promise<TestServer> {
  const ends: (() => unknown)[] = [];
  test.after.always(() => Promise.all(ends.map((end) => end())));
  const start = async (): Promise<TestServer> => {
    const started = await testServer({ teardown: (end) => ends.push(end) }, options);
    await prepare?.(started);
    return started;
  };
  let server: Promise<TestServer> | undefined;
  return () => (server ??= start());
}
