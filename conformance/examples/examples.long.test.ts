/** The examples for CI: their own tools accept them, and their shell commands run. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execa } from 'execa';
import { parse } from 'yaml';
import { readReport } from '../../reports/read.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { packInto } from '../../reports/testing/pack.js';
import { requirePrograms } from '../../reports/testing/programs.js';
import { withoutVendorVersion } from '../commands/testing/docfeed.js';
import { admin, referenceServer } from '../testing/reference.js';
import { program } from '../../reports/testing/program.js';

const file = (name: string): string => new URL(name, import.meta.url).pathname;

test.before((t) => requirePrograms(t, 'Examples', ['bash', 'curl']));

interface Step {
  id?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Workflow {
  jobs: Record<string, { steps: Step[] }>;
}
interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}
interface Pipeline {
  check: { script: string[] };
  merge: { script: string[] };
}

const read = async <T>(name: string): Promise<T> => parse(await readFile(file(name), 'utf8')) as T;

const shellOf = (steps: readonly Step[]): string => steps.flatMap(({ run }) => run ?? []).join('\n');

test('the action validator accepts the workflows and the actions', async (t) => {
  const examples = ['github.yml', 'github-baseline.yml', 'check/action.yml', 'serve/action.yml'];
  const own = ['ci.yml', 'pages.yml'].map((name) => `.github/workflows/${name}`);
  for (const path of [...examples.map(file), ...own]) {
    const options = { preferLocal: true, reject: false, all: true } as const;
    const { exitCode, all } = await execa('action-validator', [path], options);
    t.is(exitCode, 0, all);
  }
});

test('dockerfile-utils accepts the Dockerfile, and the image does not run as root', async (t) => {
  const { stdout } = await execa('dockerfile-utils', ['lint', file('Dockerfile')], { preferLocal: true });
  t.is(stdout, '');
  const lines = (await readFile(file('Dockerfile'), 'utf8')).split('\n');
  t.true(lines.lastIndexOf('USER node') > lines.findLastIndex((line) => line.startsWith('FROM ')));
});

test('the compose file starts the checks when CouchDB is ready', async (t) => {
  const { services } = await read<{ services: Record<string, object> }>('compose.yaml');
  t.like(services['check'], {
    build: { context: '../..', dockerfile: 'conformance/examples/Dockerfile' },
    depends_on: { couchdb: { condition: 'service_healthy' } },
  });
});

/** Starts shell commands as a CI system does. */
const startShell = (folder: string, script: string, env: Record<string, string>, detached = false) =>
  execa('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    reject: false,
    all: true,
    stdin: 'ignore',
    detached,
    env: { NO_COLOR: '1', XDG_STATE_HOME: join(folder, 'state'), ...env },
  });

/** Runs shell commands as a CI system does, with this version of docfeed. */
async function runShell(folder: string, script: string, env: Record<string, string>) {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const npx = join(bin, 'npx');
  // npx would install the published package. Its own arguments come before the name of the program.
  const lines = ['#!/bin/bash', 'until [ "$1" = docfeed ]; do shift; done', 'shift'];
  await writeFile(npx, [...lines, `exec node ${program} "$@"\n`].join('\n'));
  await chmod(npx, 0o755);
  const PATH = `${bin}:${process.env['PATH']}`;
  return startShell(folder, script, { PATH, ...env });
}

/** Runs the shards and merges them, each as a job of its own. */
async function runShards(
  t: ExecutionContext,
  shell: { check: string; merge: string },
  shardEnvironment: (shard: number) => Record<string, string>,
  reportOf: (folder: string, shard: number) => string,
): Promise<void> {
  const server = await referenceServer(t);
  const folder = await emptyFolder(t);
  const env = { TARGET: server.url, PROFILE: 'smoke', DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
  const work = (shard: number): string => join(folder, `job-${shard}`);
  await Promise.all(
    [1, 2, 3, 4].map(async (shard) => {
      await mkdir(work(shard));
      const run = await runShell(work(shard), shell.check, { ...env, ...shardEnvironment(shard) });
      t.is(run.exitCode, 0, run.all);
      const { suite } = await readReport(reportOf(work(shard), shard));
      t.deepEqual(suite.shard, { index: shard, count: 4 });
    }),
  );
  const merge = join(folder, 'merge');
  for (const shard of [1, 2, 3]) await copyReport(reportOf(work(shard), shard), merge, shard);
  const incomplete = await runShell(merge, shell.merge, env);
  t.not(incomplete.exitCode, 0);
  t.regex(incomplete.all, /shard 4 of 4 is missing/);
  await copyReport(reportOf(work(4), 4), merge, 4);
  const run = await runShell(merge, shell.merge, env);
  t.is(run.exitCode, 0, run.all);
  const { suite, summary } = await readReport(join(merge, 'docfeed-report', 'report.json'));
  t.is(suite.shard, undefined);
  t.true(summary.pass > 80 && summary.fail === 0);
  t.regex(await readFile(join(merge, 'docfeed-report', 'badge.json'), 'utf8'), /^\{"schemaVersion":1,/);
}

async function copyReport(report: string, folder: string, shard: number): Promise<void> {
  await mkdir(join(folder, `shard-${shard}`), { recursive: true });
  await writeFile(join(folder, `shard-${shard}`, 'report.json'), await readFile(report));
}

test.serial('the jobs of the GitHub workflow check four shards and merge them', async (t) => {
  const { jobs } = await read<Workflow>('github.yml');
  await runShards(
    t,
    { check: shellOf(jobs['check']!.steps), merge: shellOf(jobs['merge']!.steps) },
    (shard) => ({ SHARD: String(shard), SEED: '7' }),
    (folder) => join(folder, 'docfeed-report', 'report.json'),
  );
});

test.serial('the jobs of the GitLab pipeline check four shards and merge them', async (t) => {
  const { check, merge } = await read<Pipeline>('gitlab.yml');
  await runShards(
    t,
    { check: check.script.join('\n'), merge: merge.script.join('\n') },
    (shard) => ({ CI_NODE_INDEX: String(shard), CI_NODE_TOTAL: '4', CI_PIPELINE_IID: '7' }),
    (folder, shard) => join(folder, `shard-${shard}`, 'report.json'),
  );
});

test.serial(
  'the workflow with a baseline fails without an entry for a deviation, and with one that no longer fails',
  async (t) => {
    const { jobs } = await read<Workflow>('github-baseline.yml');
    const script = shellOf(jobs['check']!.steps);
    const deviating = await referenceServer(t, { components: withoutVendorVersion });
    const conforming = await referenceServer(t);
    const entry = "- { check: root-vendor, reason: no version, at: '$.vendor.version' }\n";
    const other = "- { check: root-vendor, reason: no name, at: '$.vendor.name' }\n";
    for (const [url, baseline, exitCode] of [
      [deviating.url, entry, 0],
      [deviating.url, other, 1],
      [conforming.url, entry, 3],
    ] as const) {
      const folder = await emptyFolder(t);
      await writeFile(join(folder, 'docfeed-baseline.yaml'), baseline);
      const DOCFEED_ADMIN = `${admin.name}:${admin.password}`;
      const env = {
        TARGET: url,
        PROFILE: 'smoke',
        DOCFEED_ADMIN,
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      };
      const run = await runShell(folder, script, env);
      t.is(run.exitCode, exitCode, run.all);
    }
  },
);

/** Puts values in the place of the expressions of GitHub in a text. */
const evaluated = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(/\$\{\{ *(\S+) *\}\}/g, (expression, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${expression} has no value`);
    return value;
  });

/** Runs the steps of an action as GitHub does, and returns its outputs. Ends what they leave running after the test. */
async function runAction(
  t: ExecutionContext,
  name: string,
  given: Record<string, string>,
  folder: string,
): Promise<Record<string, string>> {
  const { inputs, outputs, runs } = await read<Action>(`${name}/action.yml`);
  const values = new Map<string, string>();
  for (const [id, { default: usual }] of Object.entries(inputs)) {
    const value = given[id] ?? usual;
    if (value !== undefined) values.set(`inputs.${id}`, value);
  }
  for (const { id, run = '', env = {} } of runs.steps) {
    const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
    for (const path of Object.values(files)) await writeFile(path, '');
    const ofStep = Object.entries(env).map(([key, text]) => [key, evaluated(text, values)] as const);
    const variables = {
      npm_config_cache: join(folder, 'npm-cache'),
      ...files,
      ...Object.fromEntries(ofStep),
    };
    const step = startShell(folder, evaluated(run, values), variables, true);
    const { exitCode, all } = await step;
    t.teardown(() => endGroup(step.pid!));
    t.is(exitCode, 0, all);
    for (const [, key, value] of (await readFile(files.GITHUB_OUTPUT, 'utf8')).matchAll(/^([^=\n]+)=(.*)$/gm))
      values.set(`steps.${id}.outputs.${key}`, value!);
  }
  const results = Object.entries(outputs).map(([key, { value }]) => [key, evaluated(value, values)]);
  return Object.fromEntries(results) as Record<string, string>;
}

/** Ends the processes of a group, if there are any. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test.serial('the actions install the package, start the reference server and check it', async (t) => {
  const folder = await emptyFolder(t);
  const packageFile = await packInto(folder);

  const served = await runAction(t, 'serve', { package: packageFile, port: '0' }, folder);
  t.regex(served['url']!, /^http:\/\/127\.0\.0\.1:\d+$/);

  const given = {
    package: packageFile,
    url: served['url']!,
    admin: 'admin:secret',
    arguments: '--profile smoke --only root-* --only feed-complete',
  };
  const checked = await runAction(t, 'check', given, folder);
  const { summary, target } = await readReport(join(folder, 'docfeed-report', 'report.json'));
  t.is(target.dialect, 'couchdb');
  t.true(summary.pass > 2 && summary.fail === 0);
  t.true((await readFile(join(folder, checked['report']!), 'utf8')).startsWith('<!doctype html>'));
  t.regex(await readFile(join(folder, 'summary.md'), 'utf8'), /^# docfeed: 3 of \d+ rules checked/);

  await t.throwsAsync(runAction(t, 'check', { url: served['url']! }, folder), {
    message: '${{ inputs.package }} has no value',
  });
});
