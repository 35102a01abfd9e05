/** Follows the database with the changes reader of nano. */
import { setTimeout as pause } from 'node:timers/promises';
import nano from 'nano';
import { Agent } from 'undici';
import { readSince, say, url, writeSince } from './state.js';

const { DOCFEED_SELECTOR } = process.env;
const { origin, pathname, username, password } = new URL(url);
const server = Object.assign(new URL(origin), { username, password }).href.replace(/\/$/, '');
/** Rows are worked on one after the other, and the work takes a moment. */
let work = Promise.resolve();

// By default, undici waits for five minutes before it takes a connection for dead.
nano({ url: server, agentOptions: new Agent({ bodyTimeout: 3000 }) })
  .use(pathname.slice(1))
  .changesReader.start({
    since: readSince('0'),
    includeDocs: true,
    timeout: 1000,
    ...(DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) }),
  })
  .on('change', (row) => {
    work = work.then(() => pause(1)).then(() => say(row));
  })
  .on('seq', writeSince)
  .on('error', (error) => console.error(error.message));
