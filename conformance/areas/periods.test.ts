/** Measurements of periods while this machine is busy. */
import test from 'ava';
import { connect } from '../http/http.js';
import { createRedactor } from '../http/redact.js';
import { withLiveFeed } from '../play/live-feed.js';
import { serve } from '../testing/server.js';
import { Inconclusive } from '../engine/outcomes.js';
import { mustKeepHeartbeatPeriod } from './shared/periods.js';
import { databaseOf } from '../testing/database.js';

const periodMs = 90;

test('heartbeats that are three times too frequent do not pass because timers fire late', async (t) => {
  const server = await serve((request, response) => {
    if (!request.url!.startsWith('/db/_changes')) return response.end('{}');
    const timer = setInterval(() => response.write('\n'), periodMs / 3);
    response.on('close', () => clearInterval(timer));
  });
  const connection = connect([new URL(server.url)], undefined, createRedactor([]));
  const client = connection.client(new AbortController().signal, []);
  const database = databaseOf(client);
  let blocking: NodeJS.Timeout;
  const blockTimers = (): void => {
    for (const until = performance.now() + 0.8 * periodMs; performance.now() < until;);
    blocking = setTimeout(blockTimers);
  };
  blockTimers();
  t.teardown(async () => {
    clearTimeout(blocking);
    await connection.close();
    await server.stop();
  });
  await withLiveFeed(database, { mode: 'continuous' }, (feed) =>
    t.throwsAsync(mustKeepHeartbeatPeriod(database, feed, periodMs), { instanceOf: Inconclusive }),
  );
});
