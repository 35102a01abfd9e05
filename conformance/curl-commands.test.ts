/** The curl commands of a counterexample, run by a shell. */
import test from 'ava';
import { execa } from 'execa';
import { curlCommand, curlCommands } from '../reports/render/curl.js';
import { requirePrograms } from '../reports/testing/programs.js';
import { reportOf } from '../reports/testing/sample.js';
import { faults } from './areas/faults.js';
import { runConformance } from './index.js';
import { admin, referenceServer } from './testing/reference.js';

test.before((t) => requirePrograms(t, 'Tests of curl commands', ['bash', 'curl']));

test('the commands of a counterexample show the violation again, and say what is wrong', async (t) => {
  const fault = faults.find(({ id }) => id === 'row-deleted-by-any-leaf')!;
  const server = await referenceServer(t, { components: fault.replace, log: { level: 'silent' } });
  const only = [fault.rule];
  const report = await runConformance({ urls: [server.url], admin, only, seed: 1, shrinkMs: 500 });
  const failed = report.checks.find(({ outcome }) => outcome === 'fail')!;
  const commands = curlCommands(report, failed)!;
  t.true(commands.startsWith(`# ${failed.id} (MUST): ${failed.statement}\n`));
  t.true(commands.includes(`# ${failed.counterexample!.message}.\n# at       $`));

  const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
  const { stdout } = await execa('bash', ['-e', '-c', commands], { env });
  t.regex(stdout, /"deleted":true/);
});

test('a body keeps its value, whatever characters it has', async (t) => {
  const value = { text: "a\u0000\ue000\u202e\u{10ffff}é ##[error] it's" };
  const request = { method: 'POST', path: '/db', headers: {}, body: JSON.stringify(value) };
  const report = reportOf([]);
  const command = curlCommand(report, { request, response: { status: 200, headers: {}, chunks: [] } });
  const { stdout } = await execa('bash', ['-c', `curl() { printf '%s' "$3"; }; ${command}`]);
  t.deepEqual(JSON.parse(stdout), value);
});
