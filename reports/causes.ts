/**
 * Groups results that probably have one cause: those that share an obstacle or a symptom. It infers that from what the
 * suite has recorded, and needs no target, since a report may be read long after the run. What is no violation and has no
 * obstacle has a reason instead: see `reasons.ts`.
 */
import { groupBy } from './group.js';
import { mostUrgentFirst } from './outcomes.js';
import type { CheckResult, RecordedExchange, Symptoms } from './report.js';

export interface Cause {
  /** The check that shows the cause most directly. */
  readonly lead: CheckResult;
  /** The other checks that probably fail for the same cause. */
  readonly others: readonly CheckResult[];
  /** What all the checks have in common, if one phrase says it and they have no obstacle. */
  readonly shared?: string;
  /** The smallest exchange that shows the obstacle, if there is one. */
  readonly shownBy?: RecordedExchange;
}

const symptomsOf = ({ rule, counterexample }: CheckResult): Symptoms =>
  counterexample?.symptoms ?? { mediaTypes: [], differences: [`the rule \`${rule}\``] };

/**
 * @returns the causes of the outcomes `fail` and `warn`, and what the target lacks, which blocks checks. The cause of most
 * violations comes first; but if the target lacks something, the causes are in the order in which one would build a server.
 */
export function findCauses(checks: readonly CheckResult[]): Cause[] {
  const withObstacle = checks.filter(
    ({ outcome, obstacle }) => obstacle !== undefined && ['fail', 'warn', 'blocked'].includes(outcome),
  );
  const obstacles = groupBy(withObstacle, ({ obstacle }) => obstacle!).map(([, members]) => {
    const shownBy = smallestExchange(members);
    return {
      ...causeOf(mostUrgentFirst(members.toSorted((a, b) => rungOf(a) - rungOf(b)))),
      ...(shownBy && { shownBy }),
    };
  });
  const violations = checks.filter(
    (check) => (check.outcome === 'fail' || check.outcome === 'warn') && !withObstacle.includes(check),
  );
  const { groups, rest } = groupByResponse(violations);
  const others = [...groups, ...groupByDifference(rest)].map(([shared, members]) =>
    causeOf(mostDirectFirst(members), shared),
  );
  const isInTheMaking = obstacles.length > 0;
  return [...obstacles, ...others].sort(
    (a, b) =>
      (isInTheMaking ? firstRungOf(a) - firstRungOf(b) : urgencyOf(a) - urgencyOf(b)) ||
      b.others.length - a.others.length ||
      checks.indexOf(a.lead) - checks.indexOf(b.lead),
  );
}

const causeOf = ([lead, ...others]: readonly CheckResult[], shared?: string): Cause => ({
  lead: lead!,
  others,
  ...(others.length === 0 || shared === undefined ? {} : { shared }),
});

/** Checks that share an obstacle may have met it in requests of different size. */
function smallestExchange(members: readonly CheckResult[]): RecordedExchange | undefined {
  const sizeOf = ({ request: { path, body = '' } }: RecordedExchange): number => path.length + body.length;
  const [smallest] = members
    .flatMap(({ exchange }) => exchange ?? [])
    .toSorted((a, b) => sizeOf(a) - sizeOf(b));
  return smallest;
}

const urgencyOf = ({ lead, others }: Cause): number =>
  [lead, ...others].some(({ outcome }) => outcome === 'fail') ? 0 : 1;

const rungOf = ({ rung = Number.MAX_VALUE }: CheckResult): number => rung;

/** The rung of what fails, or the first one that is blocked. */
const firstRungOf = ({ lead, others }: Cause): number =>
  Math.min(...[lead, ...others].filter(({ outcome }) => outcome === lead.outcome).map(rungOf));

type Group = readonly [shared: string | undefined, members: readonly CheckResult[]];

/**
 * A response with an unexpected status or media type says more than what else is wrong with it, so it also explains
 * violations of other rules.
 */
function groupByResponse(violations: readonly CheckResult[]): { groups: Group[]; rest: CheckResult[] } {
  const refused = violations.filter((check) => symptomsOf(check).refusal !== undefined);
  const groups: Group[] = groupBy(refused, (check) => symptomsOf(check).refusal!);
  let rest = violations.filter((check) => !refused.includes(check));
  for (const check of violations) {
    const wanted = symptomsOf(check).mediaType;
    if (wanted === undefined || !rest.includes(check)) continue;
    const explains = (other: CheckResult): boolean => symptomsOf(other).mediaTypes.includes(wanted);
    groups.push([wanted, rest.filter(explains)]);
    rest = rest.filter((other) => !explains(other));
  }
  return { groups, rest };
}

/** Violations are related if one of these texts is equal. */
function groupByDifference(violations: readonly CheckResult[]): Group[] {
  let groups: CheckResult[][] = [];
  for (const check of violations) {
    const keys = symptomsOf(check).differences;
    const isRelated = (group: readonly CheckResult[]): boolean =>
      group.some((other) => symptomsOf(other).differences.some((key) => keys.includes(key)));
    const merged = [...groups.filter(isRelated).flat(), check];
    groups = [...groups.filter((group) => !isRelated(group)), merged];
  }
  return groups.map((members) => [sharedDifference(members), members]);
}

/** The most specific phrase that violations have in common is the last one. */
function sharedDifference(members: readonly CheckResult[]): string | undefined {
  const [first, ...others] = members.map((check) => symptomsOf(check).differences);
  return first!.findLast((key) => others.every((keys) => keys.includes(key)));
}

/** The evidence with the fewest exchanges needs the least explanation. The main check of a rule has no variant. */
function mostDirectFirst(members: readonly CheckResult[]): CheckResult[] {
  const distance = (check: CheckResult): number =>
    symptomsOf(check).mediaType === undefined ? check.counterexample?.exchanges.length || Infinity : 0;
  const variants = ({ id }: CheckResult): number => id.split('/').length;
  return members.toSorted((a, b) => distance(a) - distance(b) || variants(a) - variants(b));
}
