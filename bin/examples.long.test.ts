/** Runs every example in the help of every command, and the completion in real shells. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execa, type ResultPromise } from 'execa';
import { referenceServer } from '../conformance/testing/reference.js';
import { emptyFolder } from '../reports/testing/folder.js';
import { requirePrograms } from '../reports/testing/programs.js';
import { basic, sendTo } from '../reports/testing/request.js';
import type { Report } from '../reports/report.js';
import { complete, failed, reportOf, result } from '../reports/testing/sample.js';
import { program } from '../reports/testing/program.js';

test.before((t) => requirePrograms(t, 'Examples', ['bash', 'fish', 'zsh']));

/** A folder with a program `docfeed`. @returns the environment in which shells find it */
async function shellEnvironment(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'bin', 'docfeed');
  await mkdir(dirname(file));
  await writeFile(file, `#!/bin/sh\nexec node ${program} "$@"\n`);
  await chmod(file, 0o755);
  const PATH = `${dirname(file)}:${process.env['PATH']}`;
  return { PATH, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: folder, NO_COLOR: '1' };
}

const commands = [
  'check',
  'restore',
  'setup',
  'serve',
  'selftest',
  'faults',
  'types',
  'openapi',
  'rules',
  'completion',
  ...['last', 'issue', 'render', 'diff', 'merge', 'matrix', 'badge'].map((name) => `report ${name}`),
];

/** @returns the command lines at the end of the help */
async function examplesOf(command: string): Promise<string[]> {
  const { stdout } = await execa('node', [program, ...command.split(' '), '--help']);
  const [, examples] = stdout.split('\nExamples:\n');
  return (examples ?? '').split('\n').flatMap((line) => {
    const text = line.trim();
    return /^(docfeed|DOCFEED_ADMIN=|source <\()/.test(text) ? [text] : [];
  });
}

/** Examples that run until they are stopped, and what they print when they work. */
const running: readonly (readonly [example: RegExp, output: RegExp])[] = [
  [/^docfeed serve(?!.*--list-settings)/, /^listening on /m],
  [/--bring-up.*--watch/, /^(All rungs hold|stops at)/m],
  [/--watch/, /^verdict /m],
  // A log gets its first line after ten seconds. The self-test of one rule may end before that.
  [/^docfeed selftest(?!.*--only)/, /^\d+ of \d+ trials done/m],
];

/** Waits for output. The result of execa has all output only at the end, and its iterators stop the process. */
async function untilOutput(run: ResultPromise, pattern: RegExp): Promise<void> {
  let text = '';
  await new Promise<void>((resolve) =>
    run.all!.on('data', (chunk) => {
      text += String(chunk);
      if (pattern.test(text)) resolve();
    }),
  );
}

/** Replaces addresses and names in an example by those of the test. */
async function prepare(t: ExecutionContext, example: string, folder: string): Promise<string> {
  if (example.startsWith('docfeed serve')) return example.replace(/ --port 5984|$/, ' --port 0');
  const server = await referenceServer(t, { admin: { name: 'admin', password: 'secret' }, nodes: 3 });
  for (const [, name] of example.matchAll(/--database (\S+)/g))
    await sendTo(server.url, 'PUT', `/${name}`, { headers: basic('admin', 'secret') });
  if (example === 'docfeed check') {
    await mkdir(join(folder, 'configured'));
    const check = { url: server.url, profile: 'smoke' };
    await writeFile(join(folder, 'configured/docfeed.target.yaml'), JSON.stringify({ check }));
    return 'cd configured && docfeed check';
  }
  const report = async (name: string, data: Report): Promise<void> => {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(data));
  };
  const shard = (index: number): Report => ({
    ...(index === 1 ? reportOf([result('root-greeting', 'pass')]) : reportOf([])),
    suite: { ...complete.suite, shard: { index, count: 2 } },
  });
  await report('shard-1/report.json', shard(1));
  await report('shard-2/report.json', shard(2));
  const withFailure = reportOf([{ ...failed, id: 'feed-pending', rule: 'feed-pending' }]);
  for (const name of ['docfeed-report', 'before', 'after', 'couchdb', 'pouchdb']) {
    await report(`${name}/report.json`, withFailure);
  }
  const token = Buffer.from(
    JSON.stringify({ check: 'root-vendor', seed: 7, pool: { seed: 7, size: 48 }, with: ['--admin'] }),
  );
  return (
    example
      .replace('http://db1:5984 http://db2:5984 http://db3:5984', server.urls.join(' '))
      .replaceAll(/http:\/\/127\.0\.0\.1:5984|https:\/\/db\.example\.org/g, server.url)
      .replace('TOKEN', token.toString('base64url'))
      .replace(/docfeed check (?=http)(?!.*--(profile|replay|read-only))/, '$&--profile smoke ')
      // Each option works with any rules. The other examples run all of them.
      .replace(/docfeed check (?=.*--(configure|reporter|target) )(?!.*--only)/, "$&--only 'root-*' ")
  );
}

/** The exit codes that an example may have: a report of another server, for example, has failures. */
const exitCodes = (example: string): readonly number[] =>
  /--last-failed|report merge/.test(example) ? [0, 1, 3] : /check|DOCFEED_ADMIN/.test(example) ? [0, 3] : [0];

for (const command of commands) {
  test(`the examples of docfeed ${command} run`, async (t) => {
    t.timeout(300_000);
    const examples = await examplesOf(command);
    t.true(examples.length > 0, 'the help ends with examples');
    const folder = await emptyFolder(t);
    const env = { ...(await shellEnvironment(folder)), DOCFEED_ADMIN: 'admin:secret' };
    for (const example of examples) {
      const [, output] = running.find(([pattern]) => pattern.test(example)) ?? [];
      const line = await prepare(t, example, folder);
      const shell = example.includes('zsh') ? 'zsh' : example.includes('| source') ? 'fish' : 'bash';
      const ready = shell === 'zsh' ? `autoload -U compinit; compinit -D; ${line}` : line;
      const run = execa(shell, ['-c', output ? `exec ${line}` : ready], {
        cwd: folder,
        env,
        reject: false,
        all: true,
        timeout: 280_000,
      });
      if (output) {
        await Promise.race([untilOutput(run, output), run]);
        const isRunning = run.kill('SIGINT');
        const { all } = await run;
        t.true(isRunning, `${example} is running\n${all}`);
        t.regex(all, output, example);
      } else {
        const { exitCode, all } = await run;
        t.true(exitCodes(example).includes(exitCode!), `${example}: ${exitCode}\n${all}`);
        t.notRegex(all, /internal error in docfeed|^docfeed: unknown /m, example);
      }
    }
  });
}

test('bash, fish and zsh complete commands, options and rules', async (t) => {
  const folder = await emptyFolder(t);
  const env = await shellEnvironment(folder);
  const inBash = async (line: string): Promise<string[]> => {
    const words = line.split(' ');
    // Sourced twice, as by a new shell that reads the file of its parent.
    const script = `source <(docfeed completion bash)
      source <(docfeed completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
      COMP_LINE='${line}' COMP_POINT=${line.length}
      __docfeed_complete \${COMP_WORDS[0]}
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await execa('bash', ['-c', script], { env })).stdout.split('\n');
  };
  t.deepEqual(await inBash('docfeed chec'), ['check']);
  t.deepEqual(await inBash('docfeed check --last'), ['--last-failed']);
  t.deepEqual(await inBash('docfeed check --explain feed-pend'), ['feed-pending']);
  t.deepEqual(await inBash('docfeed check --profile s'), ['smoke']);
  t.deepEqual(await inBash('docfeed serve --fault pending-one-m'), ['pending-one-more']);
  t.deepEqual(await inBash('npx docfeed chec'), ['check']);
  t.deepEqual(await inBash('npx pretti'), ['']);
  for (const command of ['docfeed', 'npx docfeed']) {
    const fish = `docfeed completion fish | source; complete -C '${command} report m'`;
    const { stdout } = await execa('fish', ['-c', fish], { env });
    t.deepEqual(
      stdout.split('\n').map((line) => line.split('\t')[0]),
      ['matrix', 'merge'],
      command,
    );
  }
  // What _describe gets: zsh completes only on a terminal.
  const zsh = `autoload -U compinit; compinit -D; source <(docfeed completion zsh)
    _describe() { print -l $found }
    words=(docfeed rules feed-pend) CURRENT=3
    _docfeed
    words=(npx docfeed rules feed-pend) CURRENT=4
    _docfeed`;
  t.regex((await execa('zsh', ['-c', zsh], { env })).stdout, /^feed-pending:.*\nfeed-pending:/);
});
