/**
 * PouchDB Server as a program: `pouchdb-composition.ts FOLDER`, where FOLDER holds the installed packages.
 * Databases are in memory, the administrator is that of `DOCFEED_ADMIN`, and the port is a free one.
 *
 * The packages are composed here rather than started by their own command because that one cannot create a
 * database: see https://github.com/pouchdb/pouchdb-server/issues/374.
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
const installed = createRequire(join(folder, 'package.json'));

const pouchdb = (installed('pouchdb-core') as PouchDB)
  .plugin(installed('pouchdb-adapter-memory'))
  .plugin(installed('pouchdb-mapreduce'))
  .plugin(installed('pouchdb-replication'))
  .defaults({ adapter: 'memory' });
const compose = installed('express-pouchdb') as (pouchdb: PouchDB, options: unknown) => ExpressPouchDB;
const app = compose(pouchdb, {
  inMemoryConfig: true,
  logPath: join(folder, 'log.txt'),
  overrideMode: {
    exclude: [
      // Makes `PouchDB.new()` asynchronous, which creating a database does not expect: the issue above.
      'routes/security',
      // Pages for people; their package is not installed.
      'routes/fauxton',
    ],
  },
});

const [admin = '', password = ''] = process.env['DOCFEED_ADMIN']?.split(':') ?? [];
const hashed = await (installed('pouchdb-auth') as Auth).hashAdminPasswords({ [admin]: password });
await new Promise<void>((resolve, reject) => {
  app.couchConfig.set('admins', admin, hashed[admin]!, (error) => (error ? reject(error) : resolve()));
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
