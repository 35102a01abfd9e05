/** `docfeed serve --data DIR` with usable and unusable folders. */
import { readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CommanderError } from 'commander';
import { execa } from 'execa';
import { startServer } from '../index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { listening, run, serve } from '../testing/serve-process.js';
import { basic, sendTo } from '../../reports/testing/request.js';
import { admin } from '../testing/server.js';
import { program } from '../../reports/testing/program.js';
import { serveCommand } from './serve.js';

const asAdmin = ['--admin', `${admin.name}:${admin.password}`];

const send = (url: string, method: string, path: string, body?: object) =>
  sendTo(url, method, path, { headers: basic(admin.name, admin.password), body });

test.serial(
  'only one server can use a folder; after a kill, the next one has all data and reports an incomplete write',
  async (t) => {
    const data = join(await emptyFolder(t), 'made', 'here');
    const { child, url } = await serve(t, ['--data', data, ...asAdmin]);
    t.is((await send(url, 'PUT', '/recipes')).status, 201);
    t.is((await send(url, 'PUT', '/recipes/soup', { n: 1 })).status, 201);

    t.is(
      await refusal(t, ['--data', data]),
      `${data} is in use by another server (process ${child.pid}); stop that server or use another folder`,
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
    const saved = `${journal}.incomplete-${size - 16}`;
    t.true(msg.startsWith(`${journal} ends with a write that was not completed, at byte ${size - 16}.`), msg);
    t.true(msg.endsWith(`Its 11 bytes are saved in ${saved}`), msg);
    t.is((await readFile(saved)).length, 11);
  },
);

// A limit on the file size simulates a full disk. Its signal would terminate Node before the write fails.
const catchSignal = '--import=data:text/javascript,process.on("SIGXFSZ",()=>{})';
(process.platform === 'win32' ? test.skip : test.serial)(
  'if a write fails, the server reports it and exits with 1, and no acknowledged data is lost',
  async (t) => {
    const data = await emptyFolder(t);
    const args = [catchSignal, program, 'serve', '--port=0', `--data=${data}`];
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
    // The server stops then, so the other requests may get no response.
    t.true(answers.length > 0);
    const reason = 'the file would be too large';
    for (const answer of answers)
      t.deepEqual(answer, {
        status: 503,
        json: {
          error: 'storage_failed',
          reason: `Cannot write the data (${reason}). Restart the server.`,
        },
      });
    t.true(acknowledged.length > 4);
    const { exitCode, stderr } = await child;
    t.is(exitCode, 1);
    t.is(stderr.split('\n').at(-1), `docfeed: cannot write the data: ${reason}`);
    t.notRegex(stderr, /\n {4}at /);

    const next = await startServer({ data, admin, log: { to: { write: () => {} } } });
    t.teardown(next.stop);
    for (const n of acknowledged)
      t.like(await send(next.url, 'GET', `/recipes/${n}`), { status: 200, json: { text } });
  },
);

/** Returns the message of a command that exits with 2. */
async function refusal(t: ExecutionContext, args: readonly string[]): Promise<string> {
  const command = serveCommand().exitOverride();
  const error = await t.throwsAsync(command.parseAsync(['--port=0', ...asAdmin, ...args], { from: 'user' }), {
    instanceOf: CommanderError,
  });
  t.is(error.exitCode, 2, error.message);
  t.notRegex(error.message, /\n|Error|ENO/);
  return error.message;
}

test('a path that is not a folder or not writable is rejected with one line', async (t) => {
  const path = await emptyFolder(t);
  const file = join(path, 'file');
  await writeFile(file, '');
  const isFile = 'a part of the path is a file';
  t.is(await refusal(t, ['--data', file]), `cannot use the data folder ${file}: ${isFile}`);
  t.is(
    await refusal(t, ['--data', join(file, 'x')]),
    `cannot use the data folder ${join(file, 'x')}: ${isFile}`,
  );
  t.is(await refusal(t, ['--data=']), '--data must name a folder');
  t.is(await refusal(t, ['--journal-bytes=1000']), '--journal-bytes needs --data');
  t.is(await readFile(file, 'utf8'), '');
});

const onLinux = process.platform === 'linux' ? test : test.skip;

// These folders are not writable for root either.
onLinux('system folders and a full disk are rejected with one line', async (t) => {
  for (const path of ['/proc/docfeed', '/proc/self/docfeed', '/proc/self'])
    t.regex(
      await refusal(t, ['--data', path]),
      new RegExp(`^cannot use the data folder ${path}: (the|permission)`),
    );
  const data = await emptyFolder(t);
  await symlink('/dev/full', join(data, 'journal-1'));
  t.is(await refusal(t, ['--data', data]), `cannot use the data folder ${data}: the disk is full`);
});

test.serial('--salvage copies what is whole to a new folder and exits', async (t) => {
  const base = await emptyFolder(t);
  const [data, whole, rest] = ['data', 'whole', 'rest'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const server = await startServer({ data, admin });
  await send(server.url, 'PUT', '/recipes');
  await send(server.url, 'PUT', '/recipes/soup', { n: 1 });
  await send(server.url, 'PUT', '/pans');
  await server.stop();

  t.like(await run(['--data', data, '--salvage', whole]), {
    exitCode: 0,
    stderr: '',
    stdout: `copied to ${whole}:\n  _users: 0 documents, 0 deleted\n  pans: 0 documents, 0 deleted\n  recipes: 1 documents, 0 deleted`,
  });
  const copy = await startServer({ data: whole, admin });
  t.like(await send(copy.url, 'GET', '/recipes/soup'), { status: 200, json: { n: 1 } });
  await copy.stop();

  const { snapshots } = JSON.parse((await readFile(join(data, 'store.json'), 'utf8')).split('\n')[0]!) as {
    snapshots: { name: string; file: string }[];
  };
  const file = join(data, snapshots.find(({ name }) => name === 'pans')!.file);
  await truncate(file, 100);
  await refusal(t, ['--data', data]);
  const partial = await run(['--data', data, '--salvage', rest]);
  t.is(partial.exitCode, 1);
  t.regex(
    partial.stdout,
    /^copied to .*:\n {2}_users: .*\n {2}recipes: .*\nnot copied, .*:\n {2}pans: .* is damaged at byte 100: .*$/,
  );
  t.is(partial.stderr, `docfeed: ${data} is damaged; ${rest} has what is whole`);

  t.is(await refusal(t, ['--data', data, '--salvage', rest]), `${rest} exists; name a new folder`);
  t.is(
    await refusal(t, ['--salvage', join(base, 'none')]),
    '--salvage must name a new folder, and --data the damaged one',
  );
});
