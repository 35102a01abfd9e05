import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { CommanderError } from 'commander';
import { selftestCommand } from './selftest.js';

for (const [what, args, message] of [
  [
    'a pattern that matches no fault',
    ['--only', 'feed-pendin'],
    /^--only feed-pendin .*did you mean feed-pending\?$/,
  ],
  ['no trials beside each other', ['--jobs', '0'], /--jobs <n>.* whole number of 1 or more/],
  ['no cases', ['--runs', '0'], /--runs <n>.* whole number of 1 or more/],
  ['a seed that is none', ['--seed', 'x'], /--seed <n>.* whole number of 0 or more/],
  ['results that are none', ['--resume'], /selftest\.json is no report of a self-test$/],
] as const) {
  test(`${what}: 2`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'docfeed-'));
    t.teardown(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'selftest.json'), '{}');
    let printed = '';
    const command = selftestCommand()
      .exitOverride()
      .configureOutput({ writeErr: (text) => void (printed += text) });
    const error = await t.throwsAsync<CommanderError>(
      command.parseAsync(['--report-dir', folder, ...args], { from: 'user' }),
      { instanceOf: CommanderError },
    );
    // Commander prints its own complaints, and the program gives them the exit code 2.
    const own = error.code.startsWith('docfeed.');
    t.is(own ? error.exitCode : 2, 2);
    t.regex(own ? error.message : printed.trimEnd(), message);
  });
}
