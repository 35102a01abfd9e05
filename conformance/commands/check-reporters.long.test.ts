/** `docfeed check --reporter`, `--bail`, `--last-failed` and the progress, with the program and a real server. */
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { requirePrograms } from '../../reports/testing/programs.js';
import { referenceServer } from '../testing/reference.js';
import { checkCommand } from './check.js';
import { credentials, docfeed, reportIn, withoutVendorVersion } from './testing/docfeed.js';
import { expectError } from './testing/expect-error.js';
import { onTerminal } from './testing/terminal.js';

test.before((t) => requirePrograms(t, 'Tests of the progress', ['script', 'stty']));

const faultyServer = (t: ExecutionContext) => referenceServer(t, { components: withoutVendorVersion });

const root = ['--only', 'root-*', '--quiet'];

test('ndjson prints each event as one line of JSON', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  const { stdout, stderr } = await docfeed([
    server.url,
    ...root,
    '--reporter',
    'ndjson',
    '--seed',
    '7',
    '--report-dir',
    dir,
  ]);
  const events = String(stdout)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.deepEqual(
    events.map(({ event }) => event),
    ['run-begin', 'check-end', 'check-end', 'run-end'],
  );
  const [begin, first, last, end] = events;
  t.like(begin, {
    format: 'docfeed-events/1',
    url: `${server.url}/`,
    seed: 7,
    profile: 'default',
    checks: ['root-greeting', 'root-vendor'],
  });
  t.like(first, { done: 1, total: 2 });
  t.like(last, { done: 2, total: 2 });
  t.deepEqual([first, last].map((event) => (event!['result'] as { outcome: string }).outcome).sort(), [
    'fail',
    'pass',
  ]);
  t.like(end, { exitCode: 1, reportDir: dir, summary: { pass: 1, fail: 1 } });
  t.is(stderr, '', '--quiet shows no progress');
});

test('several reporters print and write files', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  const [junit, events, summary] = ['j.xml', 'e.ndjson', 's.md'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(summary, '# Before\n');
  const { stdout, exitCode } = await docfeed(
    [
      server.url,
      ...root,
      '--report-dir',
      join(dir, 'report'),
      '--reporter',
      'github',
      '--reporter',
      'default',
      '--reporter',
      `junit=${junit}`,
      '--reporter',
      `ndjson=${events}`,
    ],
    { env: { NO_COLOR: '1', GITHUB_STEP_SUMMARY: summary } },
  );
  t.is(exitCode, 1);
  t.regex(String(stdout), /^::error title=root-vendor::.*version.*%0ARun again: npx docfeed check http:.*$/m);
  t.regex(String(stdout), /^verdict +The target violates 1 rule\.$/m);
  t.regex(await readFile(junit, 'utf8'), /<testsuite name="docfeed http:.* tests="2" failures="1"/);
  t.is((await readFile(events, 'utf8')).trimEnd().split('\n').length, 4);
  const markdown = await readFile(summary, 'utf8');
  t.regex(markdown, /^# Before\n# docfeed: 2 of \d+ rules checked$/m);
  t.regex(markdown, /^## fail: `root-vendor` \(MUST\)$/m);
});

test('--last-failed runs only what failed last, until nothing fails', async (t) => {
  const dir = await emptyFolder(t);
  const faulty = await faultyServer(t);
  const conforming = await referenceServer(t);
  const options = ['--quiet', '--report-dir', dir];
  t.is((await docfeed([faulty.url, '--only', 'root-*', ...options])).exitCode, 1);
  t.is((await docfeed([conforming.url, '--last-failed', ...options])).exitCode, 0);
  t.deepEqual(
    (await reportIn(join(dir, 'last-failed'))).checks.map(({ id, outcome }) => [id, outcome]),
    [['root-vendor', 'pass']],
  );
  t.is((await reportIn(dir)).checks.length, 2, 'the report of the larger run is kept');
  const nothingLeft = /^--last-failed: no check failed in the last report in \S+$/;
  await expectError(t, checkCommand(), [conforming.url, '--last-failed', ...options], 2, nothingLeft);
});

test('--bail ends the run at the first failure and keeps the report of a full run', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  const args = [server.url, '--admin', credentials, '--only', 'root-*', '--only', 'session-*', '--quiet'];
  t.is((await docfeed([...args, '--report-dir', dir])).exitCode, 1);
  const full = await reportIn(dir);
  const { exitCode, stdout } = await docfeed([...args, '--bail', '--cases', '100000', '--report-dir', dir]);
  t.is(exitCode, 1);
  t.regex(String(stdout), /^The run ended at the first failure, root-vendor, because of --bail\.$/m);
  t.deepEqual(await reportIn(dir), full);
  t.is((await reportIn(join(dir, 'selection'))).summary.fail, 1);
});

/** @returns what `docfeed check` writes to a terminal with 100 columns */
async function outputOf(t: ExecutionContext, dir: string, args: readonly string[]): Promise<string> {
  const terminal = onTerminal(t, dir, ['check', ...args]);
  await terminal.exitCode;
  return terminal.output;
}

// The checks of the feed take long enough for the bar to be drawn several times.
const onlySome = ['--only', 'root-vendor', '--only', 'feed-pending'];

test('a terminal shows a bar, the area and each failure as soon as it is known', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  const args = [server.url, ...onlySome, '--verbose', '--report-dir', join(dir, 'report')];
  const coloured = await outputOf(t, dir, args);
  const text = stripVTControlCharacters(coloured);
  t.regex(text, /█+░+ [1-9]\d* of \d+ checks done, 1 failed(, [\w ]+ left)?: feed/);
  const early = text.indexOf('fail  root-vendor  ');
  t.true(early > 0 && early < text.search(/of \d+ rules checked/), 'before the summary');
  t.true(coloured.includes('\u001b[31mfail\u001b[39m'), 'in colour');
  const rows = text.slice(text.indexOf('rules checked')).split(/\r?\n/);
  const rule = rows.filter((row) => row.startsWith('  rule') || row.startsWith('           '));
  t.true(rule.length >= 2 && rule.every((row) => row.length <= 100), 'statements are wrapped');
  const quiet = stripVTControlCharacters(await outputOf(t, dir, [...args, '--quiet']));
  t.notRegex(quiet, /checks done/);
});

test('with --verbose, a log shows failures as plain lines', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  const { stderr } = await docfeed([server.url, '--only', 'root-*', '--verbose', '--report-dir', dir]);
  t.regex(String(stderr), /^fail {2}root-vendor {2}\S.*$/);
  await t.notThrowsAsync(access(join(dir, 'report.html')));
});

test('--explain prints the last result, whatever it is, without a target', async (t) => {
  const [server, dir] = [await faultyServer(t), await emptyFolder(t)];
  await docfeed([server.url, ...root, '--only', 'totp-login', '--report-dir', dir]);
  const explained = await docfeed(['--explain', 'root-vendor', '--report-dir', dir]);
  t.is(explained.exitCode, 0);
  t.regex(
    String(explained.stdout),
    /^fail {2}root-vendor {2}\S.*\n\nRule root-vendor \(MUST, SERVICE 2\.1\)\n/,
  );
  const passed = await docfeed(['--explain', 'root-greeting', '--report-dir', dir]);
  t.regex(
    String(passed.stdout),
    /^pass {2}root-greeting *\n[^]*\n {2}Nothing violates the rule: 1 case, 1 request, \d+\.\d s\.$/,
  );
  const skipped = await docfeed(['--explain', 'totp-login', '--report-dir', dir]);
  t.regex(
    String(skipped.stdout),
    /^skipped {2}totp-login[^]*\n {2}To do: use --admin\n {2}Run it again: npx docfeed check \S+ --only totp-login/,
  );
  for (const [name, message] of [
    ['feed-pending', /^no report in \S+ has a result of feed-pending$/],
    ['root-vendr', /^--explain root-vendr is not a rule or check; did you mean root-vendor\?$/],
  ] as const) {
    await expectError(t, checkCommand(), ['--explain', name, '--report-dir', dir], 2, message);
  }
});

test('docfeed alone shows three lines to copy on a terminal, and asks nothing', async (t) => {
  const terminal = onTerminal(t, await emptyFolder(t), []);
  t.is(await terminal.exitCode, 0);
  t.is(terminal.output.match(/^docfeed \S.*$/gm)?.length, 3);
});
