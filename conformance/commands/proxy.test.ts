import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import type { Report } from '../../reports/report.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { referenceServer } from '../testing/reference.js';
import { served } from '../testing/server.js';
import { program } from '../../reports/testing/program.js';
import { listeningUrls } from '../tools/listening-urls.js';

const docfeed = (args: readonly string[]) =>
  execaNode(program, args, { reject: false, env: { NO_COLOR: '1' } });

/** Sends requests through `docfeed proxy` and ends it with Ctrl-C. */
async function proxied(t: ExecutionContext, target: string, paths: readonly string[]) {
  const dir = await emptyFolder(t);
  const running = docfeed(['proxy', '--target', target, '--port', '0', '--report-dir', dir]);
  const [url] = await listeningUrls(running.stdout);
  for (const path of paths) await (await fetch(url + path)).text();
  running.kill('SIGINT');
  const { exitCode, stderr } = await running;
  const report = JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as Report;
  return { exitCode, stderr, report };
}

test('exits with 0 and a report if no rule is violated', async (t) => {
  const { url } = await referenceServer(t);
  const { exitCode, report } = await proxied(t, url, ['/', '/_session']);
  t.is(exitCode, 0);
  t.is(report.checks.find(({ id }) => id === 'root-greeting')?.outcome, 'pass');
});

test('exits with 1 and prints the finding if a rule is violated', async (t) => {
  const greeting = { couchdb: 'Welcome', uuid: 'a', version: '3.5.0', vendor: {} };
  const target = await served(t, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(greeting));
  });
  const { exitCode, stderr } = await proxied(t, target.url, ['/']);
  t.is(exitCode, 1);
  t.regex(stderr, /root-vendor/);
});

test('refuses wrong input', async (t) => {
  for (const [args, exitCode, message] of [
    [['proxy'], 2, /--target/],
    [['proxy', '--target', 'ftp://a'], 2, /not an HTTP URL/],
    [['proxy', '--target', 'http://127.0.0.1:1'], 3, /127\.0\.0\.1:1/],
    [['judge', 'package.json'], 2, /package\.json is not a HAR file/],
    [['judge', 'missing.har'], 2, /cannot read missing\.har/],
  ] as const) {
    const result = await docfeed(args);
    t.is(result.exitCode, exitCode, result.stderr);
    t.regex(result.stderr, message);
    t.notRegex(result.stderr, /\n {4}at /);
  }
});
