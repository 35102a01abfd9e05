/** `docfeed setup`: what a server under test needs so that every check can run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import { makeFolder } from '../../reports/folder.js';
import { makeSetup } from '../configure/setup.js';
import { Refusal } from '../verdict/refusal.js';
import { defaultTargetFile } from '../client/target-options.js';
import { refusing } from './command-line.js';

const iniFile = 'docfeed.ini';

interface Options {
  dialect: Dialect;
  out?: string;
}

export function setupCommand(): Command {
  return new Command('setup')
    .description('make test keys, the ini that gives them to a server under test, and the target file')
    .addOption(
      new Option('--dialect <dialect>', 'words of the server')
        .choices(Object.keys(dialects))
        .makeOptionMandatory(),
    )
    .option('--out <dir>', `where ${iniFile} and ${defaultTargetFile} are written, instead of printed`)
    .addHelpText(
      'after',
      `\nCouchDB reads ${iniFile} from its folder local.d, the reference server with serve --config.\n` +
        `Then run docfeed check with --target ${defaultTargetFile}.`,
    )
    .action(refusing(act));
}

async function act({ dialect, out }: Options): Promise<void> {
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
    await write(out, file, text);
    process.stdout.write(`${file}\n`);
  }
}

/** For its owner's eyes only, and never over a file that is there: its keys may be in use. */
async function write(folder: string, file: string, text: string): Promise<void> {
  try {
    await makeFolder(folder);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'it is there already; remove it, or give another --out' : (code ?? message);
    throw new Refusal('file', `cannot write ${file}: ${why}`);
  }
}
