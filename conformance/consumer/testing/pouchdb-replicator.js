/** Replicates the database to the target database with PouchDB, continuously. */
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import replication from 'pouchdb-replication';

PouchDB.plugin(http).plugin(replication);
PouchDB.replicate(process.env.DOCFEED_DATABASE_URL, process.env.DOCFEED_TARGET_URL, {
  ...{ live: true, retry: true, back_off_function: (delay) => Math.min(2 * (delay || 50), 1000) },
})
  .on('paused', (error) => error && console.error(`paused: ${error.message}`))
  .on('denied', ({ doc }) => console.error(`denied: ${JSON.stringify(doc)}`))
  .on('error', (error) => console.error(`error: ${error.message}`));
