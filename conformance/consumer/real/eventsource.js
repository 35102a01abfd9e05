/** Follows the database with the EventSource of the npm package. */
import { EventSource } from 'eventsource';
import { Agent, fetch } from 'undici';
import { credentials, readSince, say, url, writeSince } from './state.js';

const { origin, pathname } = new URL(url);
const { name, password } = credentials;
const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
// By default, undici waits for five minutes before it takes a connection for dead.
const dispatcher = new Agent({ bodyTimeout: 3000 });

follow();

function follow() {
  const query = new URLSearchParams({
    feed: 'eventsource',
    include_docs: true,
    heartbeat: 1000,
    since: readSince('0'),
  });
  const source = new EventSource(`${origin}${pathname}/_changes?${query}`, {
    fetch: (input, init) =>
      fetch(input, { ...init, dispatcher, headers: { ...init.headers, authorization } }),
  });
  source.addEventListener('message', ({ data, lastEventId }) => {
    say(JSON.parse(data));
    writeSince(lastEventId);
  });
  source.addEventListener('error', ({ code, message }) => {
    console.error(message);
    // The database was created again.
    if (code === 400) writeSince('0');
    // An EventSource ends for good at any status but 200.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 1000);
  });
}
