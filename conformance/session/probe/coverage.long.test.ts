/** Tests warnings with real servers behind a real proxy that removes or delays components of exchanges. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { Check } from '../scope/rule-checks.js';
import { checks } from '../../rules/checks.js';
import { forward } from '../../http/reverse-proxy.js';
import { combine, replaceHandler } from '../../rules/shared/components.faults.js';
import { everyHandler, refusal } from '../testing/target-state.js';
import { type ConformanceOptions, Refusal, runConformance } from '../../index.js';
import { admin, referenceServer } from '../../testing/reference.js';
import { served } from '../../testing/server.js';
import type { Report } from '../../../reports/report.js';

const only = (...ids: string[]): Check[] => checks.filter(({ id }) => ids.includes(id));

interface ProxyOptions {
  /** The names of headers of requests and of responses that do not get through. */
  withoutRequest?: readonly string[];
  withoutResponse?: readonly string[];
  /** Sends the response only when its body is complete. */
  buffers?: boolean;
}

/** Starts a proxy in front of the target. */
async function startProxy(t: ExecutionContext, target: string, options: ProxyOptions): Promise<string> {
  const { withoutRequest, withoutResponse, buffers = false } = options;
  const proxy = await served(t, (incoming, outgoing) => {
    outgoing.setHeader('Via', '1.1 middle');
    forward(incoming, outgoing, {
      target: new URL(target),
      without: withoutRequest,
      onResponse: async (response) => ({
        without: withoutResponse,
        ...(buffers && { body: Readable.from([await buffer(response)]) }),
      }),
    }).catch(() => {});
  });
  return proxy.url;
}

async function warnings(urls: string[], options: Partial<ConformanceOptions>): Promise<Report['warnings']> {
  return (await runConformance({ urls, admin, ...options })).warnings;
}

test('warns if all requests are forbidden', async (t) => {
  const server = await referenceServer(t);
  const [first, second, ...others] = await warnings([server.url], {
    admin: undefined,
    checks: only('root-greeting', 'feed-shape'),
  });
  t.regex(first!, /^Only administrators can create databases/);
  t.regex(second!, /^All \d+ requests to databases and users returned 401 or 403\. Use --admin/);
  t.deepEqual(others, []);
});

test('warns about a target without users', async (t) => {
  const server = await referenceServer(t);
  t.deepEqual(await warnings([server.url], { checks: only('root-greeting') }), []);
  const bare = await referenceServer(t, {
    components: combine(
      replaceHandler('postSession', refusal(404)),
      replaceHandler('getDatabase', (getDatabase, request, context) =>
        request.params.db === '_users' ? refusal(404)() : getDatabase(request, context),
      ),
    ),
  });
  t.deepEqual(await warnings([bare.url], { checks: only('root-greeting') }), [
    'The target has no users database, so checks of users, passwords and cookies are skipped.',
  ]);
});

const removals: Readonly<Record<string, { check: string; what: string; options: ProxyOptions }>> = {
  cookies: {
    check: 'login-cookie',
    what: 'Set-Cookie',
    options: { withoutResponse: ['set-cookie'] },
  },
  'headers of other proxies': {
    check: 'proxy-userctx',
    what: 'the X-Auth headers',
    options: { withoutRequest: ['x-auth-service-username'] },
  },
  'the position in an event stream': {
    check: 'eventsource-last-event-id',
    what: 'Last-Event-ID',
    options: { withoutRequest: ['last-event-id'] },
  },
};

for (const [removed, { check, what, options: proxyOptions }] of Object.entries(removals)) {
  test(`warns about a proxy that removes ${removed}`, async (t) => {
    const server = await referenceServer(t, { config: everyHandler });
    const options = { checks: only(check), seed: 1, shrinkMs: 0 };
    t.deepEqual(await warnings([await startProxy(t, server.url, proxyOptions)], options), [
      `There is a proxy in front of the target (Via: 1.1 middle). It may cause failures by removing ${what}.`,
    ]);
    t.deepEqual(await warnings([await startProxy(t, server.url, {})], options), []);
  });
}

test('refuses to run behind a proxy that removes credentials', async (t) => {
  const server = await referenceServer(t);
  const url = await startProxy(t, server.url, {
    withoutRequest: ['authorization'],
  });
  const error = await t.throwsAsync(runConformance({ urls: [url], admin, checks: only('root-greeting') }), {
    instanceOf: Refusal,
  });
  t.is(error.exitCode, 2);
  t.regex(
    error.message,
    /treats requests of "admin" as anonymous; .* proxy removes the header Authorization/,
  );
});

test('a proxy that buffers responses is one cause, and the rest is judged', async (t) => {
  const server = await referenceServer(t);
  const options = {
    admin,
    seed: 1,
    cases: 2,
    shrinkMs: 0,
    checks: only(
      'feed-complete',
      'longpoll-delivers',
      'continuous-live',
      'heartbeat-lines',
      'eventsource-stream',
    ),
  };
  const run = async (url: string): Promise<string[]> =>
    (await runConformance({ ...options, urls: [url] })).checks.map(
      ({ id, outcome, obstacle = '' }) => `${id}: ${outcome} ${obstacle}`,
    );
  const held =
    'responses are held back until they end: something between buffers them (`Server: docfeed/0.1.0`); for nginx `proxy_buffering off`';
  t.deepEqual((await run(await startProxy(t, server.url, { buffers: true }))).sort(), [
    `continuous-live: fail ${held}`,
    `eventsource-stream: blocked ${held}`,
    'feed-complete: pass ',
    `heartbeat-lines: blocked ${held}`,
    'longpoll-delivers: pass ',
  ]);
  const others = await run(await startProxy(t, server.url, {}));
  t.deepEqual(
    others.filter((one) => /: (fail|blocked) /.test(one)),
    [],
  );
});
