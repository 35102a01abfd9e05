/**
 * `npm run languages`: makes clients of the description with generators of other languages, builds them, and lets each
 * create a database, write, read and log in at the reference server. It needs the package registries of the languages.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { execa, parseCommandString } from 'execa';
import picomatch from 'picomatch';
import { markdownTable, runTool } from '../command-line.js';
import { withFolder } from '../folder.js';
import { withServerProcess } from '../server-process.js';
import { clients, descriptionFile, type GeneratedClient } from './clients.js';

const program = new Command('languages')
  .description('make clients with generators of other languages, and run them against the reference server')
  .option('--only <glob>', 'only generators whose name matches', '*')
  .addHelpText(
    'after',
    '\nExit codes: 0 each client works or its language is not there, 1 a client fails, 2 invalid arguments,\n3 the tool failed.',
  )
  .action(run);

await runTool(program);

async function run({ only }: { only: string }): Promise<void> {
  const rows: string[][] = [];
  for (const client of clients.filter(({ generator }) => picomatch.isMatch(generator, only))) {
    process.stderr.write(`${client.generator}\n`);
    const result = await resultOf(client);
    if (result.startsWith('fails')) process.exitCode = 1;
    rows.push([client.generator, client.language, result]);
  }
  process.stdout.write(await markdownTable(['generator', 'language', 'result'], rows));
}

async function resultOf({ needs, call, build, run }: GeneratedClient): Promise<string> {
  const missing: string[] = [];
  for (const name of needs) if (!(await isThere(name))) missing.push(name);
  if (missing.length > 0) return `not run: there is no ${missing.join(', ')}`;
  return withFolder(async (folder) => {
    await cp(fileURLToPath(new URL(`calls/${call}`, import.meta.url)), join(folder, call));
    await cp('openapi/generated/couchdb.openapi-3.0.json', join(folder, descriptionFile));
    for (const command of build) if (!(await succeeds(folder, command))) return `fails: ${command}`;
    return withServerProcess({ args: ['--dialect', 'couchdb'] }, async ({ url, admin }) =>
      (await succeeds(folder, `${run} ${url} ${admin.password}`)) ? 'works' : 'fails: the call',
    );
  });
}

async function isThere(name: string): Promise<boolean> {
  return !(await execa('which', [name], { reject: false })).failed;
}

/** Shows what a command prints only if it fails. */
async function succeeds(cwd: string, command: string): Promise<boolean> {
  const [name = '', ...args] = parseCommandString(command);
  const { failed, all } = await execa({ cwd, all: true, reject: false })(name, args);
  if (failed) process.stderr.write(`${all}\n`);
  return !failed;
}
