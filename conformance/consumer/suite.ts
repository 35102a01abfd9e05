/** The scenarios as checks of the engine. */
import { type Rule, rules } from '../../openapi/generated/rules.js';
import type { CheckOf, ScopeContext } from '../engine/check.js';
import type { Environment } from '../engine/environment.js';
import type { Evidence } from '../engine/evidence.js';
import { Finding } from '../engine/finding.js';
import type { Violation } from '../engine/outcomes.js';
import { forAll } from '../engine/property.js';
import type { History } from '../model/history.js';
import { stagesOf } from './history.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';
import { type Trial, type TrialOptions, tryScenario } from './trial.js';

interface ConsumerContext extends ScopeContext<ConsumerContext> {
  /** Plays the scenario with this history. Throws a verdict if the consumer does not survive it. */
  readonly play: (stages: readonly History[], scenario: Scenario) => Promise<void>;
}

export interface ConsumerCheck extends CheckOf<ConsumerContext> {
  readonly title: string;
}

/** Each case starts processes, so there are few. */
const cases = { smoke: 1, default: 1, thorough: 5 };

export const consumerChecks: readonly ConsumerCheck[] = scenarios.map((scenario) => {
  const { id, rule, title, history, events } = scenario;
  const stages = stagesOf(history, events.filter((event) => event === 'write').length);
  return {
    ...{ id, rule, title, runsLast: false, waits: false },
    run: forAll<History[], ConsumerContext>(stages, ({ play }, value) => play(value, scenario), { cases }),
  };
});

/** The rules that scenarios are about. */
export const consumerRules: readonly Rule[] = rules.filter(({ id }) =>
  scenarios.some(({ rule }) => rule === id),
);

/** Runs scenarios with one consumer. */
export function consumerEnvironment(
  options: Pick<TrialOptions, 'command' | 'graceMs' | 'targetDatabase' | 'onMessage'>,
): Environment<ConsumerContext, ConsumerCheck> {
  return {
    // A trial removes its secrets itself.
    redact: (text) => text,
    describe({ rule, title }) {
      const { area, level, statement, source } = consumerRules.find(({ id }) => id === rule)!;
      return { rule, area, level, statement: `${title} The rule: ${statement}`, source: [...source] };
    },
    openScope(base, { usage }) {
      const evidence = new TrialEvidence();
      const play: ConsumerContext['play'] = async (stages, scenario) => {
        const { seed } = base.property;
        evidence.trial = await tryScenario({ ...options, scenario, stages, seed, signal: base.signal });
        usage.requests += evidence.trial.requests;
        if (evidence.trial.thrown) throw evidence.trial.thrown;
      };
      return { context: { ...base, play }, evidence, close: () => Promise.resolve() };
    },
  };
}

class TrialEvidence implements Evidence {
  trial: Trial | undefined;

  /** Scenarios share nothing. */
  include(): void {}

  findingOf(violation: Violation): Finding {
    return new Finding(violation, this.trial?.evidence ?? { exchanges: [] }, {
      isShared: false,
      mayBeLag: false,
    });
  }
}
