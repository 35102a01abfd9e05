/** `docfeed setup`: the configuration of a target on which every check can run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import { makeFolder } from '../../reports/folder.js';
import { Refusal } from '../engine/refusal.js';
import { defaultTargetFile, fileErrorReason } from './command-line.js';

const iniFile = 'docfeed.ini';

interface Options {
  dialect: Dialect;
  out?: string;
}

const afterHelp = `
CouchDB reads ${iniFile} from its folder local.d, the reference server with
\`docfeed serve --config ${iniFile}\`.

Examples:
  # write test keys for a CouchDB server, then check it with them
  docfeed setup --dialect couchdb --out keys
  docfeed check http://127.0.0.1:5984 --target keys/${defaultTargetFile}`;

export function setupCommand(): Command {
  return new Command('setup')
    .description('generate test keys, as configuration of the server and as target file for check')
    .addOption(
      new Option('--dialect <dialect>', 'dialect of the server')
        .choices(Object.keys(dialects))
        .makeOptionMandatory(),
    )
    .option('--out <dir>', `folder for ${iniFile} and ${defaultTargetFile} (default: print both)`)
    .addHelpText('after', afterHelp)
    .action(runSetup);
}

async function runSetup({ dialect, out }: Options): Promise<void> {
  const { makeSetup } = await import('../session/settings/make-setup.js');
  const { ini, target } = await makeSetup(dialect);
  if (out === undefined) {
    process.stdout.write(`; ---- ${iniFile}\n${ini}\n# ---- ${defaultTargetFile}\n${target}`);
    return;
  }
  for (const [name, text] of [
    [iniFile, ini],
    [defaultTargetFile, target],
  ] as const) {
    const file = join(out, name);
    await writeNewFile(out, file, text);
    process.stdout.write(`${file}\n`);
  }
}

/** Only the owner can read the file. An existing file is kept: a server may use its keys. */
async function writeNewFile(folder: string, file: string, text: string): Promise<void> {
  try {
    await makeFolder(folder);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const reason = exists ? 'the file exists; remove it or choose another --out' : fileErrorReason(error);
    throw new Refusal('file', `cannot write ${file}: ${reason}`);
  }
}
