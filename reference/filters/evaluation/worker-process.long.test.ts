/** The processes for programs end with the server. */
import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { basic, sendTo } from '../../../reports/testing/request.js';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { serve } from '../../testing/serve-process.js';
import { CrashError, WorkerProcess } from './worker-process.js';

/** Settings that let a program run much longer than the test. */
async function slowLimits(t: ExecutionContext): Promise<string> {
  const file = join(await emptyFolder(t), 'settings.ini');
  await writeFile(file, '[docfeed]\nfilter_cpu_ms = 60000\n');
  return file;
}

const builtin = 'function () { return Array.prototype.indexOf.call({ length: 9007199254740991 }, 1); }';

test('processes end when the server is killed, even in a loop that nothing can interrupt', async (t) => {
  const { child, url } = await serve(t, ['--admin', 'admin:secret', '--config', await slowLimits(t)]);
  const headers = basic('admin', 'secret');
  const send = async (method: string, path: string, body?: object) =>
    (await sendTo(url, method, path, { headers, body })).status;
  await send('PUT', '/recipes');
  await send('PUT', '/recipes/soup', {});
  await send('PUT', '/recipes/_design/lists', { filters: { builtin, all: '() => true' } });
  const loop = t.throwsAsync(send('GET', '/recipes/_changes?filter=lists/builtin'));
  // The same user's next feed follows the first slice of the loop, which then continues in another process.
  for (let feed = 0; feed < 3; feed++) t.is(await send('GET', '/recipes/_changes?filter=lists/all'), 200);
  child.kill('SIGKILL');
  await loop;
  // All processes share the standard error of the server. This resolves when the last of them has ended.
  t.is((await child).signal, 'SIGKILL');
});

test('a process whose server is killed while it starts ends without a message', async (t) => {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const child = fork(new URL('./worker.js', import.meta.url), { stdio: [...stdio] });
  child.disconnect();
  t.is(await text(child.stderr!), '');
});

const program = (source: string) => ({
  program: { kind: 'filter', key: source, source, design: '{}', request: 'null' } as const,
  documents: '[{}]',
  sliceMs: 25,
  cpuMs: 200,
});

test('the process of a loop that nothing can interrupt ends after its CPU time', async (t) => {
  const worker = new WorkerProcess(60_000);
  t.teardown(() => worker.end());
  t.is(await worker.run(program(builtin)), 'timeout');
  t.true(worker.hasEnded);
});

test('the system limits the CPU time of a process', async (t) => {
  const worker = new WorkerProcess(60_000);
  t.teardown(() => worker.end());
  await worker.run(program('() => true'));
  if (process.platform === 'linux') {
    const limits = await readFile(`/proc/${worker.pid}/limits`, 'utf8');
    t.regex(limits, /^Max cpu time +63 +63 /m);
  }
  t.true(worker.canSpend(50_000));
  t.false(worker.canSpend(60_000));
});

test('a process that is killed rejects its job', async (t) => {
  const worker = new WorkerProcess(60_000);
  await worker.run(program('() => true'));
  const rejected = t.throwsAsync(worker.run({ ...program(builtin), cpuMs: 60_000 }), {
    instanceOf: CrashError,
  });
  process.kill(worker.pid, 'SIGSEGV');
  await rejected;
  t.false(worker.isFree);
});
