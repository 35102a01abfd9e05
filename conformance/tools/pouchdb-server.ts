/**
 * Starts PouchDB Server: `pouchdb-server.ts FOLDER`, where FOLDER contains the installed packages. It keeps databases
 * in memory, takes its administrator from `DOCFEED_ADMIN` and listens on a free port.
 *
 * PouchDB Server's own command cannot be used because it cannot create databases: see
 * https://github.com/pouchdb/pouchdb-server/issues/374.
 */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface PouchDB {
  plugin(plugin: unknown): PouchDB;
  defaults(options: { adapter: string }): PouchDB;
}

interface ExpressPouchDB {
  couchConfig: { set(section: string, key: string, value: string, done: (error?: Error) => void): void };
  listen(port: number, host: string): Server;
}

interface Auth {
  hashAdminPasswords(admins: Record<string, string>): Promise<Record<string, string>>;
}

const [, , folder = '.'] = process.argv;
const requireInstalled = createRequire(join(folder, 'package.json'));

const pouchdb = (requireInstalled('pouchdb-core') as PouchDB)
  .plugin(requireInstalled('pouchdb-adapter-memory'))
  .plugin(requireInstalled('pouchdb-mapreduce'))
  .plugin(requireInstalled('pouchdb-replication'))
  .defaults({ adapter: 'memory' });
const createApp = requireInstalled('express-pouchdb') as (
  pouchdb: PouchDB,
  options: unknown,
) => ExpressPouchDB;
const app = createApp(pouchdb, {
  inMemoryConfig: true,
  logPath: join(folder, 'log.txt'),
  overrideMode: {
    exclude: [
      // This route makes `PouchDB.new()` asynchronous, which breaks creating databases: see the issue above.
      'routes/security',
      // The package of the web interface is not installed.
      'routes/fauxton',
    ],
  },
});

const [admin = '', password = ''] = process.env['DOCFEED_ADMIN']?.split(':') ?? [];
const hashed = await (requireInstalled('pouchdb-auth') as Auth).hashAdminPasswords({ [admin]: password });
await new Promise<void>((resolve, reject) => {
  app.couchConfig.set('admins', admin, hashed[admin]!, (error) => (error ? reject(error) : resolve()));
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
