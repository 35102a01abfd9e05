/** Consumers of a server that is busy with something other than what most of its requests need. */
import test from 'ava';
import { checksOf } from '../../session/scope/rule-checks.js';
import { replaceFunction } from './components.faults.js';
import { runConformance } from '../../index.js';
import { newDocument } from '../../oracle/history.js';
import { admin, referenceServer } from '../../testing/reference.js';
import { mustConverge } from './live-consumers.js';

test('a consumer is not late while requests with filters wait for each other', async (t) => {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  let answered = 0;
  const server = await referenceServer(t, {
    components: (components) => ({
      ...replaceFunction('createFilter', async (original, ...request) => {
        if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
        return original(...request);
      })(components),
      // A filter begins after eight other requests.
      prepareResponse: (response) =>
        response.once('finish', () => {
          answered += 1;
          if (answered % 8 === 0) waiting.shift()?.();
        }),
    }),
  });
  t.teardown(() => waiting.forEach((resolve) => resolve()));
  const id = 'doc-2';
  const following = checksOf({
    'feed-live-converges/queue': async (context) => {
      const database = await context.createDatabase();
      isBusy = true;
      await mustConverge([database], {
        stages: [[newDocument(id)], [{ id, writes: [{ kind: 'put', leaf: 0, body: { value: 1 } }] }]],
        consumers: [
          {
            plan: { mode: 'normal', request: {}, waiting: {}, disconnections: [], resumeBy: 'since' },
            filter: { kind: 'selector', selector: { _id: { $regex: '2$' } } },
          },
        ],
        graceMs: 100,
      });
      isBusy = false;
      waiting.forEach((resolve) => resolve());
    },
  });
  const { checks } = await runConformance({ urls: [server.url], admin, checks: following, seed: 1 });
  t.like(checks[0], { outcome: 'pass', reason: undefined });
});
