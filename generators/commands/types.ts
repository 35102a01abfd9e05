/** `docfeed types`: the TypeScript types of a dialect, for clients. */
import type { Command } from 'commander';
import { commandWithDialect, printGenerated } from './generated-file.js';

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
  return commandWithDialect('types')
    .description('print the TypeScript types of the API, for clients such as openapi-fetch')
    .addHelpText('after', afterHelp)
    .action(printGenerated(({ dialect }) => `types.${dialect}.ts`));
}
