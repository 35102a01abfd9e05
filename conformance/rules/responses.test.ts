/** How the rules for all responses evaluate responses of operations that the service document does not show. */
import test, { type ExecutionContext } from 'ava';
import { combine, replaceHandler } from './shared/components.faults.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';

/** Runs `error-shape` against a server that rejects every document with this body. */
async function outcomeOf(t: ExecutionContext, body: unknown) {
  const reject = () => Promise.resolve({ status: 500, body });
  const components = combine(replaceHandler('bulkDocs', reject), replaceHandler('putDocument', reject));
  const { url } = await referenceServer(t, { components });
  const only = ['feed-shape', 'error-shape'];
  const { checks } = await runConformance({ urls: [url], admin, only, cases: 1, seed: 1 });
  return checks.find(({ id }) => id === 'error-shape');
}

test('a list of results with an error status is no error body', async (t) => {
  const list = [{ error: 'error', reason: 'internal_server_error' }];
  t.like(await outcomeOf(t, list), { outcome: 'pass', reason: undefined });
});

test('an error body without a reason is a violation, whatever the operation', async (t) => {
  const result = await outcomeOf(t, { error: 'error' });
  t.like(result, { outcome: 'fail' });
  t.regex(result?.reason ?? '', /_bulk_docs has a malformed error body/);
});
