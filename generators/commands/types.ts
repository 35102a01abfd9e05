/** `docfeed types`: the types of a dialect, for a client. */
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
    .description('print TypeScript types for a client, such as one written with openapi-fetch')
    .addOption(
      new Option('--dialect <dialect>', 'whose names to use')
        .choices(Object.keys(dialects))
        .default('service'),
    )
    .option('--out <file>', 'write them to this file instead')
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
    // The rest of the message names the temporary file.
    const [reason] = (error as Error).message.split(',');
    throw new CommanderError(2, 'docfeed.file', `cannot write ${path}: ${reason}`);
  }
}
