/** Replicates the database to the target database with PouchDB, continuously. */
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import replication from 'pouchdb-replication';

const { DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, DOCFEED_SELECTOR } = process.env;
PouchDB.plugin(http).plugin(replication);
PouchDB.replicate(DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, {
  live: true,
  retry: true,
  back_off_function: (delay) => Math.min(2 * (delay || 50), 1000),
  ...(DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) }),
})
  .on('paused', (error) => error && console.error(`paused: ${error.message}`))
  .on('denied', ({ doc }) => console.error(`denied: ${JSON.stringify(doc)}`))
  .on('error', (error) => console.error(`error: ${error.message}`));
