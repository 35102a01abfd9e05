/** The definition of rules: {@link defineRule} creates them. */
import type { RuleId } from '../openapi/generated/rules.js';
import type { ArrivalJudge, FeedJudge, ResponseJudge } from './passing/judges.js';
import { type Check, type CheckDefinition, checksOf } from './session/scope/rule-checks.js';
import type { RungName } from './session/scope/rungs.js';
import type { RequestParameters } from './session/probe/service-version.js';

/**
 * How a passer-by judges a rule. It knows neither the settings of the target nor what others write, and a request may be
 * anything. So each judgement needs a sign that the rule applies.
 */
export interface InTraffic {
  /** Judges whole responses, after they have passed. */
  readonly response?: ResponseJudge;
  /** Judges what arrives in a feed. */
  readonly feed?: ArrivalJudge;
  /** Judges a feed that the target has certainly ended. */
  readonly feedEnd?: FeedJudge;
  /**
   * If none does: judged in `traffic/` by more than one response, that is by periods of silence or by writes that have
   * passed; or by the judges of rules of normal mode, in the other modes.
   */
  readonly how?: 'by periods' | 'by writes' | 'in other modes';
  /** Absent if the whole rule is judged. */
  readonly part?: JudgedPart;
  /** What the user can say of the target so that more of the rule is judged. */
  readonly needs?: TrafficCapability;
}

/** What the judges of a rule decide of it. */
export interface JudgedPart {
  /** What holds if none of them finds anything: one sentence. */
  readonly judged: string;
  /** Why a passer-by cannot judge the rest: one sentence. */
  readonly rest: string;
}

/** What a passer-by knows of a target only if the user or the target says so. */
export type TrafficCapability = 'single-copy' | 'jwt-required-claims';

/** Everything of a rule but its statement, which is in the catalogue, and its faults. */
export interface RuleHome<Id extends RuleId> {
  readonly id: Id;
  readonly checks: readonly Check[];
  readonly inTraffic?: InTraffic;
  /** Why a passer-by cannot judge the rule, if it cannot: one sentence. */
  readonly notInTraffic?: string;
}

/** By their ids: the id of the rule, or `<rule>/<variant>` for one of several checks of it. */
type ChecksOfRule<Id extends RuleId> = { readonly [id in Id | `${Id}/${string}`]?: CheckDefinition };

type RuleDefinition<Checks> = {
  /** Where its checks stand in the order in which one would build a server. */
  readonly rung: RungName;
  /** The checks that stand on another rung, since they need more or less than the others. */
  readonly otherRungs?: { readonly [id in keyof Checks]?: RungName };
  /** What each of its checks sends that does not say so itself. */
  readonly uses?: RequestParameters;
  readonly checks: Checks;
} & (
  | { readonly inTraffic: InTraffic; readonly notInTraffic?: never }
  | { readonly notInTraffic: string; readonly inTraffic?: never }
);

/** The one place of a rule of the catalogue. Whatever lists rules or checks has it from here, through a generated index. */
export function defineRule<Id extends RuleId, Checks extends ChecksOfRule<Id>>(
  id: Id,
  { rung, otherRungs, uses, inTraffic, notInTraffic, checks }: RuleDefinition<Checks>,
): RuleHome<Id> {
  const rungs: Readonly<Record<string, RungName | undefined>> = { ...otherRungs };
  return {
    id,
    checks: checksOf(checks, uses).map((check) => ({ ...check, rung: rungs[check.id] ?? rung })),
    ...(inTraffic !== undefined && { inTraffic }),
    ...(notInTraffic !== undefined && { notInTraffic }),
  };
}
