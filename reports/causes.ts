/** Groups results that probably have one cause: those that share an obstacle or a symptom, as the suite recorded it. */
import { groupBy } from './group.js';
import { mostUrgentFirst } from './outcomes.js';
import type { CheckResult, Symptoms } from './report.js';

export interface Cause {
  /** The check that shows the cause most directly. */
  readonly lead: CheckResult;
  /** The other checks that probably fail for the same cause. */
  readonly others: readonly CheckResult[];
  /** What all the checks have in common, if one phrase says it. */
  readonly shared?: string;
}

interface Violation {
  readonly check: CheckResult;
  readonly symptoms: Symptoms;
}

/**
 * @returns the causes of the outcomes `fail` and `warn`, and what the target lacks, which blocks checks. The cause of most
 * violations comes first; but if the target lacks something, the causes are in the order in which one would build a server.
 */
export function findCauses(checks: readonly CheckResult[]): Cause[] {
  const withObstacle = checks.filter(
    ({ outcome, obstacle }) => obstacle !== undefined && ['fail', 'warn', 'blocked'].includes(outcome),
  );
  const obstacles = groupBy(withObstacle, ({ obstacle }) => obstacle!).map(([shared, members]): Cause => {
    const [lead, ...others] = mostUrgentFirst(members.toSorted((a, b) => rungOf(a) - rungOf(b)));
    return { lead: lead!, others, shared };
  });
  const violations = checks.flatMap((check): Violation[] => {
    const { outcome, rule, counterexample } = check;
    if ((outcome !== 'fail' && outcome !== 'warn') || withObstacle.includes(check)) return [];
    const unknown = { mediaTypes: [], differences: [`the rule \`${rule}\``] };
    return [{ check, symptoms: counterexample?.symptoms ?? unknown }];
  });
  const { groups, rest } = groupByResponse(violations);
  const others = [...groups, ...groupByDifference(rest)].map(({ shared, members }): Cause => {
    const [lead, ...others] = mostDirectFirst(members).map(({ check }) => check);
    return { lead: lead!, others, ...(others.length === 0 || shared === undefined ? {} : { shared }) };
  });
  const isInTheMaking = obstacles.length > 0;
  return [...obstacles, ...others].sort(
    (a, b) =>
      (isInTheMaking ? firstRungOf(a) - firstRungOf(b) : urgencyOf(a) - urgencyOf(b)) ||
      b.others.length - a.others.length ||
      checks.indexOf(a.lead) - checks.indexOf(b.lead),
  );
}

const urgencyOf = ({ lead, others }: Cause): number =>
  [lead, ...others].some(({ outcome }) => outcome === 'fail') ? 0 : 1;

const rungOf = ({ rung = Number.MAX_VALUE }: CheckResult): number => rung;

/** The rung of what fails, or the first one that is blocked. */
const firstRungOf = ({ lead, others }: Cause): number =>
  Math.min(...[lead, ...others].filter(({ outcome }) => outcome === lead.outcome).map(rungOf));

interface Group {
  readonly shared: string | undefined;
  readonly members: readonly Violation[];
}

/**
 * A response with an unexpected status or media type says more than what else is wrong with it, so it also explains
 * violations of other rules.
 */
function groupByResponse(violations: readonly Violation[]): { groups: Group[]; rest: Violation[] } {
  const refused = violations.filter(({ symptoms }) => symptoms.refusal !== undefined);
  const groups: Group[] = groupBy(refused, ({ symptoms }) => symptoms.refusal!).map(([shared, members]) => ({
    shared,
    members,
  }));
  let rest = violations.filter((violation) => !refused.includes(violation));
  for (const finding of violations) {
    const wanted = finding.symptoms.mediaType;
    if (wanted === undefined || !rest.includes(finding)) continue;
    const explains = ({ symptoms }: Violation): boolean => symptoms.mediaTypes.includes(wanted);
    groups.push({ shared: wanted, members: rest.filter(explains) });
    rest = rest.filter((violation) => !explains(violation));
  }
  return { groups, rest };
}

/** Violations are related if one of these texts is equal. */
function groupByDifference(violations: readonly Violation[]): Group[] {
  const groups: { keys: Set<string>; members: Violation[] }[] = [];
  for (const violation of violations) {
    const keys = violation.symptoms.differences;
    const related = groups.filter((group) => keys.some((key) => group.keys.has(key)));
    const merged = {
      keys: new Set([...related.flatMap((group) => [...group.keys]), ...keys]),
      members: [...related.flatMap(({ members }) => members), violation],
    };
    groups.splice(0, groups.length, ...groups.filter((group) => !related.includes(group)), merged);
  }
  return groups.map(({ members }) => ({ shared: sharedDifference(members), members }));
}

/** The most specific phrase that violations have in common is the last one. */
function sharedDifference(members: readonly Violation[]): string | undefined {
  const [first, ...others] = members.map(({ symptoms }) => symptoms.differences);
  return first!.findLast((key) => others.every((keys) => keys.includes(key)));
}

/** The evidence with the fewest exchanges needs the least explanation. The main check of a rule has no variant. */
function mostDirectFirst(members: readonly Violation[]): Violation[] {
  const distance = (violation: Violation): number =>
    violation.symptoms.mediaType === undefined
      ? violation.check.counterexample?.exchanges.length || Infinity
      : 0;
  const variants = ({ check }: Violation): number => check.id.split('/').length;
  return members.toSorted((a, b) => distance(a) - distance(b) || variants(a) - variants(b));
}
