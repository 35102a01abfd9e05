/** Rules that a passer-by cannot decide, and why. The compiler sees to it that each rule is either judged or here. */
import type { RuleId } from '../../openapi/generated/rules.js';
import type { periodRules } from './period-judge.js';
import type { feedJudges, inEveryMode, responseJudges } from './judges.js';

const settings = 'It depends on settings of the target, which do not pass by.';
const otherWriters = 'It depends on all writes to the database, and others may write past the proxy.';
const twoRequests = 'It compares two requests at a time without writes, which a passer-by cannot know.';
const passwords = 'Only who knows the right password can tell whether one is wrong.';
const keys = 'Only who knows the keys of the target can verify a signature.';
const rolesClaim = 'The claim with the roles is a setting of the target, which does not pass by.';
const code = 'It depends on what a function of a design document returns.';
const nodes = 'The proxy has one target, not several nodes.';
const earlyEnd = 'A feed may end early: the maximum of its timeout is a setting, and a server may stop.';
const arrival = 'When a change must arrive depends on the load of the target.';

type Judged =
  | keyof typeof responseJudges
  | keyof typeof feedJudges
  | (typeof periodRules)[number]
  | (typeof inEveryMode)[number]
  // Judged by what is known of writes: see `TrafficJudge`.
  | 'feed-complete'
  | 'feed-since-resume'
  | 'longpoll-behind';

export const notJudged: Readonly<Record<Exclude<RuleId, Judged>, string>> = {
  'error-selector-invalid': 'Servers may have operators of their own.',
  'session-handlers-order': settings,
  'login-rejects': passwords,
  'cookie-tampered': 'Only who has changed a cookie knows that it was changed.',
  'basic-cookie-usable': 'A cookie may end at any time, so one that does not authenticate proves nothing.',
  'users-create': 'Only a login right after the creation shows it.',
  'users-stored': otherWriters,
  'users-admin-only': 'Who is an administrator is a setting of the target.',
  'proxy-secret-recommended': settings,
  'proxy-token-accepted': settings,
  'proxy-token-required': settings,
  'proxy-token-algorithms': settings,
  'jwt-accepts': keys,
  'jwt-signature': keys,
  'jwt-payload-bound': keys,
  'jwt-alg-bound': keys,
  'jwt-kid-selects': keys,
  'jwt-kid-unknown': keys,
  'jwt-default-key': keys,
  'jwt-unrequired-ignored': settings,
  'jwt-roles-array': rolesClaim,
  'jwt-roles-string': rolesClaim,
  'jwt-roles-equivalent': rolesClaim,
  'jwt-roles-absent': rolesClaim,
  'jwt-roles-claim-name': settings,
  'jwt-roles-claim-path': settings,
  'jwt-key-forms': settings,
  'jwt-key-name-equals': settings,
  'totp-login': passwords,
  'totp-token-required': passwords,
  'totp-cookie': passwords,
  'feed-latest': otherWriters,
  'feed-nothing-extra': otherWriters,
  'feed-deleted-winner': otherWriters,
  'feed-since-excludes': otherWriters,
  'feed-local-documents': otherWriters,
  'feed-last-event-id': otherWriters,
  'feed-present-state': otherWriters,
  'feed-since-default': twoRequests,
  'feed-since-now': otherWriters,
  'feed-seq-any-json': 'A database may be deleted and created again past the proxy, which ends its seqs.',
  'feed-paging': otherWriters,
  'feed-descending': otherWriters,
  'feed-att-encoding': 'The server chooses which attachments to compress.',
  'feed-defaults': twoRequests,
  'feed-accept': twoRequests,
  'feed-post-same': twoRequests,
  'feed-partial-order': twoRequests,
  'feed-idempotent': otherWriters,
  'normal-immediate': arrival,
  'longpoll-waits': earlyEnd,
  'longpoll-delivers': arrival,
  'continuous-behind': arrival,
  'continuous-live': arrival,
  'heartbeat-overrides': earlyEnd,
  'heartbeat-true': 'Its period is judged as that of any other heartbeat.',
  'timeout-default': settings,
  'timeout-maximum': settings,
  'eventsource-live': arrival,
  'feed-live-converges': otherWriters,
  'filter-view': code,
  'filter-function': code,
  'filter-all-docs-skip': otherWriters,
  'filter-all-docs-revs': otherWriters,
  'filter-all-docs-doc': otherWriters,
  'cluster-jwt-keys': nodes,
  'cluster-seq-portable': nodes,
  'cluster-converges': nodes,
};
