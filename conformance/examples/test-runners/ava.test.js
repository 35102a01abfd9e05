import test from 'ava';
import { startConformance } from 'docfeed';
import { startServer } from 'docfeed/reference';

const admin = { name: 'admin', password: 'secret' };
// Start your own server here, or keep the reference server as a fixture for tests of a client.
const server = await startServer({ port: 0, admin });
const run = await startConformance({ urls: [server.url], admin, profile: 'smoke', only: ['feed-*'] });

// A check waits for its turn, so the time limit is that of the whole run: `ava --timeout 2m`.
for (const id of run.checks) {
  test(id, async (t) => {
    const { outcome, reason } = await run.verify(id);
    t.pass(outcome === 'skipped' ? reason : outcome);
  });
}

test.after.always(async () => {
  await run.report;
  await server.stop();
});
