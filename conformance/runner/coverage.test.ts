/** Warnings about what a run could not see, against real servers behind a real proxy that keeps things for itself. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { check, type Check } from '../checks/check.js';
import { checks } from '../checks/index.js';
import { everyHandler } from '../configure/testing/target-state.js';
import { type ConformanceOptions, Refusal, runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';
import type { Report } from '../../reports/report.js';

const only = (...ids: string[]): Check[] => checks.filter(({ id }) => ids.includes(id));

interface Between {
  asked?: (headers: IncomingHttpHeaders) => void;
  answered?: (headers: IncomingHttpHeaders) => void;
  /** Bodies are passed on when they are complete. */
  holds?: boolean;
}

/** A server between the run and the target, which changes the headers that pass. */
async function behindProxy(t: ExecutionContext, target: string, between: Between): Promise<string> {
  const { asked, answered, holds = false } = between;
  const proxy = await serve((incoming, outgoing) => {
    const headers = { ...incoming.headers };
    asked?.(headers);
    const onward = request(target + incoming.url!, { method: incoming.method, headers }, (answer) => {
      const changed = { ...answer.headers, via: '1.1 middle' };
      answered?.(changed);
      const pass = (body: Readable): void => {
        outgoing.writeHead(answer.statusCode!, changed).flushHeaders();
        body.pipe(outgoing);
      };
      if (holds) void buffer(answer).then((body) => pass(Readable.from([body])));
      else pass(answer);
    });
    incoming.pipe(onward);
  });
  t.teardown(() => proxy.stop());
  return proxy.url;
}

async function warnings(urls: string[], options: Partial<ConformanceOptions>): Promise<Report['warnings']> {
  return (await runConformance({ urls, admin, ...options })).warnings;
}

test('a run that is refused everywhere', async (t) => {
  const server = await referenceServer(t);
  const [first, second, ...others] = await warnings([server.url], {
    admin: undefined,
    checks: only('root-greeting', 'feed-shape'),
  });
  t.regex(first!, /only administrators create databases/);
  t.regex(second!, /^All \d+ requests to databases and users were refused with 401 or 403: give an --admin/);
  t.deepEqual(others, []);
});

test('a target without users', async (t) => {
  const server = await referenceServer(t);
  t.deepEqual(await warnings([server.url], { checks: only('root-greeting') }), []);
  const bare = await referenceServer(t, {
    components: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        getDatabase: (asked, context) =>
          asked.params.db === '_users'
            ? ({ status: 404, body: { error: 'not_found', reason: 'no such database' } } as never)
            : parts.handlers.getDatabase(asked, context),
      },
    }),
  });
  t.deepEqual(await warnings([bare.url], { checks: only('root-greeting') }), [
    'The target has no users database: nothing is judged of users, passwords and cookies.',
  ]);
});

const kept: Readonly<Record<string, { check: string; what: string; between: Between }>> = {
  'cookies away': {
    check: 'login-cookie',
    what: 'Set-Cookie',
    between: { answered: (headers) => delete headers['set-cookie'] },
  },
  'the word of other proxies away': {
    check: 'proxy-userctx',
    what: 'the X-Auth headers',
    between: { asked: (headers) => delete headers['x-auth-service-username'] },
  },
  'the place in a stream away': {
    check: 'eventsource-last-event-id',
    what: 'Last-Event-ID',
    between: { asked: (headers) => delete headers['last-event-id'] },
  },
};

for (const [how, { check, what, between }] of Object.entries(kept)) {
  test(`a proxy that takes ${how}`, async (t) => {
    const server = await referenceServer(t, { config: everyHandler });
    const options = { checks: only(check), seed: 1, shrinkMs: 0 };
    t.deepEqual(await warnings([await behindProxy(t, server.url, between)], options), [
      `A proxy stands before the target (Via: 1.1 middle): failures may be its own, if it keeps back ${what}.`,
    ]);
    t.deepEqual(await warnings([await behindProxy(t, server.url, {})], options), []);
  });
}

test('a proxy that takes the credentials away', async (t) => {
  const server = await referenceServer(t);
  const url = await behindProxy(t, server.url, { asked: (headers) => delete headers.authorization });
  const error = await t.throwsAsync(runConformance({ urls: [url], admin, checks: only('root-greeting') }), {
    instanceOf: Refusal,
  });
  t.is(error.exitCode, 2);
  t.regex(error.message, /takes "admin" for nobody, .* proxy keep the header Authorization/);
});

test('a proxy that holds bodies back', async (t) => {
  const server = await referenceServer(t);
  const feeds = check({
    rule: 'root-greeting',
    async run(context) {
      const database = await context.createDatabase();
      const ask = { path: '/_changes', query: { feed: 'continuous', timeout: 600 } };
      await Promise.all([database.request(ask), database.request(ask)]);
    },
  });
  t.deepEqual(await warnings([await behindProxy(t, server.url, { holds: true })], { checks: [feeds] }), [
    'Feeds that stay open arrived in one piece at their end: the target, or a proxy before it, holds bodies back.',
  ]);
  t.deepEqual(await warnings([await behindProxy(t, server.url, {})], { checks: [feeds] }), []);
});
