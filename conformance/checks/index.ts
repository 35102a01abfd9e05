/** All checks, in the order of the rule catalogue. Add each new file of checks here. */
import { basicChecks } from './basic.js';
import type { Check } from '../check.js';
import { clusterChecks } from './cluster.js';
import { continuousChecks } from './continuous.js';
import { cookieChecks } from './cookie.js';
import { responsesChecks } from './responses.js';
import { eventsourceChecks } from './eventsource.js';
import { feedAcceptChecks } from './feed-accept.js';
import { feedAttachmentsChecks } from './feed-attachments.js';
import { feedEquivalenceChecks } from './feed-equivalence.js';
import { feedParametersChecks } from './feed-parameters.js';
import { feedPagingChecks } from './feed-paging.js';
import { feedPagingFilteredChecks } from './feed-paging-filtered.js';
import { feedShapeChecks } from './feed-shape.js';
import { normalChecks } from './normal.js';
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
import { longpollPagingChecks } from './longpoll-paging.js';
import { rootChecks } from './root.js';
import { sessionChecks } from './session.js';
import { totpChecks } from './totp.js';
import { timeoutChecks } from './timeout.js';
import { usersChecks } from './users.js';

/** All checks of the suite. */
export const checks: readonly Check[] = [
  ...rootChecks,
  ...responsesChecks,
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
  ...feedShapeChecks,
  ...feedRowsChecks,
  ...feedAttachmentsChecks,
  ...feedSeqIntervalChecks,
  ...feedPagingChecks,
  ...feedPagingFilteredChecks,
  ...feedSinceChecks,
  ...feedEquivalenceChecks,
  ...feedAcceptChecks,
  ...normalChecks,
  ...longpollChecks,
  ...longpollPagingChecks,
  ...continuousChecks,
  ...heartbeatChecks,
  ...timeoutChecks,
  ...eventsourceChecks,
  ...liveConvergesChecks,
  ...filterDocumentsChecks,
  ...filterAllDocsChecks,
  ...filterModesChecks,
  ...feedParametersChecks,
  ...filterErrorsChecks,
  ...clusterChecks,
];
