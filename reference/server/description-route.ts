/** The server describes itself: `GET /_openapi.json` has the description of its dialect. CouchDB has no such path. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ServerRoute } from '@hapi/hapi';
import { respond, type SharedParts } from './responses.js';

/** Whoever may read the greeting may read it. */
export function descriptionRoute({ state }: SharedParts): ServerRoute {
  let text: Promise<string> | undefined;
  return {
    method: 'GET',
    path: '/_openapi.json',
    options: {
      app: { operationId: 'getRoot' },
      auth: 'chain',
      handler: async (_request, h) =>
        respond(h, { status: 200, body: await (text ??= describe(state.dialect.dialect)) }),
    },
  };
}

/** The URL of the server is relative to that of the description. */
async function describe(dialect: string): Promise<string> {
  const file = fileURLToPath(import.meta.resolve(`docfeed/openapi/${dialect}.json`));
  const description = JSON.parse(await readFile(file, 'utf8')) as object;
  return JSON.stringify({ ...description, servers: [{ url: '/' }] });
}
