import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import type { Report } from '../../reports/report.js';
import { certificateIn } from '../testing/certificate.js';
import { sendTo } from '../../reports/testing/request.js';
import { referenceServer } from '../testing/reference.js';
import { served } from '../testing/server.js';
import { program } from '../../reports/testing/program.js';
import { judgeCommand } from './judge.js';
import { proxyCommand } from './proxy.js';
import { expectError } from './testing/expect-error.js';
import { listeningUrl } from '../../reports/testing/listening-urls.js';

/** Starts `docfeed proxy`. */
async function proxied(
  t: ExecutionContext,
  target: string,
  options: readonly string[] = [],
  env: object = {},
) {
  const dir = await emptyFolder(t);
  const adminPort = String(await freePort());
  const args = ['proxy', '--target', target, '--report-dir', dir, '--admin-port', adminPort, ...options];
  const running = execaNode(program, args, { reject: false, env: { NO_COLOR: '1', ...env } });
  const url = await listeningUrl(running);
  const shown = (path: string) => sendTo(`http://127.0.0.1:${adminPort}`, 'GET', path);
  const stop = async () => {
    // This report waits until everything is judged. After a signal, a busy machine may have no time for that.
    await shown('/report.json');
    running.kill('SIGINT');
    return running;
  };
  const report = async () => JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as Report;
  return { url, dir, shown, stop, report };
}

const outcomeIn = ({ checks }: Report, rule: string) => checks.find(({ id }) => id === rule)?.outcome;

test('the report is written every minute, and shown at an address of its own', async (t) => {
  const { url: target } = await referenceServer(t);
  const { url, dir, shown, stop, report } = await proxied(t, target, ['--every', '1']);
  await sendTo(url, 'GET', '/');
  t.is(outcomeIn((await shown('/report.json')).json as Report, 'root-greeting'), 'pass');
  t.regex((await shown('/')).text, /<html/);
  t.is((await shown('/other')).status, 404);
  for await (const tick of every(500)) {
    void tick;
    if (existsSync(join(dir, 'summary.md'))) break;
  }
  t.is(outcomeIn(await report(), 'root-greeting'), 'pass');
  t.is((await stop()).exitCode, 0);
});

test('a target with https and a path', async (t) => {
  const dir = await emptyFolder(t);
  const { key, certificate } = await certificateIn(dir);
  const requested: (string | undefined)[] = [];
  const vendor = { name: 'a', version: '1' };
  const server = createServer(
    { key: await readFile(key), cert: await readFile(certificate) },
    (request, response) => {
      requested.push(request.url);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ couchdb: 'Welcome', uuid: 'a', version: '3.5.0', vendor }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  t.teardown(() => server.close());
  const target = `https://localhost:${(server.address() as AddressInfo).port}/couch`;
  const { url, stop, report } = await proxied(t, target, [], { NODE_EXTRA_CA_CERTS: certificate });
  t.like((await sendTo(url, 'GET', '/')).json, { couchdb: 'Welcome' });
  t.is((await stop()).exitCode, 0);
  t.is(outcomeIn(await report(), 'root-greeting'), 'pass');
  t.deepEqual([...new Set(requested)], ['/couch/']);
});

test('exits with 1 and prints the finding if a rule is violated', async (t) => {
  const greeting = { couchdb: 'Welcome', uuid: 'a', version: '3.5.0', vendor: {} };
  const target = await served(t, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(greeting));
  });
  const { url, stop } = await proxied(t, target.url);
  await sendTo(url, 'GET', '/');
  const { exitCode, stderr } = await stop();
  t.is(exitCode, 1);
  t.regex(stderr, /root-vendor/);
});

for (const [command, args, exitCode, message] of [
  [proxyCommand, [], 2, /--target/],
  [proxyCommand, ['--target', 'ftp://a'], 2, /not an HTTP URL/],
  [proxyCommand, ['--target', 'http://127.0.0.1:1'], 3, /127\.0\.0\.1:1/],
  [judgeCommand, ['package.json'], 2, /package\.json is not a HAR file/],
  [judgeCommand, ['missing.har'], 2, /cannot read missing\.har/],
] as const) {
  test(`${command.name} refuses ${args.join(' ')}`, (t) =>
    expectError(t, command(), args, exitCode, message));
}
