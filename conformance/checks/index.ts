/** All checks, in the order of the rule catalogue. A new file of checks is listed here. */
import { basicChecks } from './basic.js';
import type { Check } from '../check.js';
import { clusterChecks } from './cluster.js';
import { continuousChecks } from './continuous.js';
import { cookieChecks } from './cookie.js';
import { errorsChecks } from './errors.js';
import { eventsourceChecks } from './eventsource.js';
import { feedAttachmentsChecks } from './feed-attachments.js';
import { feedCallsChecks } from './feed-calls.js';
import { feedExtentChecks } from './feed-extent.js';
import { feedFilteredChecks } from './feed-filtered.js';
import { feedFormChecks } from './feed-form.js';
import { feedNormalChecks } from './feed-normal.js';
import { feedRowsChecks } from './feed-rows.js';
import { feedSeqIntervalChecks } from './feed-seq-interval.js';
import { feedSinceChecks } from './feed-since.js';
import { filterAllDocsChecks } from './filter-all-docs.js';
import { filterDocumentsChecks } from './filter-documents.js';
import { filterErrorsChecks } from './filter-errors.js';
import { filterModesChecks } from './filter-modes.js';
import { heartbeatChecks } from './heartbeat.js';
import { handlersChecks } from './handlers.js';
import { jwtClaimChecks } from './jwt-claims.js';
import { jwtSignatureChecks } from './jwt-signatures.js';
import { liveConvergesChecks } from './live-converges.js';
import { loginChecks } from './login.js';
import { proxyChecks } from './proxy.js';
import { longpollChecks } from './longpoll.js';
import { rootChecks } from './root.js';
import { sessionChecks } from './session.js';
import { totpChecks } from './totp.js';
import { timeoutChecks } from './timeout.js';
import { usersChecks } from './users.js';

export const checks: readonly Check[] = [
  ...rootChecks,
  ...errorsChecks,
  ...sessionChecks,
  ...handlersChecks,
  ...loginChecks,
  ...cookieChecks,
  ...basicChecks,
  ...usersChecks,
  ...proxyChecks,
  ...jwtSignatureChecks,
  ...jwtClaimChecks,
  ...totpChecks,
  ...feedFormChecks,
  ...feedRowsChecks,
  ...feedAttachmentsChecks,
  ...feedSeqIntervalChecks,
  ...feedExtentChecks,
  ...feedFilteredChecks,
  ...feedSinceChecks,
  ...feedCallsChecks,
  ...feedNormalChecks,
  ...longpollChecks,
  ...continuousChecks,
  ...heartbeatChecks,
  ...timeoutChecks,
  ...eventsourceChecks,
  ...liveConvergesChecks,
  ...filterDocumentsChecks,
  ...filterAllDocsChecks,
  ...filterModesChecks,
  ...filterErrorsChecks,
  ...clusterChecks,
];
