/** `docfeed check --watch` with the program, a server that stops and starts again, and real files. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { startServer, type ServerOptions } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import { readLastResults } from '../../reports/last-results.js';
import { admin } from '../testing/reference.js';
import { docfeed, withoutVendorVersion } from './testing/docfeed.js';

/** Starts `check --watch` for a few checks. Its lines are read one after the other. */
async function startWatch(t: ExecutionContext, args: readonly string[] = ['--quiet']) {
  const port = await freePort();
  const dir = await emptyFolder(t);
  const run = docfeed(
    [`http://127.0.0.1:${port}`, '--watch', '--only', 'root-*', ...args, '--report-dir', join(dir, 'report')],
    { stdin: 'pipe' },
  );
  t.teardown(() => void run.kill('SIGKILL'));
  const lines = createInterface({ input: run.stdout! })[Symbol.asyncIterator]();
  const seen: string[] = [];
  /** Waits for a line. @returns the lines before it and the line */
  const until = async (pattern: RegExp): Promise<string[]> => {
    for (const start = seen.length; ;) {
      const line = (await lines.next()) as IteratorResult<string, undefined>;
      if (line.done) throw new Error(`The output ends before ${pattern}:\n${seen.join('\n')}`);
      seen.push(line.value);
      if (pattern.test(line.value)) return seen.slice(start);
    }
  };
  const start = (options: ServerOptions = {}) => startServer({ port, admin, ...options });
  return { run, until, start, dir, port };
}

test('--watch waits for the target, and a restart shows whether the failure is fixed', async (t) => {
  const { run, until, start, dir } = await startWatch(t, []);
  await until(/^waiting for http/);
  const faulty = await start({ components: withoutVendorVersion });
  const first = await until(/^verdict/);
  t.deepEqual(
    first.filter((line) => /^(what failed|smoke|all checks|verdict)/.test(line)),
    [
      'smoke: one case of one check per rule',
      'all checks: profile default',
      'verdict  The target violates 1 rule.',
    ],
  );
  await until(/^press Enter/);
  t.is((await readLastResults(join(dir, 'report')))?.get('root-vendor')?.result.outcome, 'fail');

  await faulty.stop();
  await until(/^The target stopped\.$/);
  const still = await start({ components: withoutVendorVersion });
  t.regex((await until(/^(still failing|fixed)/)).at(-1)!, /^still failing {2}root-vendor {2}The vendor /);
  t.is((await until(/^verdict/)).at(-2), 'changes  fixed: 0, still failing: 1, new: 0');
  await until(/^press Enter/);

  await still.stop();
  await until(/^The target stopped\.$/);
  const conforming = await start();
  t.teardown(() => conforming.stop());
  const startedAt = performance.now();
  const second = await until(/^(still failing|fixed)/);
  t.log(`fixed after ${Math.round(performance.now() - startedAt)} ms`);
  t.is(second.at(-1), 'fixed          root-vendor');
  t.deepEqual((await until(/^verdict/)).slice(-2), [
    'changes  fixed: 1, still failing: 0, new: 0',
    'verdict  All checked rules hold.',
  ]);
  await until(/^press Enter/);

  run.stdin!.write('q\n');
  const { exitCode, stderr } = await run;
  t.is(exitCode, 0);
  // The first round finds the failure in two phases, the second one in three.
  t.deepEqual(String(stderr).match(/^(fail|error) .*$/gm), [
    'fail  root-vendor  The vendor in the greeting is malformed',
  ]);
});

test('--watch runs again on Enter and when a watched file changes', async (t) => {
  const source = await emptyFolder(t);
  const { run, until, start } = await startWatch(t, ['--quiet', '--watch-file', source]);
  const server = await start();
  t.teardown(() => server.stop());
  await until(/^press Enter/);
  run.stdin!.write('\n');
  await until(/^Enter was pressed\.$/);
  await until(/^press Enter/);
  const file = join(source, 'server.js');
  await writeFile(file, 'changed');
  t.is((await until(/ changed\.$/)).at(-1), `${file} changed.`);
  t.is(await readFile(file, 'utf8'), 'changed');
  await until(/^press Enter/);
  run.kill('SIGINT');
  t.is((await run).exitCode, 0);
});

test('--watch goes on when the target resets its connection', async (t) => {
  const { run, until, port } = await startWatch(t);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('data', () => socket.end('HTTP/1.1 404 Not Found\r\n\r\n')));
  });
  t.teardown(() => server.close());
  server.listen(port, '127.0.0.1');
  await until(/^press Enter/);
  for (const socket of sockets) socket.resetAndDestroy();
  run.stdin!.write('\n');
  await until(/^Enter was pressed\.$/);
  await until(/^press Enter/);
  run.kill('SIGINT');
  const { exitCode, stderr } = await run;
  t.is(exitCode, 3);
  t.notRegex(String(stderr), /internal error/);
});
