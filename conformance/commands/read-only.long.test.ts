/** The command line of `docfeed check --read-only`. */
import test from 'ava';
import { emptyFolder } from '../../reports/testing/folder.js';
import { closedUrl } from '../testing/server.js';
import { asAdmin, referenceServer } from '../testing/reference.js';
import { credentials, docfeed, reportIn, withoutVendorVersion } from './testing/docfeed.js';

test.serial('what does not fit a run that only reads is an error', async (t) => {
  const url = 'http://127.0.0.1:1';
  const database = ['--database', 'db'];
  for (const [args, message] of [
    [[url, '--read-only'], /^docfeed: --read-only needs the databases to read: --database NAME for each$/],
    [['--read-only', ...database], /^docfeed: --read-only needs one URL/],
    [[url, url, '--read-only', ...database], /^docfeed: --read-only needs one URL/],
    [
      [url, '--read-only', ...database, '--configure'],
      /'--read-only' cannot be used with option '--configure'/,
    ],
    [[url, '--read-only', ...database, '--target', 'a.yaml'], /cannot be used with option '--target <file>'/],
    [[url, '--read-only', ...database, '--only', 'feed-*'], /cannot be used with option '--only <glob>'/],
    [
      [url, '--read-only', ...database, '--profile', 'smoke'],
      /cannot be used with option '--profile <profile>'/,
    ],
    [[url, '--read-only', ...database, '--max-rows', '0'], /It must be a whole number from 1 to 100000/],
    [
      [url, '--read-only', ...database, '--admin', 'secret'],
      /^docfeed: --admin and DOCFEED_ADMIN must be name:password$/,
    ],
    [[url, '--max-rows', '10'], /^docfeed: --max-rows needs --read-only$/],
    [[url, '--bodies'], /^docfeed: --bodies needs --read-only$/],
    [[url, ...database, '--database', 'other'], /^docfeed: more than one --database needs --read-only$/],
  ] as const) {
    const run = await docfeed([...args]);
    t.is(run.exitCode, 2, args.join(' '));
    t.is(run.stdout, '');
    t.regex(run.stderr as string, message);
  }
});

test.serial('the exit code says whether a rule is violated, and the report is that of traffic', async (t) => {
  const unreachable = await docfeed([await closedUrl(), '--read-only', '--database', 'db']);
  t.is(unreachable.exitCode, 3);
  t.regex(unreachable.stderr as string, /connection refused$/);
  for (const [components, exitCode] of [
    [undefined, 0],
    [withoutVendorVersion, 1],
  ] as const) {
    const { url } = await referenceServer(t, { ...(components && { components }) });
    for (const name of ['one', 'two']) await asAdmin(url, 'PUT', `/${name}`);
    const [dir, databases] = [await emptyFolder(t), ['--database', 'one', '--database', 'two']];
    const common = ['--admin', credentials, '--max-rate', '200', '--report-dir', dir];
    const run = await docfeed([url, '--read-only', ...databases, ...common]);
    t.is(run.exitCode, exitCode, run.stderr as string);
    const { checks, observations } = await reportIn(dir);
    t.is(checks.find(({ id }) => id === 'root-vendor')?.outcome, exitCode === 0 ? 'pass' : 'fail');
    t.true(JSON.stringify(observations).includes('GET /two/_changes'));
  }
  const { url } = await referenceServer(t);
  const missing = await docfeed([url, '--read-only', '--database', 'none', '--admin', credentials]);
  t.is(missing.exitCode, 2);
  t.regex(missing.stderr as string, /^docfeed: --database: the target has no database "none"$/);
});
