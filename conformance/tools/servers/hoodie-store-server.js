/** Serves @hoodie/store-server on a port of 127.0.0.1: node hoodie-store-server.js PORT, where its packages are installed. */
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const [port] = process.argv.slice(2);
const PouchDB = ['pouchdb-adapter-memory', 'pouchdb-mapreduce', 'pouchdb-replication'].reduce(
  (constructor, plugin) => constructor.plugin(require(plugin)),
  require('pouchdb-core'),
);
const server = new (require('hapi').Server)();
server.connection({ port: Number(port), host: '127.0.0.1' });
await server.register({
  register: require('@hoodie/store-server'),
  options: { PouchDB: PouchDB.defaults({ adapter: 'memory' }) },
});
await server.start();
console.log(server.info.uri);
