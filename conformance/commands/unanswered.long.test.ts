/** What the terminal says of servers that leave requests open, the commonest defect of a server in the making. */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readReport } from '../../reports/read.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { hostileTarget } from '../testing/hostile-target.js';
import { referenceServer } from '../testing/reference.js';
import { served } from '../testing/server.js';
import { credentials, docfeed } from './testing/docfeed.js';

async function run(t: ExecutionContext, url: string, args: readonly string[]) {
  const report = join(await emptyFolder(t), 'report');
  const startedAt = performance.now();
  const common = ['--seed', '1', '--quiet', '--profile', 'smoke', '--report-dir', report];
  const { stdout, stderr, exitCode } = await docfeed([url, '--admin', credentials, ...common, ...args]);
  return {
    report,
    lines: String(stdout).split('\n'),
    stderr: String(stderr),
    exitCode,
    seconds: (performance.now() - startedAt) / 1000,
    endedAt: Date.now(),
  };
}

for (const options of [[], ['--bring-up']]) {
  test(`a server that answers nothing at all ends the run within a minute ${options.join()}`, async (t) => {
    const { url } = await served(t, (request) => void request.resume());
    const { stderr, exitCode, seconds } = await run(t, url, options);
    t.is(exitCode, 3);
    t.is(stderr, `docfeed: ${url}/: no response within 30 s to GET /`);
    t.true(seconds < 60, `${seconds} s`);
  });
}

/** A server that answers all requests but these. */
async function silentTarget(t: ExecutionContext, isSilent: (request: IncomingMessage) => boolean) {
  const silent: string[] = [];
  const url = await hostileTarget(t, await referenceServer(t), (request) => {
    if (!isSilent(request)) return undefined;
    silent.push(`${request.method} ${request.url}`);
    return 'no answer';
  });
  return { url, silent };
}

const isBulk = ({ url }: IncomingMessage): boolean => url!.endsWith('/_bulk_docs');

test('a server that never answers _bulk_docs is judged without, and a warning says so', async (t) => {
  const { url, silent } = await silentTarget(t, isBulk);
  const options = ['--only', '{feed-shape,feed-limit}', '--timeout', '3'];
  const { lines, exitCode, report, endedAt } = await run(t, url, options);
  t.is(exitCode, 0, lines.join('\n'));
  // The second one confirms the first.
  t.is(silent.length, 2);
  const warning = lines.find((line) => line.includes('bulk-docs (POST /{db}/_bulk_docs is not answered)'));
  t.truthy(warning, lines.join('\n'));
  // The process does not wait for the answer of the second one, which may be late by four times the timeout.
  const { suite } = await readReport(join(report, 'report.json'));
  const afterRunMs = endedAt - Date.parse(suite.startedAt) - suite.durationMs;
  t.true(afterRunMs < 6000, `${afterRunMs} ms`);
});

for (const [name, isSilent, only, line] of [
  [
    'an unknown mode',
    ({ url }: IncomingMessage) => url!.includes('feed=none'),
    'error-shape*',
    'GET /{db}/_changes?feed=none is not answered within 3 s',
  ],
  [
    'a POST of a filter function',
    ({ method, url }: IncomingMessage) => method === 'POST' && /_changes\?.*filter=[^&_]/.test(url!),
    'filter-function*',
    'POST /{db}/_changes?filter={ddoc}/{name} is not answered within 3 s',
  ],
] as const) {
  test(`the terminal names the obstacle of a server that never answers ${name}`, async (t) => {
    const { url } = await silentTarget(t, isSilent);
    const { lines } = await run(t, url, ['--timeout', '3', '--only', only]);
    const first = lines.find((one) => one.includes('not answered'));
    t.is(first?.replace(/: \d+ checks?$/, ''), `blocked  ${line}`, lines.join('\n'));
  });
}
