/** A machine that is suspended during a run, like a laptop or an overloaded virtual machine. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { emptyFolder } from '../reports/testing/folder.js';
import { listeningUrl } from '../reports/testing/listening-urls.js';
import { readReport } from '../reports/read.js';
import { docfeed } from './session/testing/killing.js';

/** Longer than the deadlines of requests and of many checks. */
const pauseMs = 40_000;

test('a run continues without failures after docfeed and the target were suspended', async (t) => {
  const folder = await emptyFolder(t);
  const server = docfeed(folder, ['serve', '--port', '0']);
  t.teardown(() => server.kill('SIGKILL'));
  const url = await listeningUrl(server);
  const run = docfeed(folder, ['check', url, '--configure', '--seed', '1', '--report-dir', folder]);
  t.teardown(() => run.kill('SIGKILL'));
  // The first progress output shows that checks are running.
  await once(run.stderr, 'data');
  for (const process of [run, server]) process.kill('SIGSTOP');
  await wait(pauseMs);
  for (const process of [server, run]) process.kill('SIGCONT');
  await run;
  const { checks, suite } = await readReport(`${folder}/report.json`);
  t.deepEqual(
    checks
      .filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
      .map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`),
    [],
  );
  t.true(suite.durationMs > pauseMs);
});
