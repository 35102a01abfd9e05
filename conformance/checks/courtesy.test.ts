/** What a run does to a target, seen by somebody between the two. */
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { ServerOptions } from '../../reference/index.js';
import { stateOf } from '../configure/testing/target-state.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';

/** Every way of saying who asks, with what a run can read of it: nothing has to be changed for it to be judged. */
const config: ServerOptions['config'] = {
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
  chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies and cookies', iterations: '10' },
  jwt_keys: { 'hmac:_default': Buffer.from('of tokens').toString('base64') },
};

/** Whom a request says that it comes from with a password, or a code besides, if it does. */
function nameOf({ headers, url }: IncomingMessage, body: Buffer): string | undefined {
  const token = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined) return Buffer.from(token, 'base64').toString('utf8').split(':')[0];
  if (url !== '/_session' || body[0] !== '{'.charCodeAt(0)) return undefined;
  return (JSON.parse(body.toString()) as { name?: string }).name;
}

/** What only asks, or concerns a session, or a database or user with a name of the run. */
function isOwn({ method = 'GET', url = '/' }: IncomingMessage): boolean {
  const path = decodeURIComponent(url.split('?')[0]!);
  return (
    ['GET', 'HEAD', 'OPTIONS'].includes(method) ||
    path === '/_session' ||
    /^\/docfeed-[^/]|^\/_users\/([a-z.]+:?)?x?docfeed-/.test(path) ||
    // Reading with a body.
    (method === 'POST' && /\/_changes$/.test(path))
  );
}

/** Passes everything on, pieces of feeds as they come, and notes it. */
async function between(t: ExecutionContext, target: string) {
  const refusals = new Map<string, number>();
  const foreign = new Set<string>();
  const server = await serve((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      if (!isOwn(incoming)) foreign.add(`${incoming.method} ${incoming.url}`);
      const name = nameOf(incoming, body);
      const { method, headers } = incoming;
      const onward = request(target + incoming.url!, { method, headers }, (answer) => {
        // A locked account is answered with 403 at its session; elsewhere that is said of what is asked for.
        if (
          name &&
          (answer.statusCode === 401 || (answer.statusCode === 403 && incoming.url === '/_session'))
        ) {
          refusals.set(name, (refusals.get(name) ?? 0) + 1);
        }
        outgoing.writeHead(answer.statusCode!, answer.rawHeaders).flushHeaders();
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  t.teardown(() => server.stop());
  return { url: server.url, refusals, foreign };
}

test('no account is given a wrong password or code twice, and nothing is touched but what is of the run', async (t) => {
  const server = await referenceServer(t, { config });
  const before = await stateOf(server.url);
  const { url, refusals, foreign } = await between(t, server.url);
  const report = await runConformance({ urls: [url], admin, runs: 1, seed: 1 });
  t.deepEqual(
    report.checks
      .filter(({ outcome }) => !['pass', 'skipped'].includes(outcome))
      .map(({ id, outcome, reason }) => [id, outcome, reason]),
    [],
  );
  const judged = new Set(report.checks.flatMap(({ rule, outcome }) => (outcome === 'pass' ? rule : [])));
  for (const rule of ['basic-rejects', 'proxy-token-required', 'totp-token-required', 'jwt-signature']) {
    t.true(judged.has(rule), rule);
  }
  t.true(refusals.size > 10, 'wrong passwords and codes were tried');
  t.deepEqual(
    [...refusals].filter(([, count]) => count > 1),
    [],
  );
  t.deepEqual([...foreign], []);
  t.deepEqual(await stateOf(server.url), before);
});
