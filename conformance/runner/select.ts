/** Which checks a run is about, before anything is known of the target. */
import picomatch from 'picomatch';
import type { Check, Profile } from '../check.js';
import { Refusal } from '../verdict/refusal.js';
import { suggestion } from './suggestion.js';

export interface Selection {
  /** Globs over check ids; a check is in when one fits. Every check without any. */
  only?: readonly string[];
  /** Globs over check ids; a check is out when one fits. */
  skip?: readonly string[];
  /** With `smoke` one check of each rule, unless `only` asks for others. */
  profile?: Profile;
  /** One part of N equal parts of the selection, counted from 1. */
  shard?: { index: number; count: number };
}

/**
 * A glob fits a check when it fits its id or the id of its rule: `feed-*`, `cookie-tampered`, `basic-rejects/*`.
 * Checks that judge the traffic of a run are in every shard, since each shard has traffic of its own.
 *
 * @throws Refusal when a pattern fits no check, so that a slip of the pen does not make a green run.
 */
export function select(
  checks: readonly Check[],
  { only = [], skip = [], profile, shard }: Selection,
): Check[] {
  const wanted = only.map((pattern) => matcher('--only', pattern, checks));
  const unwanted = skip.map((pattern) => matcher('--skip', pattern, checks));
  const selected = checks.filter(
    (check) =>
      (wanted.length === 0 || wanted.some((fits) => fits(check))) && !unwanted.some((fits) => fits(check)),
  );
  const chosen = profile === 'smoke' && wanted.length === 0 ? firstOfEachRule(selected) : selected;
  if (!shard) return chosen;
  const dealt = chosen.filter((check) => !check.runsLast);
  const mine = new Set(dealt.filter((_, position) => position % shard.count === shard.index - 1));
  return chosen.filter((check) => check.runsLast || mine.has(check));
}

/** Of the checks that judge what others have exchanged all: they ask little. */
function firstOfEachRule(checks: readonly Check[]): Check[] {
  const rules = new Set<string>();
  return checks.filter(({ rule, runsLast: last }) => {
    const isFirst = !rules.has(rule);
    rules.add(rule);
    return isFirst || last;
  });
}

function matcher(option: string, pattern: string, checks: readonly Check[]): (check: Check) => boolean {
  const fits = picomatch(pattern, { dot: true });
  const fitsCheck = (check: Check): boolean => fits(check.id) || fits(check.rule);
  if (!checks.some(fitsCheck)) {
    const hint = suggestion(pattern, patternsFor(checks));
    throw new Refusal('usage', `${option} ${pattern} fits no check${hint}`);
  }
  return fitsCheck;
}

/** What people give: a check, a rule, or the rules of a topic. */
function patternsFor(checks: readonly Check[]): string[] {
  return [...new Set(checks.flatMap(({ id, rule }) => [id, rule, rule.replace(/-.*/, '-*')]))];
}
