/** The home of each rule of the catalogue. Generated from `conformance/rules/` by `npm run generate`. */
import type { RuleId } from '../../../openapi/generated/rules.js';
import type { RuleHome } from '../../rule-home.js';
import { clusterJwtKeys, clusterSeqPortable, clusterConverges } from '../cluster/cluster.js';
import { feedAccept } from '../feed/accept.js';
import { feedAttachments, feedAttEncoding } from '../feed/attachments.js';
import { feedDefaults, feedPostSame, feedPartialOrder, feedIdempotent } from '../feed/equivalence.js';
import { feedLastEventId } from '../feed/last-event-id.js';
import { feedLastSeq, feedPending, feedLimit, feedPaging, feedDescending } from '../feed/paging.js';
import {
  feedLatest,
  feedComplete,
  feedLocalDocuments,
  feedNothingExtra,
  feedOneRow,
  feedDeleted,
  feedDeletedWinner,
  feedStyleMain,
  feedStyleAll,
  feedIncludeDocs,
  feedConflicts,
} from '../feed/rows.js';
import { feedSeqInterval } from '../feed/seq-interval.js';
import { feedShape, feedRowShape } from '../feed/shape.js';
import {
  feedSinceExcludes,
  feedSinceResume,
  feedSinceDefault,
  feedSinceNow,
  feedSeqAnyJson,
} from '../feed/since.js';
import { feedPresentState } from '../feed/states.js';
import { filterAllDocsSkip, filterAllDocsRevs, filterAllDocsDoc } from '../filters/all-docs.js';
import {
  filterDocIds,
  filterSelector,
  filterDesign,
  filterView,
  filterFunction,
} from '../filters/documents.js';
import { filterInEveryMode } from '../filters/modes.js';
import {
  continuousLines,
  continuousCrlf,
  continuousBehind,
  continuousLive,
  continuousLimit,
  continuousTimeout,
} from '../modes/continuous.js';
import {
  eventsourceStream,
  eventsourceLive,
  eventsourceLastEventId,
  eventsourceLimitTimeout,
} from '../modes/eventsource.js';
import {
  heartbeatLines,
  heartbeatOverrides,
  heartbeatTrue,
  eventsourceHeartbeat,
} from '../modes/heartbeat.js';
import { feedLiveConverges } from '../modes/live-converges.js';
import { longpollWaits, longpollDelivers, longpollBehind, longpollTimeout } from '../modes/longpoll.js';
import { normalImmediate } from '../modes/normal.js';
import { feedParametersInEveryMode } from '../modes/parameters.js';
import { timeoutDefault, timeoutMaximum } from '../modes/timeout.js';
import { errorSelectorMissing, errorSelectorNotObject, errorSelectorInvalid } from '../root/filter-errors.js';
import { errorShape, responseSchema } from '../root/responses.js';
import { rootGreeting, rootVendor } from '../root/root.js';
import { basicAccepts, basicRejects, basicSetCookie, basicCookieUsable } from '../sessions/basic.js';
import { cookieAuthenticates, cookieTampered } from '../sessions/cookie.js';
import { loginResult, loginCookie, loginRejects } from '../sessions/login.js';
import { sessionShape, sessionInfoDb, sessionAuthenticatedBy } from '../sessions/session.js';
import { usersCreate, usersStored, usersAdminOnly, usersIdForm } from '../sessions/users.js';
import { sessionHandlersOrder, proxyHandlerRequired, jwtHandlerRequired } from '../tokens/handlers.js';
import {
  jwtSubName,
  jwtSubRequired,
  jwtRequiredMissing,
  jwtRequiredValidated,
  jwtUnrequiredIgnored,
  jwtRolesArray,
  jwtRolesString,
  jwtRolesEquivalent,
  jwtRolesAbsent,
  jwtRolesClaimName,
  jwtRolesClaimPath,
} from '../tokens/jwt-claims.js';
import {
  jwtAccepts,
  jwtAuthenticated,
  jwtAlgRequired,
  jwtAlgNone,
  jwtSignature,
  jwtPayloadBound,
  jwtAlgBound,
  jwtKidSelects,
  jwtKidUnknown,
  jwtDefaultKey,
  jwtKeyForms,
  jwtKeyNameEquals,
} from '../tokens/jwt-signatures.js';
import {
  proxyUserctx,
  proxyAuthenticated,
  proxySecretRecommended,
  proxyTokenAccepted,
  proxyTokenRequired,
  proxyTokenAlgorithms,
} from '../tokens/proxy.js';
import { totpLogin, totpTokenRequired, totpCookie } from '../tokens/totp.js';

export const ruleHomes: { readonly [Id in RuleId]: RuleHome<Id> } = {
  'root-greeting': rootGreeting,
  'root-vendor': rootVendor,
  'error-shape': errorShape,
  'response-schema': responseSchema,
  'error-selector-missing': errorSelectorMissing,
  'error-selector-not-object': errorSelectorNotObject,
  'error-selector-invalid': errorSelectorInvalid,
  'session-shape': sessionShape,
  'session-info-db': sessionInfoDb,
  'session-handlers-order': sessionHandlersOrder,
  'session-authenticated-by': sessionAuthenticatedBy,
  'login-result': loginResult,
  'login-cookie': loginCookie,
  'login-rejects': loginRejects,
  'cookie-authenticates': cookieAuthenticates,
  'cookie-tampered': cookieTampered,
  'basic-accepts': basicAccepts,
  'basic-rejects': basicRejects,
  'basic-set-cookie': basicSetCookie,
  'basic-cookie-usable': basicCookieUsable,
  'users-create': usersCreate,
  'users-stored': usersStored,
  'users-admin-only': usersAdminOnly,
  'users-id-form': usersIdForm,
  'proxy-userctx': proxyUserctx,
  'proxy-authenticated': proxyAuthenticated,
  'proxy-handler-required': proxyHandlerRequired,
  'proxy-secret-recommended': proxySecretRecommended,
  'proxy-token-accepted': proxyTokenAccepted,
  'proxy-token-required': proxyTokenRequired,
  'proxy-token-algorithms': proxyTokenAlgorithms,
  'jwt-accepts': jwtAccepts,
  'jwt-authenticated': jwtAuthenticated,
  'jwt-handler-required': jwtHandlerRequired,
  'jwt-sub-name': jwtSubName,
  'jwt-sub-required': jwtSubRequired,
  'jwt-alg-required': jwtAlgRequired,
  'jwt-alg-none': jwtAlgNone,
  'jwt-signature': jwtSignature,
  'jwt-payload-bound': jwtPayloadBound,
  'jwt-alg-bound': jwtAlgBound,
  'jwt-kid-selects': jwtKidSelects,
  'jwt-kid-unknown': jwtKidUnknown,
  'jwt-default-key': jwtDefaultKey,
  'jwt-required-missing': jwtRequiredMissing,
  'jwt-required-validated': jwtRequiredValidated,
  'jwt-unrequired-ignored': jwtUnrequiredIgnored,
  'jwt-roles-array': jwtRolesArray,
  'jwt-roles-string': jwtRolesString,
  'jwt-roles-equivalent': jwtRolesEquivalent,
  'jwt-roles-absent': jwtRolesAbsent,
  'jwt-roles-claim-name': jwtRolesClaimName,
  'jwt-roles-claim-path': jwtRolesClaimPath,
  'jwt-key-forms': jwtKeyForms,
  'jwt-key-name-equals': jwtKeyNameEquals,
  'totp-login': totpLogin,
  'totp-token-required': totpTokenRequired,
  'totp-cookie': totpCookie,
  'feed-shape': feedShape,
  'feed-row-shape': feedRowShape,
  'feed-latest': feedLatest,
  'feed-complete': feedComplete,
  'feed-local-documents': feedLocalDocuments,
  'feed-nothing-extra': feedNothingExtra,
  'feed-one-row': feedOneRow,
  'feed-deleted': feedDeleted,
  'feed-deleted-winner': feedDeletedWinner,
  'feed-last-seq': feedLastSeq,
  'feed-pending': feedPending,
  'feed-since-excludes': feedSinceExcludes,
  'feed-since-resume': feedSinceResume,
  'feed-since-default': feedSinceDefault,
  'feed-since-now': feedSinceNow,
  'feed-last-event-id': feedLastEventId,
  'feed-seq-any-json': feedSeqAnyJson,
  'feed-limit': feedLimit,
  'feed-paging': feedPaging,
  'feed-descending': feedDescending,
  'feed-include-docs': feedIncludeDocs,
  'feed-conflicts': feedConflicts,
  'feed-style-main': feedStyleMain,
  'feed-style-all': feedStyleAll,
  'feed-attachments': feedAttachments,
  'feed-att-encoding': feedAttEncoding,
  'feed-seq-interval': feedSeqInterval,
  'feed-defaults': feedDefaults,
  'feed-accept': feedAccept,
  'feed-post-same': feedPostSame,
  'feed-partial-order': feedPartialOrder,
  'feed-present-state': feedPresentState,
  'feed-idempotent': feedIdempotent,
  'normal-immediate': normalImmediate,
  'longpoll-waits': longpollWaits,
  'longpoll-delivers': longpollDelivers,
  'longpoll-behind': longpollBehind,
  'longpoll-timeout': longpollTimeout,
  'continuous-lines': continuousLines,
  'continuous-crlf': continuousCrlf,
  'continuous-behind': continuousBehind,
  'continuous-live': continuousLive,
  'continuous-limit': continuousLimit,
  'continuous-timeout': continuousTimeout,
  'heartbeat-lines': heartbeatLines,
  'heartbeat-overrides': heartbeatOverrides,
  'heartbeat-true': heartbeatTrue,
  'timeout-default': timeoutDefault,
  'timeout-maximum': timeoutMaximum,
  'eventsource-stream': eventsourceStream,
  'eventsource-live': eventsourceLive,
  'eventsource-heartbeat': eventsourceHeartbeat,
  'eventsource-last-event-id': eventsourceLastEventId,
  'eventsource-limit-timeout': eventsourceLimitTimeout,
  'feed-parameters-in-every-mode': feedParametersInEveryMode,
  'feed-live-converges': feedLiveConverges,
  'filter-doc-ids': filterDocIds,
  'filter-selector': filterSelector,
  'filter-design': filterDesign,
  'filter-view': filterView,
  'filter-function': filterFunction,
  'filter-all-docs-skip': filterAllDocsSkip,
  'filter-all-docs-revs': filterAllDocsRevs,
  'filter-all-docs-doc': filterAllDocsDoc,
  'filter-in-every-mode': filterInEveryMode,
  'cluster-jwt-keys': clusterJwtKeys,
  'cluster-seq-portable': clusterSeqPortable,
  'cluster-converges': clusterConverges,
};
