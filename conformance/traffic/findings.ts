/** Collects what the judges find, and turns it into the results of a report. */
import { type Rule, type RuleId, rules } from '../../openapi/generated/rules.js';
import type { CheckResult, Counterexample } from '../../reports/report.js';
import { describe } from '../engine/check-outcome.js';
import { limitSize, redactDeep } from '../engine/json-data.js';
import { symptomsOf } from '../http/symptoms.js';
import { explainTerms } from '../oracle/glossary.js';
import { describeRule } from '../session/scope/rule-checks.js';
import { versionProblem } from '../session/probe/service-version.js';
import type { Violation } from '../engine/outcomes.js';
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

interface Evidence extends Pick<Counterexample, 'exchanges' | 'violating' | 'feed'> {
  /** Removes the credentials of these exchanges. */
  readonly redact: (text: string) => string;
}

/** Of one rule. A baseline may explain the first ones. */
const maxViolations = 20;

interface FindingsOptions {
  readonly version?: string | undefined;
  readonly bodies: boolean;
}

export class Findings {
  readonly #ofRule = new Map(
    rules.map((rule) => [rule.id, { rule, cases: 0, found: new Map<string, FoundViolation>() }]),
  );
  readonly #options: FindingsOptions;
  readonly #onFinding: (found: FoundViolation) => void;

  constructor(options: FindingsOptions, onFinding: (found: FoundViolation) => void) {
    this.#options = options;
    this.#onFinding = onFinding;
  }

  /** The rule applied to something that passed. */
  count(rule: RuleId): void {
    this.#ofRule.get(rule)!.cases += 1;
  }

  /** The same violation at another place, such as another row, counts once. */
  add(id: RuleId, violation: Violation, evidence: () => Evidence): void {
    this.count(id);
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
  verdicts(): RuleVerdict[] {
    return [...this.#ofRule.values()].map(({ rule, cases, found }) => {
      const reason =
        this.#reasonNotJudged(rule) ?? (cases === 0 ? 'No response that passed shows it.' : undefined);
      return {
        violations: [...found.values()].map((violation) => ({ ...violation, cases })),
        otherwise:
          reason === undefined
            ? { ...resultOf(rule), outcome: 'pass', cases }
            : { ...resultOf(rule), outcome: 'skipped', reason },
      };
    });
  }

  #reasonNotJudged({ id, since }: Rule): string | undefined {
    const { version } = this.#options;
    const { notInTraffic } = ruleHomes[id];
    return (
      versionProblem('The rule', since, version) ??
      (notInTraffic && `A passer-by cannot judge it. ${notInTraffic}`)
    );
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

const resultOf = (rule: Rule): Omit<CheckResult, 'outcome'> => ({
  id: rule.id,
  ...describeRule(rule),
  durationMs: 0,
  cases: 0,
  requests: 0,
});
