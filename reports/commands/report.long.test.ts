import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { execa, execaNode } from 'execa';
import { readReport } from '../read.js';
import type { Report } from '../report.js';
import { emptyFolder } from '../testing/folder.js';
import { complete, reportOf, result, sample } from '../testing/sample.js';
import { listeningUrl } from '../testing/listening-urls.js';
import { program } from '../testing/program.js';

const docfeed = (...args: string[]) => execaNode(program, ['report', ...args], { reject: false });

async function saved(folder: string, reports: Record<string, Report>): Promise<string[]> {
  return Promise.all(
    Object.entries(reports).map(async ([name, report]) => {
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(report));
      return file;
    }),
  );
}

const good = reportOf([result('root-greeting', 'pass')]);
const bad = reportOf([result('root-greeting', 'fail'), result('root-vendor', 'pass')]);

test('render writes a report in all formats, and last prints its summary', async (t) => {
  const folder = await emptyFolder(t);
  const [file = ''] = await saved(folder, { sample });
  const out = join(folder, 'out');
  t.like(await docfeed('render', file, '--out', out), { exitCode: 0, stdout: '', stderr: '' });
  t.deepEqual((await readdir(out)).sort(), ['junit.xml', 'report.html', 'report.json', 'summary.md']);
  const { exitCode, stdout } = await docfeed('last', out);
  t.is(exitCode, 0);
  t.regex(stdout, /^fail {2}feed-last-seq\/limit {2}MUST$/m);
  t.true(stdout.includes(`report   ${join(out, 'report.html')}`));
});

test('issue prints a violation of a faulty server, with commands that show it again in a shell', async (t) => {
  const folder = await emptyFolder(t);
  const admin = 'admin:a secret';
  const options = ['--port', '0', '--admin', admin, '--dialect', 'couchdb'];
  const server = execaNode(program, ['serve', ...options, '--fault', 'pending-one-more'], {
    reject: false,
  });
  t.teardown(() => server.kill());
  const url = await listeningUrl(server);
  const env = { DOCFEED_ADMIN: admin };
  const selection = ['--only', 'feed-pending', '--profile', 'smoke', '--seed', '1', '--report-dir', folder];
  await execaNode(program, ['check', url, ...selection], { env, reject: false });
  const { exitCode, stdout } = await docfeed('issue', 'feed-pending', folder);
  t.is(exitCode, 0);
  t.false(stdout.includes('a secret'));
  const [, commands = ''] = /^## Commands\n\n```sh\nexport DOCFEED_ADMIN=name:password\n([^]*?)\n```$/m.exec(
    stdout,
  )!;
  const again = await execa('sh', ['-c', commands], { env });
  const actual = /^## Actual\n\nAt `\$\.pending`:\n\n```json\n(\d+)\n```$/m.exec(stdout)![1]!;
  t.regex(again.stdout, new RegExp(`"pending": ?${actual}\\b`));
  t.like(await docfeed('issue', 'feed-pendin', folder), {
    exitCode: 2,
    stdout: '',
    stderr: `docfeed: the report in ${folder} has no check feed-pendin; did you mean feed-pending, feed-pending/longpoll, or feed-pending/filtered-by-id?`,
  });
});

test('open opens the page of the last run, also of a partial one, in the browser of the desktop', async (t) => {
  const folder = await emptyFolder(t);
  const browser = join(folder, 'browser');
  const opened = join(folder, 'opened');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
  const env = { BROWSER: browser, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_CURRENT_DESKTOP: '' };
  const open = (env: object) =>
    execaNode(program, ['report', 'open', folder], { reject: false, env: { ...env } });
  t.like(await open(env), {
    exitCode: 2,
    stderr: `docfeed: ${folder} has no report; make one with: docfeed check URL`,
  });
  const [file = ''] = await saved(folder, { sample });
  await docfeed('render', file, '--out', folder);
  const earlier = { ...sample, suite: { ...sample.suite, startedAt: '2000-01-01T00:00:00.000Z' } };
  const [other = ''] = await saved(folder, { earlier });
  await docfeed('render', other, '--out', join(folder, 'selection'));
  t.like(await open(env), { exitCode: 0, stdout: join(folder, 'report.html'), stderr: '' });
  t.true((await readFile(opened, 'utf8')).endsWith(join(folder, 'report.html')));
  await docfeed('render', file, '--out', join(folder, 'replay'));
  await docfeed('render', other, '--out', folder);
  const later = join(folder, 'replay', 'report.html');
  t.like(await open(env), { exitCode: 0, stdout: later });
  t.true((await readFile(opened, 'utf8')).endsWith(later));
  t.like(await open({ ...env, BROWSER: 'false' }), {
    exitCode: 2,
    stderr: `docfeed: cannot open ${later}: no browser was found; open it with one`,
  });
});

test('issue says what is wrong if there is nothing to print', async (t) => {
  const folder = await emptyFolder(t);
  t.like(await docfeed('issue', 'feed-pending', folder), {
    exitCode: 2,
    stderr: `docfeed: ${folder} has no report; make one with: docfeed check URL`,
  });
  await saved(folder, { report: bad });
  t.like(await docfeed('issue', 'root-vendor', folder), {
    exitCode: 2,
    stderr: 'docfeed: root-vendor found no violation: its outcome is pass; no check failed',
  });
});

test('badge writes what shields.io reads: the number of checked rules', async (t) => {
  const folder = await emptyFolder(t);
  const [file = ''] = await saved(folder, { sample });
  const out = join(folder, 'badge.json');
  t.like(await docfeed('badge', file, '--out', out), { exitCode: 0, stderr: '' });
  t.deepEqual(JSON.parse(await readFile(out, 'utf8')), {
    schemaVersion: 1,
    label: 'docfeed',
    color: 'red',
    message: '4/10 rules checked, 1 check fails, 1 known deviation',
  });
});

test('diff lists changes and exits with 1 if an outcome got worse', async (t) => {
  const [before = '', after = ''] = await saved(await emptyFolder(t), { good, bad });
  t.like(await docfeed('diff', before, after), {
    exitCode: 1,
    stdout: 'worse   root-greeting: pass -> fail\nbetter  root-vendor: absent -> pass',
    stderr: 'docfeed: 1 outcome got worse',
  });
  t.like(await docfeed('diff', before, before), { exitCode: 0, stdout: '', stderr: '' });
  const { exitCode, stdout } = await docfeed('diff', '--json', after, before);
  t.is(exitCode, 1);
  t.deepEqual(JSON.parse(stdout), [
    { id: 'root-greeting', rule: 'root-greeting', before: 'fail', after: 'pass', verdict: 'better' },
    { id: 'root-vendor', rule: 'root-vendor', before: 'pass', after: 'absent', verdict: 'worse' },
  ]);
});

test('merge merges shards and has the exit code of the whole run', async (t) => {
  const folder = await emptyFolder(t);
  const shard = (index: number, report: Report): Report => ({
    ...report,
    suite: { ...complete.suite, shard: { index, count: 2 } },
  });
  const warn = reportOf([result('proxy-secret-recommended', 'warn')]);
  const files = await saved(folder, { one: shard(1, good), two: shard(2, warn) });
  const out = join(folder, 'out');
  const { exitCode, stdout } = await docfeed('merge', ...files, '--out', out);
  t.is(exitCode, 0);
  t.regex(stdout, /^2 of 10 rules checked {2}1 warn, 1 pass/m);
  t.deepEqual((await readReport(join(out, 'report.json'))).summary, {
    ...reportOf([]).summary,
    pass: 1,
    warn: 1,
  });
  t.is((await docfeed('merge', ...files, '--out', out, '--strict')).exitCode, 1);
});

test('matrix writes a page that compares several reports', async (t) => {
  const folder = await emptyFolder(t);
  const [goodFile = '', badFile = ''] = await saved(folder, { good, bad });
  await docfeed('render', badFile, '--out', join(folder, 'a b'));
  const files = [goodFile, join(folder, 'a b', 'report.json')];
  t.like(await docfeed('matrix', ...files, '--out', join(folder, 'm.html')), { exitCode: 0, stderr: '' });
  const page = await readFile(join(folder, 'm.html'), 'utf8');
  t.true(page.includes('href="a%20b/report.html#root-vendor"'));
  t.is(page.match(/report\.html#root-greeting/g)?.length, 1);
});

test('invalid arguments and files give one line and exit code 2', async (t) => {
  const folder = await emptyFolder(t);
  const [file = ''] = await saved(folder, { sample });
  const none = join(folder, 'none.json');
  t.like(await docfeed('diff', file, none), {
    exitCode: 2,
    stdout: '',
    stderr: `docfeed: ${none}: cannot read the file (ENOENT)`,
  });
  t.like(await docfeed('merge', file, '--out', folder), {
    exitCode: 2,
    stderr: 'docfeed: shard 2 of 2 is missing',
  });
  t.like(await docfeed('matrix', file, '--out', join(none, 'm.html')), {
    exitCode: 2,
    stderr: `docfeed: cannot write ${join(none, 'm.html')} (ENOENT)`,
  });
  t.like(await docfeed('render', file), {
    exitCode: 2,
    stderr: "docfeed: required option '--out <dir>' not specified",
  });
});
