/** Follows the database with the EventSource of the npm package. */
import { EventSource } from 'eventsource';
import { Agent, fetch } from 'undici';
import { readSince, say, url, writeSince } from './state.js';

const { origin, pathname, username, password } = new URL(url);
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const query = new URLSearchParams({
  ...{ feed: 'eventsource', include_docs: true, heartbeat: 1000, since: readSince('0') },
});
// By default, undici waits for five minutes before it takes a connection for dead.
const dispatcher = new Agent({ bodyTimeout: 3000 });
const source = new EventSource(`${origin}${pathname}/_changes?${query}`, {
  fetch: (input, init) => fetch(input, { ...init, dispatcher, headers: { ...init.headers, authorization } }),
});
source.addEventListener('message', ({ data, lastEventId }) => {
  say(JSON.parse(data));
  writeSince(lastEventId);
});
source.addEventListener('error', ({ message }) => console.error(message));
