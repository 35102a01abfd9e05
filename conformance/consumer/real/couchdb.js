/** Lets the replicator of the CouchDB in COUCHDB_URL, which has credentials, copy the database to the target database. */
import { setTimeout as pause } from 'node:timers/promises';

const { COUCHDB_URL, DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, DOCFEED_SELECTOR } = process.env;
const { origin, username, password } = new URL(COUCHDB_URL);
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
// CouchDB does not go on with a replication that no document describes.
const id = `docfeed-${new URL(DOCFEED_TARGET_URL).port}`;
const path = `/_replicator/${id}`;
const send = async (method, path, body = undefined) => {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization },
    body: JSON.stringify(body),
  });
  return response.json();
};
const idle = setInterval(() => {}, 60_000);
process.once('SIGTERM', async () => {
  await send('DELETE', `${path}?rev=${(await send('GET', path))._rev}`);
  // The replication ends later, and writes its last checkpoint then.
  while ((await send('GET', '/_scheduler/jobs')).jobs.some(({ doc_id }) => doc_id === id)) await pause(50);
  clearInterval(idle);
});
/** CouchDB does not decode the credentials in a URL. */
const endpoint = (text) => {
  const { origin, pathname, username, password } = new URL(text);
  const basic = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { url: origin + pathname, auth: { basic } };
};
const { error } = await send('PUT', path, {
  source: endpoint(DOCFEED_DATABASE_URL),
  target: endpoint(DOCFEED_TARGET_URL),
  continuous: true,
  ...(DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) }),
});
// After it was killed, the document is there.
if (error && error !== 'conflict') console.error(error);
