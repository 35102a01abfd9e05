/** A target whose feeds show writes only after a while. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { request } from 'undici';
import { forward } from '../http/reverse-proxy.js';
import { referenceServer } from './reference.js';
import { served } from './server.js';

/**
 * Starts a target that stops at the end of the test: a server gets each write at once, and another one, which answers the
 * feeds, gets it later.
 *
 * @param isLate whether that is so for a write, by its path
 * @returns its URL
 */
export async function laggingTarget(
  t: Pick<ExecutionContext, 'teardown'>,
  ms: number,
  {
    isLate = () => true,
    ...options
  }: Parameters<typeof referenceServer>[1] & { readonly isLate?: (path: string) => boolean } = {},
): Promise<string> {
  const current = await referenceServer(t, { dialect: 'couchdb', ...options });
  const behind = await referenceServer(t, { dialect: 'couchdb', ...options });
  let last = Promise.resolve();
  const repeat = (incoming: IncomingMessage, body: Buffer, delayMs: number): Promise<void> => {
    const due = wait(delayMs);
    last = last.then(async () => {
      await due;
      const { method, headers, url } = incoming;
      const repeated = await request(behind.url + url!, { method: method as 'GET', headers, body });
      await repeated.body.dump();
    });
    return last;
  };
  const front = await served(t, (incoming, response) => {
    const { method = 'GET', url = '' } = incoming;
    const isFeed = /\/_changes(\?|$)/.test(url);
    const answer = async (): Promise<void> => {
      const body = ['GET', 'HEAD'].includes(method) ? undefined : await buffer(incoming);
      // A database is there at once.
      const isDatabase = /^\/[^/]+$/.test(url.split('?')[0]!);
      await forward(incoming, response, {
        target: new URL((isFeed ? behind : current).url),
        ...(body && { body }),
        async onResponse() {
          if (!body || isFeed) return;
          const isAtOnce = isDatabase || !isLate(url);
          const repeated = repeat(incoming, body, isAtOnce ? 0 : ms);
          if (isAtOnce) await repeated;
        },
      });
    };
    answer().catch(() => {});
  });
  return front.url;
}
