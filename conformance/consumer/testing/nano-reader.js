/** Follows the database with the changes reader of nano, and keeps its checkpoint. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nano from 'nano';

const file = join(process.env.DOCFEED_STATE, 'since');
const read = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return '0';
  }
};
const { origin, pathname, username, password } = new URL(process.env.DOCFEED_DATABASE_URL);
const server = nano(Object.assign(new URL(origin), { username, password }).href.replace(/\/$/, ''));
server
  .use(pathname.slice(1))
  .changesReader.start({ since: read(), includeDocs: true, timeout: 1000 })
  .on('change', ({ id, doc, deleted = false }) => {
    console.log(JSON.stringify({ id, rev: doc._rev, deleted }));
  })
  .on('seq', (seq) => writeFileSync(file, JSON.stringify(seq)))
  .on('error', (error) => console.error(error.message));
