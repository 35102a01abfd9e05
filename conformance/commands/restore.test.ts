import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { CommanderError } from 'commander';
import { restoreCommand } from './restore.js';

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
  test(`${title} exits with 2`, async (t) => {
    const error = await t.throwsAsync<CommanderError>(
      restoreCommand()
        .exitOverride()
        .parseAsync([...args], { from: 'user' }),
      { instanceOf: CommanderError },
    );
    t.is(error.exitCode, 2);
    t.regex(error.message, message);
  });
}
