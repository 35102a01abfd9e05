/** What commands that print a generated file of a dialect have in common. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';

interface Options {
  dialect: Dialect;
  out?: string;
}

/** A command with options for the dialect and for a file to write. */
export const commandWithDialect = (name: string): Command =>
  new Command(name)
    .addOption(
      new Option('--dialect <dialect>', 'dialect of the server')
        .choices(Object.keys(dialects))
        .default('service'),
    )
    .option('--out <file>', 'file to write (default: stdout)');

/**
 * Prints a generated file, or writes it.
 *
 * @param nameOf the name of the file for these options
 * @throws CommanderError with exit code 2 if the file cannot be written
 */
export const printGenerated =
  <Given extends Options>(nameOf: (options: Given) => string) =>
  async (options: Given): Promise<void> => {
    const content = await readFile(require.resolve(`docfeed/openapi/${nameOf(options)}`), 'utf8');
    if (options.out === undefined) process.stdout.write(content);
    else await write(options.out, content);
  };

const require = createRequire(import.meta.url);

async function write(path: string, content: string): Promise<void> {
  try {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await writeFileAtomic(path, content);
  } catch (error) {
    // Behind the comma the message names a temporary file, which means nothing to the user.
    const [reason] = (error as Error).message.split(',');
    throw new CommanderError(2, 'docfeed.file', `cannot write ${path}: ${reason}`);
  }
}
