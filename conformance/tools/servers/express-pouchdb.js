/** Serves express-pouchdb on a port of 127.0.0.1: node express-pouchdb.js PORT ADAPTER, where its packages are installed. */
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const [port, adapter] = process.argv.slice(2);
const PouchDB = [`pouchdb-adapter-${adapter}`, 'pouchdb-mapreduce', 'pouchdb-replication'].reduce(
  (constructor, plugin) => constructor.plugin(require(plugin)),
  require('pouchdb-core'),
);
const app = require('express')();
app.use(require('express-pouchdb')(PouchDB.defaults({ adapter, prefix: 'data-' }), { inMemoryConfig: true }));
app.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
