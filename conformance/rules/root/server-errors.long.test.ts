/** No valid request gets an internal error: one that comes each time is a violation, and one that does not come again is none. */
import test from 'ava';
import { findCauses } from '../../../reports/causes.js';
import { violatingExchange } from '../../../reports/report.js';
import { runConformance } from '../../index.js';
import { hostileTarget } from '../../testing/hostile-target.js';
import { admin, referenceServer } from '../../testing/reference.js';

const body = '{"error":"internal_server_error","reason":"The test says so."}\n';

const options = { admin, profile: 'smoke', seed: 1, shrinkMs: 0 } as const;

const ofResponses = 'response-schema{,/**}';

for (const [request, isRefused, what, only] of [
  [
    'POST /{db}/_bulk_docs',
    (url: string) => url.includes('/_bulk_docs'),
    'The target answers a valid POST /{db}/_bulk_docs with an internal error',
    ['feed-latest', 'feed-deleted', ofResponses],
  ],
  [
    'POST /{db}/_changes?filter=_selector',
    (url: string) => url.includes('filter=_selector'),
    '`filter=_selector` is answered with 500',
    ['filter-selector', ofResponses],
  ],
  [
    'PUT /{db}/{id}',
    (url: string, method: string) => method === 'PUT' && url.endsWith('/written'),
    'The target answers a valid PUT /{db}/{id} with an internal error',
    [ofResponses],
  ],
] as const) {
  test(`an internal error for each ${request} is a violation`, async (t) => {
    const url = await hostileTarget(t, await referenceServer(t), ({ url, method }) =>
      isRefused(url!, method!) ? { status: 500, body } : undefined,
    );
    const { checks } = await runConformance({ ...options, only, urls: [url] });
    t.is(checks.find(({ id }) => id === 'response-schema/server-errors')!.outcome, 'fail');
    const failed = findCauses(checks).filter(({ lead }) => lead.outcome === 'fail');
    t.deepEqual(
      failed.map(({ lead }) => lead.obstacle ?? lead.counterexample!.message),
      [what],
    );
    const { request, response } = violatingExchange(failed[0]!.lead.counterexample!)!;
    t.true(isRefused(request.path, request.method));
    t.is(response!.status, 500);
  });
}

test('an internal error that comes only once is no violation, nor is a part that is not implemented', async (t) => {
  let errors = 0;
  const url = await hostileTarget(t, await referenceServer(t), ({ url, method }) => {
    if (url!.includes('/_local/')) return { status: 501, body };
    if (method !== 'PUT' || !url!.endsWith('/written')) return undefined;
    errors += 1;
    return errors === 1 ? { status: 500, body } : undefined;
  });
  const { checks } = await runConformance({ ...options, only: [ofResponses], urls: [url] });
  t.is(checks.find(({ id }) => id === 'response-schema/server-errors')!.outcome, 'pass');
  t.true(errors > 1);
});
