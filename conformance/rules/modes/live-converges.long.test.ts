import test from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { runConformance } from '../../index.js';
import { admin, referenceServer } from '../../testing/reference.js';

test('a target whose long polls answer at once without rows is not asked again and again', async (t) => {
  const startedAt: number[] = [];
  const { url } = await referenceServer(t, {
    components: (components) => ({
      ...components,
      openFeed(feed) {
        startedAt.push(performance.now());
        if (feed.mode.waits !== 'for rows') return components.openFeed(feed);
        const options = { ...feed.options, start: { since: 'now', parameter: 'since' } };
        return components.openFeed({ ...feed, options, mode: { ...feed.mode, waits: 'never' } });
      },
    }),
    log: { level: 'silent' },
  });
  await runConformance({
    urls: [url],
    admin,
    seed: 1,
    concurrency: 1,
    only: ['feed-live-converges/longpoll'],
    journalDir: await emptyFolder(t),
  });
  t.true(startedAt.length > 0);
  const busiest = Math.max(
    ...startedAt.map((from) => startedAt.filter((at) => at >= from && at < from + 1000).length),
  );
  // A case has several consumers, and each pauses between two long polls without rows.
  t.true(busiest < 100, `${busiest} feeds in one second`);
});
