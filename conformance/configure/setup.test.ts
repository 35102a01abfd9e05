import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CommanderError } from 'commander';
import { dialects } from '../../openapi/generated/dialects.js';
import { check } from '../check.js';
import { setupCommand } from '../commands/setup.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'docfeed-'));
  t.teardown(() => rm(dir, { recursive: true }));
  return dir;
}

const setup = (args: readonly string[]): Promise<unknown> =>
  setupCommand()
    .exitOverride()
    .parseAsync([...args], { from: 'user' });

for (const dialect of Object.values(dialects).map((names) => names.dialect)) {
  test.serial(`a server that reads the ini offers what the target file says: ${dialect}`, async (t) => {
    const out = await folder(t);
    await setup(['--dialect', dialect, '--out', out]);
    const [ini, target] = [join(out, 'docfeed.ini'), join(out, 'docfeed.target.yaml')];
    for (const file of [ini, target]) t.is((await stat(file)).mode & 0o077, 0, file);

    const server = await referenceServer(t, { dialect, configFiles: [ini] });
    const nothing = check({ rule: 'root-greeting', run: () => Promise.resolve() });
    const report = await runConformance({ urls: [server.url], admin, target, checks: [nothing] });
    t.deepEqual(report.warnings, []);
    const available = report.target.capabilities.flatMap((claim) => (claim.available ? claim.name : []));
    for (const name of ['proxy', 'proxy-secret', 'jwt-hmac', 'jwt-rsa', 'jwt-ec', 'jwt-required-claims']) {
      t.true(available.includes(name), name);
    }

    // The configuration of the server holds the very keys of the target file.
    const authorization = `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`;
    const answer = await fetch(`${server.url}/_node/_local/_config/jwt_keys`, { headers: { authorization } });
    const trusted = (await answer.json()) as Record<string, string>;
    t.is(Object.keys(trusted).length, 10);
    t.true((await readFile(target, 'utf8')).includes(trusted['hmac:docfeed=three']!));
  });
}

test.serial('keys are never written over, nor the same twice', async (t) => {
  const [out, other] = [await folder(t), await folder(t)];
  await setup(['--dialect', 'service', '--out', out]);
  const ini = await readFile(join(out, 'docfeed.ini'), 'utf8');
  const error = await t.throwsAsync(setup(['--dialect', 'service', '--out', out]), {
    instanceOf: CommanderError,
  });
  t.is(error.exitCode, 2);
  t.regex(error.message, /docfeed\.ini: the file exists/);
  t.is(await readFile(join(out, 'docfeed.ini'), 'utf8'), ini);

  await setup(['--dialect', 'service', '--out', other]);
  t.not(await readFile(join(other, 'docfeed.ini'), 'utf8'), ini);
});
