/** All faults: servers that break one rule each. A file has the faults that the checks in the file of the same name find. */
import type { Fault } from '../../reference/index.js';
import { basicFaults } from './basic.js';
import { clusterFaults } from './cluster.js';
import { continuousFaults } from './continuous.js';
import { cookieFaults } from './cookie.js';
import { responsesFaults } from './responses.js';
import { eventsourceFaults } from './eventsource.js';
import { feedAcceptFaults } from './feed-accept.js';
import { feedAttachmentsFaults } from './feed-attachments.js';
import { feedEquivalenceFaults } from './feed-equivalence.js';
import { feedParametersFaults } from './feed-parameters.js';
import { feedPagingFaults } from './feed-paging.js';
import { feedPagingFilteredFaults } from './feed-paging-filtered.js';
import { feedShapeFaults } from './feed-shape.js';
import { normalFaults } from './normal.js';
import { feedRowsFaults } from './feed-rows.js';
import { feedSeqIntervalFaults } from './feed-seq-interval.js';
import { feedSinceFaults } from './feed-since.js';
import { filterAllDocsFaults } from './filter-all-docs.js';
import { filterDocumentsFaults } from './filter-documents.js';
import { filterErrorsFaults } from './filter-errors.js';
import { filterModesFaults } from './filter-modes.js';
import { handlersFaults } from './handlers.js';
import { heartbeatFaults } from './heartbeat.js';
import { jwtClaimFaults } from './jwt-claims.js';
import { jwtSignatureFaults } from './jwt-signatures.js';
import { liveConvergesFaults } from './live-converges.js';
import { loginFaults } from './login.js';
import { longpollFaults } from './longpoll.js';
import { longpollPagingFaults } from './longpoll-paging.js';
import { proxyFaults } from './proxy.js';
import { rootFaults } from './root.js';
import { sessionFaults } from './session.js';
import { timeoutFaults } from './timeout.js';
import { totpFaults } from './totp.js';
import { usersFaults } from './users.js';

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
  ...feedEquivalenceFaults,
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
