/** The greeting of the server (SERVICE 2.1, 4.1), health check and UUIDs. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Context } from './context.js';
import type { Handlers, OperationResponse } from '../generated/handlers.js';

const require = createRequire(import.meta.url);
/** Version of this package. */
export const { version } = require('docfeed/package.json') as { version: string };
const description = require('docfeed/openapi/service.json') as { info: { version: string } };

type RootHandlers = Pick<Handlers<Context>, 'getRoot' | 'getUp' | 'getUuids'>;

export const root: RootHandlers = {
  getRoot: (_request, { uuid, dialect }) => {
    const greeting = {
      [dialect.greeting]: 'Welcome',
      uuid,
      version: description.info.version,
      vendor: { name: 'docfeed', version },
    };
    // The name of the first member depends on the dialect. The types have the neutral name.
    return Promise.resolve({ status: 200, body: greeting } as unknown as OperationResponse<'getRoot'>);
  },

  getUp: (_request, { settings: { maintenanceMode: mode } }) =>
    Promise.resolve(
      mode === 'false'
        ? { status: 200, body: { status: 'ok', seeds: {} } }
        : { status: 404, body: { status: mode === 'true' ? 'maintenance_mode' : mode } },
    ),

  getUuids: ({ query: { count } }, { uuids }) => {
    const body = { uuids: Array.from({ length: count }, () => uuids.next()) };
    // Two responses never have the same tag, and a cache must not keep any.
    const headers = {
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      etag: `"${randomUUID()}"`,
    };
    return Promise.resolve({ status: 200, headers, body });
  },
};
