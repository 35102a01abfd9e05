/** Follows the database with changes-stream. */
import { createRequire } from 'node:module';
import { end, readSince, say, url, writeSince } from './state.js';

const ChangesStream = createRequire(import.meta.url)('changes-stream');
// By default, it waits for an hour before it takes a connection for dead.
new ChangesStream({ db: url, since: readSince(0), include_docs: true, heartbeat: 1000, inactivity_ms: 5000 })
  .on('data', (row) => {
    // The end of a feed arrives as well.
    if (row.id === undefined) return;
    say(row);
    writeSince(row.seq);
  })
  .on('error', end);
