/** `docfeed serve --data DIR` as a user runs it, with directories that can and that cannot be used. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CommanderError } from 'commander';
import { execa } from 'execa';
import { request } from 'undici';
import { startServer } from '../index.js';
import { listening, run, serve } from '../testing/serve-process.js';
import { admin, basic } from '../testing/server.js';
import { serveCommand } from './serve.js';

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const asAdmin = ['--admin', `${admin.name}:${admin.password}`];

async function send(url: string, method: 'GET' | 'PUT', path: string, body?: object) {
  const { statusCode: status, body: answer } = await request(url + path, {
    method,
    headers: { ...basic(admin.name, admin.password), 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status, json: (await answer.json()) as Record<string, unknown> };
}

test.serial(
  'one server at a time; after a kill the next has everything, and names what was incomplete',
  async (t) => {
    const data = join(await folder(t), 'made', 'here');
    const { child, url } = await serve(t, ['--data', data, ...asAdmin]);
    t.is((await send(url, 'PUT', '/recipes')).status, 201);
    t.is((await send(url, 'PUT', '/recipes/soup', { n: 1 })).status, 201);

    const second = await run(['--port=0', '--data', data]);
    t.like(second, { exitCode: 2, stdout: '' });
    t.is(
      second.stderr,
      `docfeed: ${data} is in use by another server: stop that one, or name another directory`,
    );

    child.kill('SIGKILL');
    await child;
    const journal = join(data, 'journal-1');
    const size = (await readFile(journal)).length;
    await truncate(journal, size - 5);
    const next = await serve(t, ['--data', data, '--log-level', 'silent', ...asAdmin]);
    t.like(await send(next.url, 'GET', '/recipes/soup'), { status: 200, json: { n: 1 } });
    next.child.kill('SIGTERM');
    const { exitCode, stderr } = await next.child;
    t.is(exitCode, 0);
    const { msg } = JSON.parse(stderr) as { msg: string };
    const aside = `${journal}.incomplete-${size - 16}`;
    t.true(msg.startsWith(`${journal} ends at byte ${size - 16} in a write that was not completed`), msg);
    t.true(msg.endsWith(`Its 11 bytes are kept in ${aside}`), msg);
    t.is((await readFile(aside)).length, 11);
  },
);

// A limit on the size of files is what fills up, without a disk for it. Its signal would end node before the write fails.
const catchSignal = '--import=data:text/javascript,process.on("SIGXFSZ",()=>{})';
(process.platform === 'win32' ? test.skip : test.serial)(
  'when no more can be written it says so and ends with 1, and nothing that was acknowledged is lost',
  async (t) => {
    const data = await folder(t);
    const args = [catchSignal, '--import=tsx', 'bin/docfeed.ts', 'serve', '--port=0', `--data=${data}`];
    const limited = ['-c', 'ulimit -f 2000; exec "$@"', 'sh', process.execPath, ...args, ...asAdmin];
    const { child, url } = await listening(t, execa('sh', limited, { reject: false }));
    await send(url, 'PUT', '/recipes');
    const text = 'x'.repeat(100_000);
    const acknowledged: number[] = [];
    const write = async (from: number): Promise<unknown> => {
      for (let n = from; ; n += 4) {
        const { status, json } = await send(url, 'PUT', `/recipes/${n}`, { text });
        if (status !== 201) return { status, json };
        acknowledged.push(n);
      }
    };
    const refusals = await Promise.allSettled([0, 1, 2, 3].map(write));
    const answers = refusals.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // After that the server ends: who comes late is not answered.
    t.true(answers.length > 0);
    const reason = 'a file would be larger than is allowed';
    for (const answer of answers)
      t.deepEqual(answer, {
        status: 503,
        json: {
          error: 'storage_failed',
          reason: `The data cannot be written (${reason}). Start the server again.`,
        },
      });
    t.true(acknowledged.length > 4);
    const { exitCode, stderr } = await child;
    t.is(exitCode, 1);
    t.is(stderr.split('\n').at(-1), `docfeed: the data cannot be written: ${reason}`);
    t.notRegex(stderr, /\n {4}at /);

    const next = await startServer({ data, admin, log: { to: { write: () => {} } } });
    t.teardown(next.stop);
    for (const n of acknowledged)
      t.like(await send(next.url, 'GET', `/recipes/${n}`), { status: 200, json: { text } });
  },
);

/** What the program prints before it ends with 2. */
async function refusal(t: ExecutionContext, args: readonly string[]): Promise<string> {
  const command = serveCommand().exitOverride();
  const error = await t.throwsAsync(command.parseAsync(['--port=0', ...asAdmin, ...args], { from: 'user' }), {
    instanceOf: CommanderError,
  });
  t.is(error.exitCode, 2, error.message);
  t.notRegex(error.message, /\n|Error|ENO/);
  return error.message;
}

test('a path that cannot be a directory, or cannot be written to, is refused in one line', async (t) => {
  const path = await folder(t);
  const file = join(path, 'file');
  await writeFile(file, '');
  const isFile = 'it is, or lies under, a file';
  t.is(await refusal(t, ['--data', file]), `cannot keep data in ${file}: ${isFile}`);
  t.is(await refusal(t, ['--data', join(file, 'x')]), `cannot keep data in ${join(file, 'x')}: ${isFile}`);
  t.is(await refusal(t, ['--data=']), '--data must name a directory');
  t.is(await refusal(t, ['--journal-bytes=1000']), '--journal-bytes needs --data');
  t.is(await readFile(file, 'utf8'), '');
});

const onLinux = process.platform === 'linux' ? test : test.skip;

// Root may write anywhere but there.
onLinux('a directory of the system, and a disk that is full, are refused in one line', async (t) => {
  for (const path of ['/proc/docfeed', '/proc/self/docfeed', '/proc/self'])
    t.regex(
      await refusal(t, ['--data', path]),
      new RegExp(`^cannot keep data in ${path}: (nothing|that|the)`),
    );
  const data = await folder(t);
  await symlink('/dev/full', join(data, 'journal-1'));
  t.is(await refusal(t, ['--data', data]), `cannot keep data in ${data}: the disk is full`);
});

/** A directory as a server leaves it: a snapshot of what there was at its start, and a journal. */
async function used(t: ExecutionContext): Promise<string> {
  const data = await folder(t);
  const copy = await folder(t);
  const options = { data, admin, log: { level: 'silent' } } as const;
  for (const id of ['soup', 'salad']) {
    const { url, stop } = await startServer(options);
    await send(url, 'PUT', '/recipes');
    await send(url, 'PUT', `/recipes/${id}`, {});
    await rm(copy, { recursive: true });
    await cp(data, copy, { recursive: true });
    await stop();
  }
  return copy;
}

test('what is damaged is named, with the place in it and what to do', async (t) => {
  const data = await used(t);
  const advice = 'nothing was changed; put back a copy of the directory, or name another one';
  for (const kind of ['journal', 'database']) {
    for (const name of (await readdir(data)).filter((one) => one.startsWith(kind))) {
      const copy = await folder(t);
      await cp(data, copy, { recursive: true });
      const file = join(copy, name);
      const bytes = await readFile(file);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(file, bytes);
      const said = await refusal(t, ['--data', copy]);
      t.true(said.startsWith(`${file} is damaged at byte `), said);
      t.true(said.endsWith(`; ${advice}`), said);
      t.deepEqual(await readFile(file), bytes);
    }
  }
  const manifest = join(data, 'store.json');
  await writeFile(manifest, '{"format":"docfeed-data/2"}\n');
  const said = await refusal(t, ['--data', data]);
  t.true(said.startsWith(`${manifest} is of the format docfeed-data/2, `), said);
  t.true(said.endsWith(': use the version that wrote it'), said);
});
