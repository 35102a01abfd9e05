/** A machine that sleeps in the middle of a run, as laptops and overbooked hosts do. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { emptyFolder } from '../reports/testing/folder.js';
import { readReport } from '../reports/read.js';
import { docfeed } from './configure/testing/killing.js';

/** Longer than anything may take to be made, and than many checks wait. */
const pauseMs = 40_000;

test('a run that stands still for a while, and its target with it, goes on as if nothing had been', async (t) => {
  const folder = await emptyFolder(t);
  const server = docfeed(folder, ['serve', '--port', '0']);
  t.teardown(() => server.kill('SIGKILL'));
  const [greeting] = (await once(createInterface(server.stdout), 'line')) as [string];
  const url = greeting.replace('listening on ', '');
  const run = docfeed(folder, ['check', url, '--configure', '--seed', '1', '--report-dir', folder]);
  t.teardown(() => run.kill('SIGKILL'));
  // The first word of its progress: it is in the middle of its checks.
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
