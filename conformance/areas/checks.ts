/** All checks, in the order of the rule catalogue. Add each new file of checks here. */
import { basicChecks } from './sessions/basic.checks.js';
import type { Check } from '../target/check.js';
import { clusterChecks } from './cluster/cluster.checks.js';
import { continuousChecks } from './modes/continuous.checks.js';
import { cookieChecks } from './sessions/cookie.checks.js';
import { responsesChecks } from './root/responses.checks.js';
import { eventsourceChecks } from './modes/eventsource.checks.js';
import { feedAcceptChecks } from './feed/accept.checks.js';
import { feedAttachmentsChecks } from './feed/attachments.checks.js';
import { feedEquivalenceChecks } from './feed/equivalence.checks.js';
import { feedParametersChecks } from './modes/parameters.checks.js';
import { feedLastEventIdChecks } from './feed/last-event-id.checks.js';
import { feedPagingChecks } from './feed/paging.checks.js';
import { feedPagingFilteredChecks } from './feed/paging-filtered.checks.js';
import { feedShapeChecks } from './feed/shape.checks.js';
import { normalChecks } from './modes/normal.checks.js';
import { feedRowsChecks } from './feed/rows.checks.js';
import { feedSeqIntervalChecks } from './feed/seq-interval.checks.js';
import { feedStatesChecks } from './feed/states.checks.js';
import { feedSinceChecks } from './feed/since.checks.js';
import { filterAllDocsChecks } from './filters/all-docs.checks.js';
import { filterDocumentsChecks } from './filters/documents.checks.js';
import { filterErrorsChecks } from './root/filter-errors.checks.js';
import { filterModesChecks } from './filters/modes.checks.js';
import { heartbeatChecks } from './modes/heartbeat.checks.js';
import { handlersChecks } from './tokens/handlers.checks.js';
import { jwtClaimChecks } from './tokens/jwt-claims.checks.js';
import { jwtSignatureChecks } from './tokens/jwt-signatures.checks.js';
import { liveConvergesChecks } from './modes/live-converges.checks.js';
import { loginChecks } from './sessions/login.checks.js';
import { proxyChecks } from './tokens/proxy.checks.js';
import { longpollChecks } from './modes/longpoll.checks.js';
import { longpollPagingChecks } from './feed/longpoll-paging.checks.js';
import { rootChecks } from './root/root.checks.js';
import { sessionChecks } from './sessions/session.checks.js';
import { totpChecks } from './tokens/totp.checks.js';
import { timeoutChecks } from './modes/timeout.checks.js';
import { usersChecks } from './sessions/users.checks.js';

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
  ...feedLastEventIdChecks,
  ...feedEquivalenceChecks,
  ...feedStatesChecks,
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
