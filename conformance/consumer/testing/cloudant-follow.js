/** Follows the database with cloudant-follow, and keeps its checkpoint. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Feed } from 'cloudant-follow';

const file = join(process.env.DOCFEED_STATE, 'since');
const read = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
};
const feed = new Feed({
  db: process.env.DOCFEED_DATABASE_URL,
  since: read(),
  include_docs: true,
  initial_retry_delay: 50,
});
feed.heartbeat = 1000;
feed.on('change', ({ id, doc, deleted = false, seq }) => {
  console.log(JSON.stringify({ id, rev: doc._rev, deleted }));
  writeFileSync(file, JSON.stringify(seq));
});
feed.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
feed.follow();
