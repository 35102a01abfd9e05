/** Lets the replicator of the CouchDB in COUCHDB_URL, which has credentials, copy the database to the target database. */
const { COUCHDB_URL, DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, DOCFEED_SELECTOR } = process.env;
const { origin, username, password } = new URL(COUCHDB_URL);
const headers = {
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  'content-type': 'application/json',
};
const replicate = async (options) => {
  const body = JSON.stringify({
    ...{ source: DOCFEED_DATABASE_URL, target: DOCFEED_TARGET_URL, continuous: true, ...options },
    ...(DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) }),
  });
  const response = await fetch(`${origin}/_replicate`, { method: 'POST', headers, body });
  if (!options.cancel) console.error(await response.text());
};
const idle = setInterval(() => {}, 60_000);
process.once('SIGTERM', async () => {
  await replicate({ cancel: true });
  clearInterval(idle);
});
await replicate({});
