/** `docfeed types`: prints client types for a dialect. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';

interface Options {
  dialect: Dialect;
  out?: string;
}

export function typesCommand(): Command {
  return new Command('types')
    .description('print TypeScript types for clients, for example for openapi-fetch')
    .addOption(
      new Option('--dialect <dialect>', 'dialect of the types')
        .choices(Object.keys(dialects))
        .default('service'),
    )
    .option('--out <file>', 'write to this file instead of stdout')
    .action(async ({ dialect, out }: Options) => {
      const types = await readFile(require.resolve(`docfeed/openapi/types.${dialect}.ts`), 'utf8');
      if (out === undefined) process.stdout.write(types);
      else await write(out, types);
    });
}

const require = createRequire(import.meta.url);

async function write(path: string, content: string): Promise<void> {
  try {
    await writeFileAtomic(path, content);
  } catch (error) {
    // The message continues with the name of a temporary file after the comma.
    const [reason] = (error as Error).message.split(',');
    throw new CommanderError(2, 'docfeed.file', `cannot write ${path}: ${reason}`);
  }
}
