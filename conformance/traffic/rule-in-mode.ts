import type { RuleId } from '../../openapi/generated/rules.js';
import type { FeedMode } from '../oracle/allowed-rows.js';

/** Rules of normal mode that speak of longpoll mode as well. */
const inLongpoll = /^feed-(shape|row-shape|last-seq|pending)$/;

/** The rule that a judgement is about in this mode. */
export function ruleIn(mode: FeedMode, rule: RuleId): RuleId {
  if (mode === 'normal' || !/^(feed|filter)-/.test(rule)) return rule;
  if (mode === 'longpoll' && inLongpoll.test(rule)) return rule;
  if (rule === 'feed-limit' && mode === 'continuous') return 'continuous-limit';
  if (rule === 'feed-limit' && mode === 'eventsource') return 'eventsource-limit-timeout';
  return rule.startsWith('filter-') ? 'filter-in-every-mode' : 'feed-parameters-in-every-mode';
}
