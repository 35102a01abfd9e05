/**
 * `npm run languages`: makes clients of the description with generators of other languages, builds them, and lets each
 * create a database, write, read and log in at the reference server. Then it runs the programs of openapi/README.md. It
 * needs the package registries of the languages.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { execa, parseCommandString } from 'execa';
import picomatch from 'picomatch';
import { markdownTable, runTool } from '../command-line.js';
import { withFolder } from '../folder.js';
import { withServerProcess } from '../server-process.js';
import { clients, descriptionFile, type GeneratedClient, type Guide } from './clients.js';

/** As the programs of the guide log in. */
const admin = { name: 'admin', password: 'secret' };

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

async function resultOf({ needs, calls, build, run, guide }: GeneratedClient): Promise<string> {
  const missing: string[] = [];
  for (const name of needs) if (!(await isThere(name))) missing.push(name);
  if (missing.length > 0) return `not run: there is no ${missing.join(', ')}`;
  return withFolder(async (folder) => {
    for (const name of calls)
      await cp(fileURLToPath(new URL(`calls/${name}`, import.meta.url)), join(folder, name));
    await cp('openapi/generated/couchdb.openapi-3.0.json', join(folder, descriptionFile));
    for (const command of build) if (!(await succeeds(folder, command))) return `fails: ${command}`;
    return withServerProcess({ admin, args: ['--dialect', 'couchdb'] }, async ({ url }) => {
      if (!(await succeeds(folder, `${run} ${url} ${admin.password}`))) return 'fails: the call';
      if (!guide) return 'works';
      await writeGuide(folder, guide, url);
      return (await succeeds(folder, guide.run)) ? 'works' : 'fails: the program of openapi/README.md';
    });
  });
}

/** Writes the code of the guide, for a server at another address than in the guide. */
async function writeGuide(folder: string, { language, file }: Guide, url: string): Promise<void> {
  const readme = await readFile('openapi/README.md', 'utf8');
  const [, section = ''] = readme.split('## Clients in other languages');
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(section) ?? [];
  if (code === undefined) throw new Error(`openapi/README.md has no program in ${language}`);
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), code.replace('http://127.0.0.1:5984', url));
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
