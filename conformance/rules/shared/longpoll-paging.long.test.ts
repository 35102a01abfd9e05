import test from 'ava';
import { formatVerdict } from '../../../reports/render/next-step.js';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { runConformance } from '../../index.js';
import { admin, referenceServer } from '../../testing/reference.js';

for (const seed of [1, 2, 3]) {
  test(`a long poll may end after the first document of a bulk write, seed ${seed}`, async (t) => {
    const { url } = await referenceServer(t, {
      vary: { splitsBulkWrites: true },
      log: { level: 'silent' },
    });
    const report = await runConformance({
      urls: [url],
      admin,
      seed,
      only: ['feed-*/longpoll'],
      journalDir: await emptyFolder(t),
    });
    t.is(formatVerdict(report), 'All checked rules hold.');
    t.true(report.checks.some(({ id }) => id === 'feed-pending/longpoll'));
  });
}
