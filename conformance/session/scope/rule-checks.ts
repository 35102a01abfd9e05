/** What a check of a rule is. `defineRule()` creates them. For properties see `engine/property.ts`. */
import { type Capability, type Rule, type RuleId, rules } from '../../../openapi/generated/rules.js';
import type { CheckOf, ScopeContext } from '../../engine/check.js';
import type { CheckDescription } from '../../engine/environment.js';
import type { Traffic } from '../../http/schema-check.js';
import type { RungName } from './rungs.js';
import type { CheckTarget, ConfiguredTarget } from './check-target.js';
import type { RequestParameters } from '../probe/service-version.js';
import type { SettingValues } from '../settings/settings.js';
import type { TestItems } from './test-data.js';

/** Verifies one rule: resolves if it holds and throws a verdict (see `engine/outcomes.ts`) otherwise. */
export type Run = Check['run'];

/** A check of one rule, as `defineRule()` creates it. */
export interface Check extends CheckOf<CheckContext> {
  /** The rule of the catalogue (openapi/rules) that the check verifies. */
  readonly rule: RuleId;
  /** Where it stands in the order in which one would build a server. */
  readonly rung?: RungName;
  /** The check is skipped on a target without these capabilities. The runner adds the needs of the rule. */
  readonly needs: readonly Capability[];
  /** Capabilities that generated cases use if the target has them. */
  readonly optional: readonly Capability[];
  /**
   * What the check always sends. It is skipped on a target that declares a version without it, and blocked on one that
   * lacks it.
   */
  readonly uses: RequestParameters;
  /**
   * Settings that the check requires, by `section/key`; `null` requires that there is no value. With `--configure` the
   * runner changes them for all checks that require the same settings. Without it, the check is skipped if the target
   * has other settings.
   */
  readonly settings: SettingValues | ((target: ConfiguredTarget) => SettingValues);
}

/** What a check may use. */
export interface CheckContext extends TestItems, ScopeContext<CheckContext> {
  readonly target: CheckTarget;
  /** Problems found in the exchanges of the run so far, for checks that run last. */
  readonly traffic: Traffic;
}

/** A check without its id. One that needs nothing is its {@link Run} alone. */
export type CheckDefinition = Run | (Pick<Check, 'run'> & Partial<Omit<Check, 'id' | 'rule'>>);

/** The rule of a check with this id. */
export const ruleIdOf = (check: string): RuleId => check.split('/', 1)[0] as RuleId;

/**
 * @param definitions checks by their ids: the id of a rule, or `<rule>/<variant>` for one of several checks of a rule
 * @param used what those send that do not say so
 */
export const checksOf = (
  definitions: { readonly [id in RuleId | `${RuleId}/${string}`]?: CheckDefinition },
  used: RequestParameters = {},
): readonly Check[] =>
  Object.entries(definitions).map(([id, definition]) => {
    const given = typeof definition === 'function' ? { run: definition } : definition!;
    const { needs = [], optional = [], uses = used, settings = {}, run } = given;
    const { runsLast = false, waits = false, isLong = false } = given;
    return { id, rule: ruleIdOf(id), needs, optional, uses, settings, run, runsLast, waits, isLong };
  });

/** What a result says of its rule. */
export const describeRule = ({ id, area, level, statement, source }: Rule): CheckDescription => ({
  rule: id,
  area,
  level,
  statement,
  source: [...source],
});

const ruleById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** The entry of the catalogue that a check verifies. */
export function ruleOf({ rule: id }: Pick<Check, 'rule'>): Rule {
  const rule = ruleById.get(id);
  if (!rule) throw new Error(`The rule ${id} is not in the catalogue.`);
  return rule;
}
