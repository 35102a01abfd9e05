import { after, describe, it } from 'mocha';
import { startConformance } from 'docfeed';
import { startServer } from 'docfeed/reference';

const admin = { name: 'admin', password: 'secret' };
// Start your own server here, or keep the reference server as a fixture for tests of a client.
const server = await startServer({ port: 0, admin });
const run = await startConformance({ urls: [server.url], admin, profile: 'smoke', only: ['feed-*'] });

describe('feed', function () {
  // A check waits for its turn, so the time limit of a test is that of the whole run.
  this.timeout(120_000);

  for (const id of run.checks) {
    it(id, async function () {
      const { outcome } = await run.verify(id);
      if (outcome === 'skipped') this.skip();
    });
  }
});

after(async () => {
  await run.report;
  await server.stop();
});
