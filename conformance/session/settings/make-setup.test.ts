import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { dialects } from '../../../openapi/generated/dialects.js';
import { checksOf } from '../scope/rule-checks.js';
import { setupCommand } from '../../commands/setup.js';
import { Refusal, runConformance } from '../../index.js';
import { admin, asAdmin, referenceServer } from '../../testing/reference.js';

const setup = (args: readonly string[]): Promise<unknown> =>
  setupCommand()
    .exitOverride()
    .parseAsync([...args], { from: 'user' });

for (const dialect of Object.values(dialects).map((names) => names.dialect)) {
  test.serial(`the ini file and the target file match: ${dialect}`, async (t) => {
    const out = await emptyFolder(t);
    await setup(['--dialect', dialect, '--out', out]);
    const [ini, target] = [join(out, 'docfeed.ini'), join(out, 'docfeed.target.yaml')];
    for (const file of [ini, target]) t.is((await stat(file)).mode & 0o077, 0, file);

    const server = await referenceServer(t, { dialect, configFiles: [ini] });
    const passing = checksOf({ 'root-greeting': () => Promise.resolve() });
    const report = await runConformance({ urls: [server.url], admin, target, checks: passing });
    t.deepEqual(report.warnings, []);
    const available = report.target.capabilities.flatMap((one) => (one.available ? one.name : []));
    for (const name of ['proxy', 'proxy-secret', 'jwt-hmac', 'jwt-rsa', 'jwt-ec', 'jwt-required-claims']) {
      t.true(available.includes(name), name);
    }

    const { json } = await asAdmin(server.url, 'GET', '/_node/_local/_config/jwt_keys');
    const trusted = json as Record<string, string>;
    t.is(Object.keys(trusted).length, 10);
    t.true((await readFile(target, 'utf8')).includes(trusted['hmac:docfeed=three']!));
  });
}

test.serial('never overwrites keys, and generates different ones each time', async (t) => {
  const [out, other] = [await emptyFolder(t), await emptyFolder(t)];
  await setup(['--dialect', 'service', '--out', out]);
  const ini = await readFile(join(out, 'docfeed.ini'), 'utf8');
  const error = await t.throwsAsync(setup(['--dialect', 'service', '--out', out]), {
    instanceOf: Refusal,
  });
  t.is(error.exitCode, 2);
  t.regex(error.message, /docfeed\.ini: the file exists/);
  t.is(await readFile(join(out, 'docfeed.ini'), 'utf8'), ini);

  await setup(['--dialect', 'service', '--out', other]);
  t.not(await readFile(join(other, 'docfeed.ini'), 'utf8'), ini);
});
