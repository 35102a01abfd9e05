/** `docfeed types`: the TypeScript types of a dialect, for clients. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';

interface Options {
  dialect: Dialect;
  out?: string;
}

const afterHelp = `
Examples:
  # the types of CouchDB
  docfeed types --dialect couchdb --out couchdb.d.ts

  # then, in a client
  import createClient from 'openapi-fetch';
  import type { paths } from './couchdb.d.ts';
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:5984' });
`;

export function typesCommand(): Command {
  return new Command('types')
    .description('print the TypeScript types of the API, for clients such as openapi-fetch')
    .addOption(
      new Option('--dialect <dialect>', 'dialect of the server')
        .choices(Object.keys(dialects))
        .default('service'),
    )
    .option('--out <file>', 'file to write (default: stdout)')
    .addHelpText('after', afterHelp)
    .action(async ({ dialect, out }: Options) => {
      const types = await readFile(require.resolve(`docfeed/openapi/types.${dialect}.ts`), 'utf8');
      if (out === undefined) process.stdout.write(types);
      else await writeTypes(out, types);
    });
}

const require = createRequire(import.meta.url);

async function writeTypes(path: string, content: string): Promise<void> {
  try {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await writeFileAtomic(path, content);
  } catch (error) {
    // Behind the comma the message names a temporary file, which means nothing to the user.
    const [reason] = (error as Error).message.split(',');
    throw new CommanderError(2, 'docfeed.file', `cannot write ${path}: ${reason}`);
  }
}
