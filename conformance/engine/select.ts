/** Selects the checks of a run by globs, profile and shard. */
import picomatch from 'picomatch';
import type { CheckOf, Profile } from './check.js';
import { Refusal } from './refusal.js';
import { suggestion } from '../../reports/suggestion.js';

export interface Selection {
  /** Globs over ids of checks and rules. A check is selected if one matches. Default: all checks. */
  only?: readonly string[];
  /** Globs over ids of checks and rules. A check is not selected if one matches. */
  skip?: readonly string[];
  /** Exact ids of checks. No other check is selected. Default: all checks. */
  ids?: readonly string[];
  /** `smoke` selects one check of each rule, unless `only` or `ids` is given. */
  profile?: Profile;
  /** Selects one of `count` equal parts of the selection. `index` starts at 1. */
  shard?: { index: number; count: number };
}

type Selectable = Pick<CheckOf<never>, 'id' | 'rule' | 'runsLast'>;

/**
 * Globs match the id of a check or of its rule: `*-shape`, `root-vendor`, `basic-rejects/*`. Checks that evaluate all
 * traffic are in every shard, since each shard has its own traffic.
 *
 * @throws Refusal if a glob matches no check, so that a typo does not lead to a green run.
 */
export function select<Check extends Selectable>(
  checks: readonly Check[],
  { only = [], skip = [], ids, profile, shard }: Selection,
): Check[] {
  const included = only.map((glob) => matcher('--only', glob, checks));
  const excluded = skip.map((glob) => matcher('--skip', glob, checks));
  const matching = checks.filter(
    (check) =>
      (ids?.includes(check.id) ?? true) &&
      (included.length === 0 || included.some((matches) => matches(check))) &&
      !excluded.some((matches) => matches(check)),
  );
  const isOneOfEachRule = profile === 'smoke' && included.length === 0 && ids === undefined;
  const selected = isOneOfEachRule ? firstOfEachRule(matching) : matching;
  if (!shard) return selected;
  const divisible = selected.filter((check) => !check.runsLast);
  const inShard = new Set(divisible.filter((_, position) => position % shard.count === shard.index - 1));
  return selected.filter((check) => check.runsLast || inShard.has(check));
}

/** Keeps all checks that evaluate the traffic of others, since they send few requests. */
function firstOfEachRule<Check extends Selectable>(checks: readonly Check[]): Check[] {
  const rules = new Set<string>();
  return checks.filter(({ rule, runsLast }) => {
    const isFirst = !rules.has(rule);
    rules.add(rule);
    return isFirst || runsLast;
  });
}

function matcher(
  option: string,
  glob: string,
  checks: readonly Selectable[],
): (check: Selectable) => boolean {
  const matches = picomatch(glob, { dot: true });
  const matchesCheck = (check: Selectable): boolean => matches(check.id) || matches(check.rule);
  if (!checks.some(matchesCheck)) {
    throw new Refusal('usage', `${option} ${glob} matches no check${suggestion(glob, commonGlobs(checks))}`);
  }
  return matchesCheck;
}

/** Checks, rules and topics such as `root-*`. */
function commonGlobs(checks: readonly Selectable[]): string[] {
  return [...new Set(checks.flatMap(({ id, rule }) => [id, rule, rule.replace(/-.*/, '-*')]))];
}
