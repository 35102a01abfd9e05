/** Tests a run on a machine that is suspended meanwhile, as laptops and overbooked hosts are. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { emptyFolder } from '../reports/testing/folder.js';
import { readReport } from '../reports/read.js';
import { docfeed } from './configure/testing/killing.js';

/** Longer than the deadline for creating a database, and longer than many checks wait. */
const pauseMs = 40_000;

test('a run that is suspended together with its target passes', async (t) => {
  const folder = await emptyFolder(t);
  const server = docfeed(folder, ['serve', '--port', '0']);
  t.teardown(() => server.kill('SIGKILL'));
  const [greeting] = (await once(createInterface(server.stdout), 'line')) as [string];
  const url = greeting.replace('listening on ', '');
  const run = docfeed(folder, ['check', url, '--configure', '--seed', '1', '--report-dir', folder]);
  t.teardown(() => run.kill('SIGKILL'));
  // The first progress output shows that checks are running.
  await once(run.stderr, 'data');
  for (const one of [run, server]) one.kill('SIGSTOP');
  await wait(pauseMs);
  for (const one of [server, run]) one.kill('SIGCONT');
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
