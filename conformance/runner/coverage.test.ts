/** Warnings about what a run could not see, against real servers behind a real proxy that keeps things for itself. */
import { request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { Check } from '../checks/check.js';
import { checks } from '../checks/index.js';
import { type ConformanceOptions, runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';
import type { Report } from '../../reports/report.js';

const only = (...ids: string[]): Check[] => checks.filter(({ id }) => ids.includes(id));

/** A server between the run and the target, which changes the headers of answers. */
async function behindProxy(
  t: ExecutionContext,
  target: string,
  change: (headers: Record<string, unknown>) => void,
): Promise<string> {
  const proxy = await serve((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(target + incoming.url!, { method, headers }, (answer) => {
      const changed: Record<string, unknown> = { ...answer.headers };
      change(changed);
      outgoing.writeHead(answer.statusCode!, changed as never);
      answer.pipe(outgoing);
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
    parts: (parts) => ({
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

test('a proxy that takes cookies away', async (t) => {
  const server = await referenceServer(t);
  const named = await behindProxy(t, server.url, (headers) => {
    headers['via'] = '1.1 middle';
    delete headers['set-cookie'];
  });
  t.deepEqual(await warnings([named], { checks: only('login-cookie') }), [
    'A proxy stands before the target (Via: 1.1 middle): failures may be its own, if it keeps back Set-Cookie.',
  ]);
  const honest = await behindProxy(t, server.url, (headers) => {
    headers['via'] = '1.1 middle';
  });
  t.deepEqual(await warnings([honest], { checks: only('login-cookie') }), []);
});
