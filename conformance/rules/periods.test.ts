/** Measurements of periods while this machine is busy. */
import test from 'ava';
import { withLiveFeed } from '../play/live-feed.js';
import { Inconclusive } from '../engine/outcomes.js';
import { mustKeepHeartbeatPeriod } from './shared/measured-periods.js';
import { clientOf, databaseOf } from '../testing/database.js';

const periodMs = 90;

test('heartbeats that are three times too frequent do not pass because timers fire late', async (t) => {
  const client = await clientOf(t, (request, response) => {
    if (!request.url!.startsWith('/db/_changes')) return response.end('{}');
    const timer = setInterval(() => response.write('\n'), periodMs / 3);
    response.on('close', () => clearInterval(timer));
  });
  const database = databaseOf(client);
  let blocking: NodeJS.Timeout;
  const blockTimers = (): void => {
    for (const until = performance.now() + 0.8 * periodMs; performance.now() < until;);
    blocking = setTimeout(blockTimers);
  };
  blockTimers();
  t.teardown(() => clearTimeout(blocking));
  await withLiveFeed(database, { mode: 'continuous' }, (feed) =>
    t.throwsAsync(mustKeepHeartbeatPeriod(database, feed, periodMs), { instanceOf: Inconclusive }),
  );
});
