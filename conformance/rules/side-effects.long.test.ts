/** The side effects of a run on a target, as a proxy between them observes them. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../../reference/index.js';
import { parseJson } from '../http/parse-json.js';
import { forward } from '../http/reverse-proxy.js';
import { stateOf } from '../session/testing/target-state.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';

/** Activates all authentication handlers with readable secrets, so that a run can check them without changing settings. */
const config: ServerOptions['config'] = {
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
  chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies and cookies', iterations: '10' },
  jwt_keys: { 'hmac:_default': Buffer.from('of tokens').toString('base64') },
};

/** The user name of a request that sends a password, or nothing. */
function userNameIn({ headers, url }: IncomingMessage, body: Buffer): string | undefined {
  const token = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return Buffer.from(token, 'base64').toString('utf8').split(':')[0];
  if (url !== '/_session' || body[0] !== '{'.charCodeAt(0)) return undefined;
  // A body may be malformed on purpose.
  return (parseJson(body.toString()) as { name?: string } | undefined)?.name;
}

/** Whether a request only reads, concerns a session, or uses a database or user of the run. */
function isHarmless({ method = 'GET', url = '/' }: IncomingMessage): boolean {
  const path = decodeURIComponent(url.split('?')[0]!);
  return (
    ['GET', 'HEAD', 'OPTIONS'].includes(method) ||
    path === '/_session' ||
    /^\/docfeed-[^/]|^\/_users\/([a-z.]+:?)?x?docfeed-/.test(path) ||
    // Reads with a body.
    (method === 'POST' && /\/_changes$/.test(path))
  );
}

/** Starts a proxy that forwards requests and streams responses, and records refused logins and writes by others. */
async function recordingProxy(t: ExecutionContext, target: string) {
  const refusals = new Map<string, number>();
  const foreign = new Set<string>();
  const server = await serve((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const body = await buffer(incoming);
      if (!isHarmless(incoming)) foreign.add(`${incoming.method} ${incoming.url}`);
      const name = userNameIn(incoming, body);
      return forward(incoming, outgoing, {
        target: new URL(target),
        body,
        onResponse({ statusCode: status }) {
          // At /_session, 403 means that the account is locked. Elsewhere it is a missing permission.
          if (name && (status === 401 || (status === 403 && incoming.url === '/_session')))
            refusals.set(name, (refusals.get(name) ?? 0) + 1);
        },
      });
    };
    answer().catch(() => {});
  });
  t.teardown(() => server.stop());
  return { url: server.url, refusals, foreign };
}

/** Fewer than those after which servers lock an account: CouchDB allows five. */
const mostRefusals = 2;

test('a run sends each account two wrong passwords or codes at most, and only changes its own databases and users', async (t) => {
  const server = await referenceServer(t, { config });
  const before = await stateOf(server.url);
  const { url, refusals, foreign } = await recordingProxy(t, server.url);
  const report = await runConformance({ urls: [url], admin, cases: 1, seed: 1 });
  t.deepEqual(
    report.checks
      .filter(({ outcome }) => !['pass', 'skipped'].includes(outcome))
      .map(({ id, outcome, reason }) => [id, outcome, reason]),
    [],
  );
  const passed = new Set(report.checks.flatMap(({ rule, outcome }) => (outcome === 'pass' ? rule : [])));
  for (const rule of ['basic-rejects', 'proxy-token-required', 'totp-token-required', 'jwt-signature']) {
    t.true(passed.has(rule), rule);
  }
  t.true(refusals.size > 10, 'the run has sent wrong passwords and codes');
  t.deepEqual(
    [...refusals].filter(([, count]) => count > mostRefusals),
    [],
  );
  t.deepEqual([...foreign], []);
  t.deepEqual(await stateOf(server.url), before);
});
