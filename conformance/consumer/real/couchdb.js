/** Lets the replicator of the CouchDB in COUCHDB_URL, which has credentials, copy the database to the target database. */
const { COUCHDB_URL, DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, DOCFEED_SELECTOR } = process.env;
const { origin, username, password } = new URL(COUCHDB_URL);
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
// CouchDB does not go on with a replication that no document describes.
const path = `${origin}/_replicator/docfeed-${new URL(DOCFEED_TARGET_URL).port}`;
const send = async (method, rev = '', body = undefined) => {
  const response = await fetch(`${path}${rev && `?rev=${rev}`}`, {
    ...{ method, headers: { authorization }, body: JSON.stringify(body) },
  });
  return response.json();
};
const idle = setInterval(() => {}, 60_000);
process.once('SIGTERM', async () => {
  await send('DELETE', (await send('GET'))._rev);
  clearInterval(idle);
});
const { error } = await send('PUT', '', {
  ...{ source: DOCFEED_DATABASE_URL, target: DOCFEED_TARGET_URL, continuous: true },
  ...(DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) }),
});
// After it was killed, the document is there.
if (error && error !== 'conflict') console.error(error);
