/** Follows the database with the ChangesFollower of @ibm-cloud/cloudant, which keeps trying. */
import { ChangesFollower, CloudantV1, CouchdbSessionAuthenticator } from '@ibm-cloud/cloudant';
import { credentials, end, readSince, say, url, writeSince } from './state.js';

const { DOCFEED_SELECTOR } = process.env;
const { origin, pathname } = new URL(url);
const { name: username, password } = credentials;
const service = new CloudantV1({ authenticator: new CouchdbSessionAuthenticator({ username, password }) });
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
