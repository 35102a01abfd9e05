/** Properties: {@link forAll} turns a statement about generated inputs into the `run` of a check. */
import fc from 'fast-check';
import { CasesAhead } from './cases-ahead.js';
import type { KnownDeviation, Profile, PropertySettings, ScopeContext } from './check.js';
import { type Thrown, tryCase } from './property-case.js';
import { isUncounted, mostCases, Search } from './property-search.js';
import { Finding } from './finding.js';
import { defaultCases } from './run-options.js';
import { Strata } from './stratified.js';

export interface PropertyOptions {
  /** The number of cases by profile. */
  cases?: Readonly<Partial<Record<Profile, number>>>;
  /** One case in any profile: the input is always the same, and is generated only to be shrunk. */
  once?: boolean;
}

/**
 * A check with generated inputs. Each case runs in its own scope. Cases can share databases with other checks (see
 * `play/shared.ts`). A violation in a shared database is confirmed in a new one. Then the violation is shrunk to the
 * smallest input that still breaks the rule, except one that the baseline or an obstacle explains; smaller cases and
 * replays share nothing. A case that uses something that came after the version of the target, or that judges nothing,
 * does not count. Any other verdict of a case ends the property with that verdict.
 *
 * Cases come one after the other, unless {@link PropertySettings.beside} lets some run ahead.
 */
export function forAll<T, Context extends ScopeContext<Context>>(
  arbitrary: fc.Arbitrary<T> | ((context: Context) => fc.Arbitrary<T>),
  holds: (context: Context, value: T) => Promise<void>,
  options: PropertyOptions = {},
): (context: Context) => Promise<void> {
  return async (context) => {
    const {
      seed,
      profile,
      shrinkTime,
      adapt,
      path,
      knownDeviation = () => undefined,
      obstacle = () => undefined,
      reduceAfter = Infinity,
      beside,
    } = context.property;
    const isReplay = path !== undefined;
    const cases = options.once
      ? 1
      : (context.property.cases ?? options.cases?.[profile] ?? defaultCases[profile]);
    const explain = (finding: Finding, input: unknown): KnownDeviation | undefined =>
      knownDeviation(finding.violation, input) ?? obstacle(finding);
    const plan = { cases, reduceAfter, shrinkTime, isReplay, explain };
    const search = new Search(plan);
    const discard = (isEnd: boolean): never => {
      throw new fc.PreconditionFailure(isEnd);
    };

    const generated = adapt(arbitrary instanceof fc.Arbitrary ? arbitrary : arbitrary(context));
    const plugins = [new Strata(seed, cases).plugin<[T]>()];
    const run = (value: T, isAlone: boolean): Promise<Thrown | undefined> =>
      tryCase(context, (inner) => holds(inner, value), {
        isAlone,
        confirms: (finding) => !explain(finding, value),
      });
    const caseAt = (index: number): T => {
      let found: T | undefined;
      const takes = fc.property(generated, (value) => void (found = value));
      fc.check(takes, { seed, path: String(index), numRuns: 1, plugins });
      return found as T;
    };
    const ahead = new CasesAhead(isReplay ? 0 : cases, (index) => run(caseAt(index), false), beside);
    let index = 0;
    const property = fc.asyncProperty(generated, async (value) => {
      const step = search.next();
      if (step === 'reduce') context.reportReducedCases(cases);
      if (step !== 'run') discard(true);
      const isAlone = isReplay || search.isShrinking;
      const thrown = await ((isAlone ? undefined : ahead.take(index)) ?? run(value, isAlone));
      index += 1;
      const effect = search.take(value, thrown);
      if (effect === 'discard') discard(false);
      if (!isUncounted(thrown?.reason)) context.countCase();
      if (effect === 'end') discard(true);
      if (effect instanceof Finding) throw effect;
    });
    const details = await fc
      .check(property, { seed, path, numRuns: mostCases(plan), endOnFailure: isReplay, plugins })
      .finally(() => ahead.end());
    const cause = details.errorInstance;
    // fast-check also reports a failure, without a cause, if the first case has already ended the property.
    if (!details.failed || !(cause instanceof Error)) return search.conclude(seed);
    if (!(cause instanceof Finding) || !details.counterexample) throw cause;
    throw cause.with({
      found: {
        input: details.counterexample[0],
        seed,
        path: details.counterexamplePath ?? '',
        cases,
        ...(isReplay ? {} : { isShrunk: !search.isCut }),
      },
    });
  };
}

/** All variants; in the profile `smoke` only one, which the seed selects. */
export function variantsFor<T>(
  { property: { profile, seed } }: { property: Pick<PropertySettings, 'profile' | 'seed'> },
  all: readonly T[],
): readonly T[] {
  const chosen = Math.abs(seed) % all.length;
  return profile === 'smoke' ? all.slice(chosen, chosen + 1) : all;
}
