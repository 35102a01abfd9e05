/** Servers from npm that the suite meets: see `check-server.ts`. */

export interface NpmServer {
  /** What npm installs. */
  readonly packages: readonly string[];
  /** The arguments of Node.js: the path of a program in the folder of the packages or beside this file, and its own. */
  readonly program: (port: number) => readonly [path: string, ...args: string[]];
  /** Whether everybody is an administrator until there is one. The run then creates one first. */
  readonly needsAdmin: boolean;
  /** The baseline of its known deviations, without which the run reports all of them. */
  readonly baseline?: string;
}

const expressPouchdb = (adapter: string): NpmServer => ({
  packages: [
    'express@4.22.3',
    'express-pouchdb@4.2.0',
    'pouchdb-core@9.0.0',
    `pouchdb-adapter-${adapter}@9.0.0`,
    'pouchdb-mapreduce@9.0.0',
    'pouchdb-replication@9.0.0',
  ],
  program: (port) => [ours('express-pouchdb.js'), `${port}`, adapter],
  needsAdmin: true,
  baseline: 'pouchdb-server-4.yaml',
});

const ours = (file: string): string => new URL(`servers/${file}`, import.meta.url).pathname;

export const npmServers: Readonly<Record<string, NpmServer>> = {
  'pouchdb-server': {
    packages: ['pouchdb-server@4.2.0'],
    program: (port) => ['node_modules/pouchdb-server/bin/pouchdb-server', '--in-memory', '--port', `${port}`],
    needsAdmin: true,
    baseline: 'pouchdb-server-4.yaml',
  },
  'express-pouchdb-memory': expressPouchdb('memory'),
  'express-pouchdb-leveldb': expressPouchdb('leveldb'),
  'hoodie-store-server': {
    packages: [
      '@hoodie/store-server@3.0.0',
      'hapi@16.8.4',
      'pouchdb-core@6.4.3',
      'pouchdb-adapter-memory@6.4.3',
      'pouchdb-mapreduce@6.4.3',
      'pouchdb-replication@6.4.3',
    ],
    program: (port) => [ours('hoodie-store-server.js'), `${port}`],
    needsAdmin: false,
  },
  'mock-couch': {
    packages: ['mock-couch@0.1.11'],
    program: (port) => [ours('mock-couch.js'), `${port}`],
    needsAdmin: false,
  },
};
