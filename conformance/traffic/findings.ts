/** Collects what the judges find, and turns it into the results of a report. */
import { type Rule, type RuleId, rules } from '../../openapi/generated/rules.js';
import type { CheckResult, Counterexample, Report } from '../../reports/report.js';
import { describe } from '../engine/check-outcome.js';
import { limitSize, redactDeep } from '../engine/json-data.js';
import { symptomsOf } from '../http/symptoms.js';
import { explainTerms } from '../oracle/glossary.js';
import { describeRule } from '../session/scope/rule-checks.js';
import { versionProblem } from '../session/probe/service-version.js';
import type { Violation } from '../engine/outcomes.js';
import type { JudgedPart } from '../rule-home.js';
import { ruleHomes } from '../rules/generated/rule-homes.js';
import { stripDocuments } from './record.js';

/** A violation in a response that has passed, as the result of its rule. */
export type FoundViolation = CheckResult & { readonly counterexample: Counterexample };

/** What is found of one rule. */
export interface RuleVerdict {
  readonly violations: readonly FoundViolation[];
  /** The result of the rule if it has no violation. */
  readonly otherwise: CheckResult;
}

type Capability = Report['target']['capabilities'][number];

export interface Evidence extends Pick<Counterexample, 'exchanges' | 'violating' | 'feed'> {
  /** Removes the credentials of these exchanges. */
  readonly redact: (text: string) => string;
}

/** Of one rule. A baseline may explain the first ones. */
const maxViolations = 20;

interface FindingsOptions {
  readonly version?: string | undefined;
  readonly bodies: boolean;
  readonly toShowMore: string;
}

/** What shows what traffic does not. */
export const runSuite = 'run `docfeed check` against such a server that a suite may write to';

export class Findings {
  readonly #ofRule = new Map(
    rules.map((rule) => [
      rule.id,
      { rule, cases: 0, exchanges: 0, seen: new WeakSet<object>(), found: new Map<string, FoundViolation>() },
    ]),
  );
  readonly #options: FindingsOptions;
  readonly #onFinding: (found: FoundViolation) => void;

  constructor(options: FindingsOptions, onFinding: (found: FoundViolation) => void) {
    this.#options = options;
    this.#onFinding = onFinding;
  }

  /** The rule applied to something that passed in the exchange. */
  count(rule: RuleId, exchange: object): void {
    const judged = this.#ofRule.get(rule)!;
    judged.cases += 1;
    if (judged.seen.has(exchange)) return;
    judged.seen.add(exchange);
    judged.exchanges += 1;
  }

  /** The same violation at another place, such as another row, counts once. */
  add(id: RuleId, violation: Violation, exchange: object, evidence: () => Evidence): void {
    this.count(id, exchange);
    const { rule, found } = this.#ofRule.get(id)!;
    const path = violation.difference.path?.replace(/\[\d+\]|\d+/g, '*');
    const key = `${violation.message.replace(/\d+/g, '*')} ${path}`;
    if (found.has(key) || found.size >= maxViolations) return;
    const { redact, ...recorded } = evidence();
    const counterexample: Counterexample = {
      message: redact(violation.message),
      ...redactDeep(redact, this.#difference(violation)),
      ...recorded,
    };
    const result: FoundViolation = {
      ...resultOf(rule),
      outcome: rule.level === 'MUST' ? 'fail' : 'warn',
      reason: describe(counterexample),
      cases: 1,
      counterexample: {
        ...counterexample,
        symptoms: symptomsOf(counterexample, rule),
        terms: explainTerms([counterexample.message, rule.statement].join('\n')),
      },
    };
    found.set(key, result);
    this.#onFinding(result);
  }

  /** A verdict on each rule. */
  verdicts(capabilities: Report['target']['capabilities']): RuleVerdict[] {
    return [...this.#ofRule.values()].map(({ rule, cases, exchanges, found }) => {
      const { part, needs } = ruleHomes[rule.id].inTraffic ?? {};
      const lacking = capabilities.find(({ name, available }) => name === needs && !available);
      const extent = { cases, traffic: { exchanges, ...(cases > 0 && part) } };
      return {
        violations: [...found.values()].map((violation) => ({ ...violation, ...extent })),
        otherwise:
          cases > 0
            ? {
                ...resultOf(rule),
                outcome: 'pass',
                ...extent,
                ...(part && { reason: describePart(part, lacking) }),
              }
            : { ...resultOf(rule), outcome: 'skipped', ...extent, ...this.#whyNotJudged(rule, lacking) },
      };
    });
  }

  #whyNotJudged(
    { id, since }: Rule,
    lacking?: Capability,
  ): Pick<CheckResult, 'reason' | 'remedy' | 'missing'> {
    const { notInTraffic } = ruleHomes[id];
    const reason = versionProblem('The rule', since, this.#options.version);
    if (reason !== undefined) return { reason };
    if (lacking)
      return { reason: `A passer-by judges it only if it knows ${lacking.name}.`, missing: lacking.name };
    return notInTraffic === undefined
      ? { reason: 'Nothing that passed shows it.', remedy: this.#options.toShowMore }
      : {
          reason: `A passer-by cannot judge it. ${notInTraffic}`,
          remedy: runSuite,
        };
  }

  /** Without the content of documents, unless the user wants them. */
  #difference({ difference }: Violation): Violation['difference'] {
    if (this.#options.bodies) return difference;
    const { path = '' } = difference;
    const mayBeContent = /\.doc\b/.test(path) || /^(\$|a line|the data of an event)$/.test(path);
    const shown = (value: unknown): unknown => {
      if (mayBeContent && typeof value === 'string') return `a text of ${value.length} characters`;
      if (/\.doc\b/.test(path)) return value === null ? null : typeof value;
      return stripDocuments(limitSize(value));
    };
    const { actual, ...others } = difference;
    return actual === undefined ? difference : { ...others, actual: shown(actual) };
  }
}

const describePart = ({ judged, rest }: JudgedPart, lacking?: Capability): string =>
  [
    `Only in part: ${judged} The rest is not judged. ${rest}`,
    ...(lacking ? [`To have more of it judged, ${lacking.remedy}.`] : []),
  ].join(' ');

const resultOf = (rule: Rule): Omit<CheckResult, 'outcome'> => ({
  id: rule.id,
  ...describeRule(rule),
  durationMs: 0,
  cases: 0,
  requests: 0,
});
