import { after, test } from 'node:test';
import { consumerScenarios } from 'docfeed/consumer';

const run = await consumerScenarios({ command: ['node', 'follower.js'] });

for (const id of run.checks) {
  test(id, async (t) => {
    const { outcome, reason } = await run.verify(id);
    if (outcome === 'skipped') t.skip(reason);
  });
}

after(() => run.report);
