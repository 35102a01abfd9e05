import { access } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { leaveJournal } from '../session/testing/killing.js';
import { referenceServer } from '../testing/reference.js';
import { closedUrl } from '../testing/server.js';
import { program } from '../../reports/testing/program.js';
import { restoreCommand } from './restore.js';
import { credentials } from './testing/docfeed.js';
import { expectError } from './testing/expect-error.js';

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
  const files = urls.map((url, index) => leaveJournal(join(state, 'docfeed'), url, { run: `run-${index}` }));
  const result = await execaNode(program, ['restore', ...args], {
    reject: false,
    env: { XDG_STATE_HOME: state, DOCFEED_ADMIN: credentials },
  });
  const isLeft = files.map((file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  );
  return { ...result, files, isLeft: await Promise.all(isLeft) };
}

test('--discard deletes the journals of targets that are gone, and restores the others', async (t) => {
  const [gone, server] = [await closedUrl(), await referenceServer(t)];
  const { exitCode, stdout, files, isLeft } = await restore(t, [gone, server.url], ['--discard']);
  t.is(exitCode, 0);
  t.deepEqual(isLeft, [false, false]);
  const [first, second, ...rest] = String(stdout).split('\n');
  t.is(first, 'discarded: database docfeed-x');
  t.regex(second!, /run-0\.journal\.jsonl: deleted, because http:.*connection refused$/);
  t.regex(rest[0]!, new RegExp(`^run of \\d+ (second|minute)s? ago on ${server.url}/$`));
  t.deepEqual(rest.slice(1), ['restored: database docfeed-x', `${files[1]}: nothing left to restore`]);
});

test('without --discard, the journal of a target that is gone stays', async (t) => {
  const { exitCode, stderr, isLeft } = await restore(t, [await closedUrl()], []);
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
