/** Follows the database with cloudant-follow or follow, which have one interface: the argument says which. */
import { createRequire } from 'node:module';
import { end, readSince, say, url, writeSince } from './state.js';

const { Feed } = createRequire(import.meta.url)(process.argv[2]);
const feed = new Feed({ db: url, since: readSince(0), include_docs: true, initial_retry_delay: 50 });
// Not earlier, since its first request may take three heartbeats at most.
feed.on('confirm', () => (feed.heartbeat = 1000));
feed.on('change', (row) => {
  say(row);
  writeSince(row.seq);
});
feed.on('error', end);
feed.follow();
