/** All faults: servers that break one rule each. The checks beside a file must find its faults. */
import type { Fault } from '../../reference/index.js';
import { basicFaults } from './sessions/basic.faults.js';
import { clusterFaults } from './cluster/cluster.faults.js';
import { continuousFaults } from './modes/continuous.faults.js';
import { cookieFaults } from './sessions/cookie.faults.js';
import { responsesFaults } from './root/responses.faults.js';
import { eventsourceFaults } from './modes/eventsource.faults.js';
import { feedAcceptFaults } from './feed/accept.faults.js';
import { feedAttachmentsFaults } from './feed/attachments.faults.js';
import { feedEquivalenceFaults } from './feed/equivalence.faults.js';
import { feedParametersFaults } from './modes/parameters.faults.js';
import { feedLastEventIdFaults } from './feed/last-event-id.faults.js';
import { feedPagingFaults } from './feed/paging.faults.js';
import { feedPagingFilteredFaults } from './feed/paging-filtered.faults.js';
import { feedShapeFaults } from './feed/shape.faults.js';
import { normalFaults } from './modes/normal.faults.js';
import { feedRowsFaults } from './feed/rows.faults.js';
import { feedSeqIntervalFaults } from './feed/seq-interval.faults.js';
import { feedStatesFaults } from './feed/states.faults.js';
import { feedSinceFaults } from './feed/since.faults.js';
import { filterAllDocsFaults } from './filters/all-docs.faults.js';
import { filterDocumentsFaults } from './filters/documents.faults.js';
import { filterErrorsFaults } from './root/filter-errors.faults.js';
import { filterModesFaults } from './filters/modes.faults.js';
import { handlersFaults } from './tokens/handlers.faults.js';
import { heartbeatFaults } from './modes/heartbeat.faults.js';
import { jwtClaimFaults } from './tokens/jwt-claims.faults.js';
import { jwtSignatureFaults } from './tokens/jwt-signatures.faults.js';
import { liveConvergesFaults } from './modes/live-converges.faults.js';
import { loginFaults } from './sessions/login.faults.js';
import { longpollFaults } from './modes/longpoll.faults.js';
import { longpollPagingFaults } from './feed/longpoll-paging.faults.js';
import { proxyFaults } from './tokens/proxy.faults.js';
import { rootFaults } from './root/root.faults.js';
import { sessionFaults } from './sessions/session.faults.js';
import { timeoutFaults } from './modes/timeout.faults.js';
import { totpFaults } from './tokens/totp.faults.js';
import { usersFaults } from './sessions/users.faults.js';

/** In the order of the checks. */
export const faults: readonly Fault[] = [
  ...rootFaults,
  ...responsesFaults,
  ...sessionFaults,
  ...handlersFaults,
  ...loginFaults,
  ...cookieFaults,
  ...basicFaults,
  ...usersFaults,
  ...proxyFaults,
  ...jwtSignatureFaults,
  ...jwtClaimFaults,
  ...totpFaults,
  ...feedShapeFaults,
  ...feedRowsFaults,
  ...feedAttachmentsFaults,
  ...feedSeqIntervalFaults,
  ...feedPagingFaults,
  ...feedPagingFilteredFaults,
  ...feedSinceFaults,
  ...feedLastEventIdFaults,
  ...feedEquivalenceFaults,
  ...feedStatesFaults,
  ...feedAcceptFaults,
  ...normalFaults,
  ...longpollFaults,
  ...longpollPagingFaults,
  ...continuousFaults,
  ...heartbeatFaults,
  ...timeoutFaults,
  ...eventsourceFaults,
  ...liveConvergesFaults,
  ...filterDocumentsFaults,
  ...filterAllDocsFaults,
  ...filterModesFaults,
  ...feedParametersFaults,
  ...filterErrorsFaults,
  ...clusterFaults,
];
