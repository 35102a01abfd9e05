import { afterAll, test } from 'vitest';
import { startConformance } from 'docfeed';
import { startServer } from 'docfeed/reference';

const admin = { name: 'admin', password: 'secret' };
// Start your own server here, or keep the reference server as a fixture for tests of a client.
const server = await startServer({ port: 0, admin });
const run = await startConformance({ urls: [server.url], admin, profile: 'smoke', only: ['feed-*'] });

// A check waits for its turn, so the time limit of a test is that of the whole run.
test.for(run.checks)('%s', { timeout: 120_000 }, async (id, { skip }) => {
  const { outcome, reason } = await run.verify(id);
  if (outcome === 'skipped') skip(reason);
});

afterAll(async () => {
  await run.report;
  await server.stop();
});
