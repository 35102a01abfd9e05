/** What the checks do to a target, seen by somebody between the two. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';

/** Whom a request says that it comes from with a password, if it does. */
function nameOf(authorization: string | undefined, path: string, body: string): string | undefined {
  const token = /^Basic (.*)$/.exec(authorization ?? '')?.[1];
  if (token !== undefined) return Buffer.from(token, 'base64').toString('utf8').split(':')[0];
  if (path !== '/_session' || !body.startsWith('{')) return undefined;
  return (JSON.parse(body) as { name?: string }).name;
}

test('no account is given a wrong password twice, and nothing is written but what is the run’s own', async (t) => {
  const server = await referenceServer(t);
  const refusals = new Map<string, number>();
  const foreign = new Set<string>();
  const between = await serve((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const { method = 'GET', url = '/', headers } = incoming;
      const own = url.includes('docfeed-') || url.startsWith('/_session');
      if (!own && !['GET', 'HEAD', 'OPTIONS'].includes(method)) foreign.add(`${method} ${url}`);
      const name = nameOf(headers.authorization, url, body);
      const onward = request(server.url + url, { method, headers }, (answer) => {
        if (answer.statusCode === 401 && name) refusals.set(name, (refusals.get(name) ?? 0) + 1);
        outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      onward.end(body);
    });
  });
  t.teardown(() => between.stop());

  const report = await runConformance({
    ...{ urls: [between.url], admin, runs: 4, seed: 1 },
    only: ['basic-*', 'login-*', 'cookie-*', 'users-*', 'session-*', 'jwt-*', 'error-*'],
  });
  t.is(report.summary.fail + report.summary.error + report.summary.blocked, 0);
  t.true(refusals.size > 5, 'wrong passwords were tried');
  t.deepEqual(
    [...refusals].filter(([, count]) => count > 1),
    [],
  );
  t.deepEqual([...foreign], []);
});
