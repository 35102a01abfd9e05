/**
 * `npm run schemathesis`: lets Schemathesis, which knows nothing but the description, attack the reference server. Its
 * findings, a crash, an error in the log or a server that no longer responds correctly is a failure.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { execa } from 'execa';
import { positive, runTool, seed } from '../command-line.js';
import { withFolder } from '../folder.js';
import { checkHealth, startFuzzed } from '../fuzz/fuzzed-server.js';

/** From PyPI. */
const version = '4.32.5';

/** The configuration, which Schemathesis finds in its working folder, and the hooks that it names. */
const configuration = ['schemathesis.toml', 'hooks.py'];

const program = new Command('schemathesis')
  .description('let Schemathesis attack the reference server, with the description')
  .option('--seconds <number>', 'how long to attack', positive, 90)
  .addOption(
    new Option('--examples <number>', 'how many requests to make for each operation, however long it takes')
      .argParser(positive)
      .conflicts('seconds'),
  )
  .option('--seed <number>', 'seed of the requests', seed, Math.floor(Math.random() * 2 ** 31))
  .addHelpText(
    'after',
    '\nExit codes: 0 no finding, or there is no Python or no Schemathesis, 1 a finding, 2 invalid arguments, 3 the tool failed.',
  )
  .action(run);

await runTool(program);

interface Options {
  readonly seconds: number;
  /** In place of a time. A run with the same seed then sends the same requests, but for ids that the server makes. */
  readonly examples?: number;
  readonly seed: number;
}

async function run(options: Options): Promise<void> {
  if ((await execa('python3', ['-m', 'venv', '--help'], { reject: false })).failed) {
    console.log('not run: there is no python3 with venv');
    return;
  }
  await withFolder(async (folder) => {
    await execa('python3', ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', `schemathesis==${version}`];
    const { failed, stderr } = await execa(`${folder}/bin/python`, pip, { reject: false });
    if (failed) {
      console.log(`not run: Schemathesis cannot be installed\n${stderr}`);
      return;
    }
    for (const name of configuration)
      await cp(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
    const problems = await attack(folder, options);
    if (problems.length > 0) {
      console.error(problems.join('\n'));
      process.exitCode = 1;
    }
  });
}

/** @returns what the server did wrong beside its responses, and whether Schemathesis found anything */
async function attack(cwd: string, { seconds, examples, seed }: Options): Promise<readonly string[]> {
  const problems: string[] = [];
  const server = await startFuzzed({}, (line) => problems.push(line));
  try {
    const { name, password } = server.admin;
    const description = fileURLToPath(import.meta.resolve('docfeed/openapi/service.json'));
    const bound = examples === undefined ? ['--max-time', `${seconds}`] : ['--max-examples', `${examples}`];
    const { exitCode } = await execa({
      cwd,
      stdio: 'inherit',
      reject: false,
      // Without it, the seed does not determine the requests.
      env: { PYTHONHASHSEED: '0' },
    })`bin/schemathesis run ${description} --url ${server.url} --auth ${name}:${password} --seed ${seed} ${bound} --generation-database none`;
    if (exitCode !== 0) problems.push(`Schemathesis ended with the code ${exitCode}`);
    if (!server.isRunning()) problems.push('the server exited');
    else await checkHealth(server.client);
  } finally {
    await server.stop();
  }
  return problems;
}
