/** The suite behind nginx, as people configure it. */
import test, { type ExecutionContext } from 'ava';
import { emptyFolder } from '../reports/testing/folder.js';
import type { Report } from '../reports/report.js';
import { credentials, docfeed, reportIn } from './commands/testing/docfeed.js';
import { type ConformanceOptions, runConformance } from './index.js';
import { certificateIn } from './testing/certificate.js';
import { asDocumented, behindNginx, hasNginx, type NginxOptions } from './testing/nginx.js';
import { admin, referenceServer } from './testing/reference.js';

/** One after the other: side by side, so many runs would leave checks undecided. */
const withNginx = hasNginx ? test.serial : test.skip;
if (!hasNginx) test('nginx is not installed, so nothing is tested here', (t) => t.pass());

async function checkBehind(
  t: ExecutionContext,
  gateway: NginxOptions,
  options: Partial<ConformanceOptions> = {},
): Promise<Report> {
  const url = await behindNginx(t, (await referenceServer(t)).url, gateway);
  return runConformance({ urls: [url], admin, profile: 'smoke', seed: 1, ...options });
}

/** What did not pass and was not skipped. */
const others = ({ checks }: Report): string[] =>
  checks
    .filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
    .map(({ id, outcome, reason }) => `${id}: ${outcome}: ${reason}`);

const passes = ({ summary }: Report): number => summary.pass ?? 0;

const compressed = 'gzip on; gzip_min_length 1; gzip_proxied any; gzip_types *;';

withNginx('nginx as documented, with compression and under a path, changes no outcome', async (t) => {
  const gateway = { path: '/couchdb/', http: compressed, location: asDocumented };
  // On a busy machine, checks have time for all their cases, so that there is no warning of that.
  const report = await checkBehind(t, gateway, { deadlineMs: 300_000 });
  t.deepEqual(others(report), []);
  t.true(passes(report) > 90);
  t.deepEqual(report.warnings, []);
});

withNginx('nginx with TLS changes no outcome', async (t) => {
  const tls = await certificateIn(await emptyFolder(t));
  const url = await behindNginx(t, (await referenceServer(t)).url, { location: asDocumented, tls });
  const dir = await emptyFolder(t);
  const args = [url, '--profile', 'smoke', '--seed', '1', '--report-dir', dir];
  const trusting = { NO_COLOR: '1', NODE_EXTRA_CA_CERTS: tls.certificate, DOCFEED_ADMIN: credentials };
  const { exitCode } = await docfeed(args, { env: trusting });
  t.deepEqual(others(await reportIn(dir)), []);
  t.is(exitCode, 0);
  const untrusting = await docfeed(args);
  t.is(untrusting.exitCode, 3);
  t.regex(
    String(untrusting.stderr),
    /the certificate is self-signed; NODE_EXTRA_CA_CERTS=FILE adds a trusted one/,
  );
});

withNginx('nginx as installed holds responses back, which is one finding', async (t) => {
  const { checks } = await checkBehind(t, {});
  const failed = checks.filter(({ outcome }) => outcome === 'fail');
  t.deepEqual([...new Set(failed.map(({ rule }) => rule))], ['continuous-live']);
  const obstacles = new Set(checks.flatMap(({ obstacle }) => obstacle ?? []));
  t.deepEqual([...obstacles].slice(1), []);
  t.regex([...obstacles][0]!, /^responses are held back until they end: .*`Server: nginx.*`\)/);
  t.true(checks.filter(({ outcome }) => outcome === 'pass').length > 75);
});

withNginx('a limit of nginx is no verdict', async (t) => {
  const report = await checkBehind(t, {
    http: 'limit_req_zone $binary_remote_addr zone=all:1m rate=100r/s;',
    location: `${asDocumented} limit_req zone=all;`,
  });
  t.deepEqual(others(report), []);
  t.true(passes(report) > 90);
  const limit = report.warnings.find((one) => one.includes('limits requests'));
  const rate = /with 503, `Server: nginx.*about (\d+) requests a second/.exec(limit ?? '')?.[1];
  t.true(Number(rate) > 5 && Number(rate) <= 100, limit);
});

for (const [what, framing] of [
  ['', ''],
  [', without chunks as in HTTP/1.0', 'chunked_transfer_encoding off;'],
]) {
  withNginx(`a feed that nginx cuts off after a silence is no verdict${what}`, async (t) => {
    const location = `${asDocumented} ${framing} proxy_read_timeout 1s;`;
    const only = ['feed-complete', 'longpoll-*', 'continuous-*', 'eventsource-*', 'timeout-maximum'];
    const report = await checkBehind(t, { location }, { only });
    t.deepEqual(
      others(report).filter((one) => one.includes(': fail: ')),
      [],
    );
    const { outcome, obstacle } = report.checks.find(({ id }) => id === 'timeout-maximum')!;
    // On a busy machine, two cuts may differ too much to be taken for one limit.
    if (outcome === 'inconclusive') return;
    t.is(outcome, 'blocked');
    t.regex(
      obstacle!,
      /^feeds that send nothing for [\d.]+ s are cut off, as a gateway does \(`Server: nginx.*`\); for nginx `proxy_read_timeout`$/,
    );
    t.true(passes(report) > 8);
  });
}
