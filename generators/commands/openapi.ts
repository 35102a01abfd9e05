/** `docfeed openapi`: the description of a dialect, for generators of clients and other tools. */
import { type Command, Option } from 'commander';
import type { Dialect } from '../../openapi/generated/dialects.js';
import { commandWithDialect, printGenerated } from './generated-file.js';

/** The end of the file name for each version of OpenAPI. */
const endings = { '3.1': 'json', '3.0': 'openapi-3.0.json' } as const;

interface Options {
  dialect: Dialect;
  openapi: keyof typeof endings;
}

const afterHelp = `
Examples:
  # the whole description of the API, with the names of CouchDB
  docfeed openapi --dialect couchdb --out couchdb.json

  # its form for generators of clients
  docfeed openapi --dialect couchdb --openapi 3.0 --out couchdb.openapi-3.0.json
`;

export function openapiCommand(): Command {
  return commandWithDialect('openapi')
    .description('print the OpenAPI description of the API')
    .addOption(
      new Option('--openapi <version>', 'version of OpenAPI; 3.0 is the form for generators of clients')
        .choices(Object.keys(endings))
        .default('3.1'),
    )
    .addHelpText('after', afterHelp)
    .action(printGenerated(({ dialect, openapi }: Options) => `${dialect}.${endings[openapi]}`));
}
