/** Follows the database with the ChangesFollower of @ibm-cloud/cloudant, which keeps trying. */
import { ChangesFollower, CloudantV1, CouchdbSessionAuthenticator } from '@ibm-cloud/cloudant';
import { end, readSince, say, url, writeSince } from './state.js';

const { DOCFEED_SELECTOR } = process.env;
const { origin, pathname, username, password } = new URL(url);
const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
const service = new CloudantV1({ authenticator: new CouchdbSessionAuthenticator(login) });
service.setServiceUrl(origin);
const rows = new ChangesFollower(service, {
  db: pathname.slice(1),
  since: readSince('0'),
  includeDocs: true,
  ...(DOCFEED_SELECTOR && { filter: '_selector', selector: JSON.parse(DOCFEED_SELECTOR) }),
}).start();
rows.on('error', end);
for await (const row of rows) {
  say(row);
  writeSince(row.seq);
}
