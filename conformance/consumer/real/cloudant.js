/** Follows the database with the ChangesFollower of @ibm-cloud/cloudant, which keeps trying. */
import { ChangesFollower, CloudantV1, CouchdbSessionAuthenticator } from '@ibm-cloud/cloudant';
import { credentials, end, readSince, say, writeSince } from './state.js';

const { DOCFEED_DATABASE, DOCFEED_ORIGIN, DOCFEED_SELECTOR } = process.env;
const { name: username, password } = credentials;
const service = new CloudantV1({ authenticator: new CouchdbSessionAuthenticator({ username, password }) });
service.setServiceUrl(DOCFEED_ORIGIN);
const rows = new ChangesFollower(service, {
  db: DOCFEED_DATABASE,
  since: readSince('0'),
  includeDocs: true,
  ...(DOCFEED_SELECTOR && { filter: '_selector', selector: JSON.parse(DOCFEED_SELECTOR) }),
}).start();
rows.on('error', end);
for await (const row of rows) {
  say(row);
  writeSince(row.seq);
}
