import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { journalHeader } from '../target/journal.js';
import { referenceServer } from '../testing/reference.js';
import { serve } from '../testing/server.js';
import { program } from '../../reports/testing/program.js';
import { restoreCommand } from './restore.js';
import { expectError } from './testing/expect-error.js';

// These tests must not see the journals of other runs on this machine.
process.env['XDG_STATE_HOME'] = await mkdtemp(join(tmpdir(), 'docfeed-state-'));
test.after.always(() => rm(process.env['XDG_STATE_HOME']!, { recursive: true, force: true }));

const invalid: Readonly<Record<string, readonly [args: readonly string[], message: RegExp]>> = {
  'a URL without --force': [['http://127.0.0.1:1'], /^a URL requires --force; /],
  '--force without a URL': [['--force'], /^--force needs the URL of a target$/],
  'a URL that is not http': [['--force', 'ftp://127.0.0.1'], /"ftp:\/\/127\.0\.0\.1"/],
  'a missing journal': [['--journal', '/nowhere.jsonl'], /\/nowhere\.jsonl: ENOENT/],
  'an administrator without a password': [
    ['--admin', 'hush'],
    /^--admin and DOCFEED_ADMIN must be name:password$/,
  ],
};

for (const [title, [args, message]] of Object.entries(invalid)) {
  test(`${title} exits with 2`, (t) => expectError(t, restoreCommand(), args, 2, message));
}

/** Runs `docfeed restore` with a journal for each URL, which says that a database must be removed. */
async function restore(t: ExecutionContext, urls: readonly string[], args: readonly string[]) {
  const state = await emptyFolder(t);
  const files = urls.map((_, index) => join(state, 'docfeed', `run-${index}.journal.jsonl`));
  await mkdir(join(state, 'docfeed'));
  for (const [index, url] of urls.entries()) {
    const task = { id: 1, todo: { kind: 'database', name: 'docfeed-run-1' } };
    const lines = [journalHeader(`run-${index}`, [new URL(url)]), task];
    await writeFile(files[index]!, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  const result = await execaNode(program, ['restore', ...args], {
    reject: false,
    env: { XDG_STATE_HOME: state, DOCFEED_ADMIN: 'admin:top-secret' },
  });
  const isLeft = files.map((file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  );
  return { ...result, files, isLeft: await Promise.all(isLeft) };
}

async function closedPort(): Promise<string> {
  const closed = await serve(() => {});
  await closed.stop();
  return closed.url;
}

test('--discard deletes the journals of targets that are gone, and restores the others', async (t) => {
  const [gone, server] = [await closedPort(), await referenceServer(t)];
  const { exitCode, stdout, files, isLeft } = await restore(t, [gone, server.url], ['--discard']);
  t.is(exitCode, 0);
  t.deepEqual(isLeft, [false, false]);
  const [first, second, ...rest] = String(stdout).split('\n');
  t.is(first, 'discarded: database docfeed-run-1');
  t.regex(second!, /run-0\.journal\.jsonl: deleted, because http:.*connection refused$/);
  t.regex(rest[0]!, new RegExp(`^run of \\d+ seconds? ago on ${server.url}/$`));
  t.deepEqual(rest.slice(1), ['restored: database docfeed-run-1', `${files[1]}: nothing left to restore`]);
});

test('without --discard, the journal of a target that is gone stays', async (t) => {
  const { exitCode, stderr, isLeft } = await restore(t, [await closedPort()], []);
  t.is(exitCode, 3);
  t.regex(String(stderr), /connection refused; use --discard if the target no longer exists$/);
  t.deepEqual(isLeft, [true]);
});

test('--discard keeps the journal of a target that rejects the administrator', async (t) => {
  const server = await referenceServer(t, { admin: { name: 'admin', password: 'another' } });
  const { exitCode, isLeft } = await restore(t, [server.url], ['--discard']);
  t.is(exitCode, 2);
  t.deepEqual(isLeft, [true]);
});
