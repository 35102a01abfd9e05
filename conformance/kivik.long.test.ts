/** The suite against a server that is not ours: that of kivik, which is written in Go, in the making, and has no feed yet. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { execa } from 'execa';
import { listeningUrl } from '../reports/testing/listening-urls.js';
import { runConformance } from './index.js';

const folder = await mkdtemp(join(tmpdir(), 'docfeed-kivik-'));
const program = join(folder, 'kivik');
const source = fileURLToPath(new URL('testing/kivik/', import.meta.url));
const build = await execa('go', ['build', '-o', program], { cwd: source, reject: false, timeout: 120_000 });

test.after.always(() => rm(folder, { recursive: true }));

const withKivik = build.failed ? test.skip : test;
if (build.failed) {
  test('kivik cannot be built, so nothing is tested here', (t) => {
    t.log(build.stderr || build.shortMessage);
    t.pass();
  });
}

withKivik('nine rules of kivik are judged, and its baseline explains what they find', async (t) => {
  const server = execa(program, { reject: false });
  t.teardown(() => server.kill());
  const report = await runConformance({
    urls: [await listeningUrl(server)],
    admin: { name: 'admin', password: 'secret' },
    baseline: 'conformance/baselines/kivik-4.5.yaml',
    seed: 1,
  });
  const { pass, known, skipped, blocked, ...others } = report.summary;
  t.true(pass > 0 && known > 0 && skipped > 0 && blocked > 0);
  t.deepEqual(
    Object.values(others).filter((count) => count > 0),
    [],
  );
  const judged = report.checks.filter(({ outcome }) => outcome === 'pass' || outcome === 'known');
  t.is(new Set(judged.map(({ rule }) => rule)).size, 9);
});
