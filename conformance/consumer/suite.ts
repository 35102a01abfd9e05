/** The scenarios as checks of the engine. */
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import { type Rule, rules } from '../../openapi/generated/rules.js';
import type { CheckOf, ScopeContext } from '../engine/check.js';
import type { Environment } from '../engine/environment.js';
import type { Evidence } from '../engine/evidence.js';
import { Finding } from '../engine/finding.js';
import { Blocked, Skip } from '../engine/outcomes.js';
import { Refusal } from '../engine/refusal.js';
import { select, type Selection } from '../engine/select.js';
import { forAll } from '../engine/property.js';
import { Width } from '../engine/width.js';
import { describeRule } from '../session/scope/rule-checks.js';
import { stagesOf } from './scenario-histories.js';
import type { Moment, Scenario } from './scenario.js';
import { allScenarios, fastScenarios, scenarios } from './scenarios.js';
import { type Trial, type TrialCase, type TrialOptions, tryScenario } from './trial.js';

interface ConsumerContext extends ScopeContext<ConsumerContext> {
  /** Plays a case of the scenario. Throws a verdict if the consumer does not survive it. */
  readonly play: (scenario: Scenario, value: TrialCase) => Promise<void>;
}

export interface ConsumerCheck extends CheckOf<ConsumerContext> {
  readonly scenario: Scenario;
}

/** Each case starts processes, so there are few. */
const cases = { smoke: 1, default: 1, thorough: 5 };

/** What a mixture consists of. The first value of each is that of a plain server. */
const variations = fc.record({
  shards: fc.constantFrom(1, 2, 3, 8),
  copies: fc.constantFrom(1, 3),
  sequences: fc.constantFrom('string' as const, 'array' as const, 'object' as const),
  pieces: fc.constantFrom(1, 2, 5),
  pauseMs: fc.constantFrom(0, 1, 5),
  headers: fc.constantFrom('lower' as const, 'Title' as const, 'UPPER' as const),
  extraMembers: fc.boolean(),
  hasOtherWinner: fc.boolean(),
});

/** Times after something has reached the consumer, in milliseconds: it has just got it, or works on it. */
const pausesMs = fc.constantFrom(0, 1, 2, 5, 10, 20, 40);

/** Where the next event comes: which request since the start, how long after, and which change since then. */
const places: Readonly<Record<Moment, fc.Arbitrary<number>>> = {
  ask: fc.constantFrom(1, 2, 3),
  get: pausesMs,
  // A file that is written beside the checkpoint and takes its place makes three or four changes.
  store: fc.constantFrom(1, 2, 3, 4),
  // At once: its next request may move the checkpoint.
  copy: fc.constant(0),
};

const isMoment = (event: string): event is Moment => event in places;

const casesOf = (scenario: Scenario): fc.Arbitrary<TrialCase> => {
  const { history, events, vary, treatments = [], mixes } = scenario;
  // What happens comes first where a report shows the case: the history may be long.
  return fc.record({
    vary: mixes ? variations : fc.constant(vary ?? {}),
    treatments: mixes ? fc.subarray([...treatments]) : fc.constant(treatments),
    places: fc.tuple(...events.filter(isMoment).map((moment) => places[moment])),
    stages: stagesOf(history, events.filter((event) => event === 'write').length),
  });
};

export const consumerChecks: readonly ConsumerCheck[] = allScenarios.map((scenario) => {
  const { id, rule, treatments = [], events } = scenario;
  return {
    id,
    rule,
    scenario,
    runsLast: false,
    waits: false,
    isLong:
      events.includes('settle') ||
      treatments.some(({ silence, form, away }) => silence ?? form?.paceMs ?? away),
    run: forAll<TrialCase, ConsumerContext>(casesOf(scenario), ({ play }, value) => play(scenario, value), {
      cases,
    }),
  };
});

/**
 * The scenarios that do not belong to a run: those for a fast clock, or all others.
 *
 * @throws Refusal if a glob selects nothing else
 */
export function scenariosToSkip(clockRate: number | undefined, { only = [] }: Selection): string[] {
  const belongs = ({ scenario }: ConsumerCheck): boolean =>
    fastScenarios.includes(scenario) === (clockRate !== undefined);
  for (const glob of only) {
    if (select(consumerChecks, { only: [glob] }).some(belongs)) continue;
    const names = fastScenarios.map(({ id }) => id).join(' and ');
    throw new Refusal(
      'usage',
      clockRate === undefined
        ? `--only ${glob} needs --clock-rate and a program that makes the clock of the consumer fast`
        : `--only ${glob} is not for a fast clock; with --clock-rate, only ${names} run`,
    );
  }
  return consumerChecks.filter((check) => !belongs(check)).map(({ id }) => id);
}

/** The rules that scenarios are about. */
export const consumerRules: readonly Rule[] = rules.filter(({ id }) =>
  scenarios.some(({ rule }) => rule === id),
);

/** Without anything that a consumer must survive: whoever says nothing even here cannot be judged. It runs first. */
const plainScenario: Scenario = {
  id: 'plain',
  rule: 'feed-complete',
  title: 'The consumer reads a few documents.',
  history: { documents: 3 },
  events: ['write', 'start', 'know'],
};

const stay = (): (() => void) => () => {};

/**
 * Tries a consumer when nothing happens to it. The verdict is {@link Blocked} if no scenario can judge it.
 *
 * @param options.rest Default: nobody else needs its place.
 */
export async function tryPlainly(
  options: Pick<
    TrialOptions,
    'command' | 'graceMs' | 'targetDatabase' | 'clockRate' | 'onMessage' | 'signal'
  > &
    Partial<Pick<TrialOptions, 'rest' | 'onEvent'>>,
): Promise<Trial> {
  const seed = 1;
  const [value] = fc.sample(casesOf(plainScenario), { seed, numRuns: 1 });
  const trial = await tryScenario({ rest: stay, ...options, ...value!, scenario: plainScenario, seed });
  const { thrown, obstacle } = trial;
  if (!thrown || thrown instanceof Blocked || obstacle === undefined) return trial;
  return { ...trial, thrown: new Blocked(obstacle, { obstacle }) };
}

/** What a scenario does to a consumer, without the values. */
const structureOf = ({ rule, treatments, events }: Scenario): string =>
  JSON.stringify([rule, treatments, events], (_, value: unknown) =>
    typeof value === 'number' || typeof value === 'boolean' ? typeof value : value,
  );

/** For each core, one consumer can work while another one waits. */
const scenariosPerCore = 2;

/** All servers are in this process, which uses one core. */
const mostCores = 4;

const defaultScenarios = scenariosPerCore * Math.min(availableParallelism(), mostCores);

/**
 * Runs scenarios with one consumer.
 *
 * @param concurrency how many scenarios run at a time. Default: two per core, and in addition those that only wait for a
 * consumer without progress.
 */
export function consumerEnvironment(
  ofRun: Pick<TrialOptions, 'command' | 'graceMs' | 'targetDatabase' | 'clockRate' | 'onMessage'>,
  concurrency?: number,
): Environment<ConsumerContext, ConsumerCheck> {
  const width = new Width(concurrency ?? defaultScenarios);
  const options = { ...ofRun, rest: concurrency === undefined ? () => width.rest() : stay };
  let plain: Promise<Trial> | undefined;
  return {
    width,
    // A trial removes its secrets itself.
    redact: (text) => text,
    describe({ rule, scenario: { title, level } }) {
      const described = describeRule(consumerRules.find(({ id }) => id === rule)!);
      return {
        ...described,
        ...(level && { level }),
        statement: `${title} The rule: ${described.statement}`,
      };
    },
    // Scenarios of one rule show different weaknesses, unless they do the same with other values.
    conclude(outcome, { scenario }) {
      const { counterexample } = outcome;
      if (!counterexample) return outcome;
      const first = allScenarios.find((other) => structureOf(other) === structureOf(scenario))!;
      const differences = [`${counterexample.message}, as in the scenario \`${first.id}\``];
      return { ...outcome, counterexample: { ...counterexample, symptoms: { mediaTypes: [], differences } } };
    },
    openScope(base, { usage }) {
      let trial: Trial | undefined;
      const evidence: Evidence = {
        // Scenarios share nothing.
        include() {},
        findingOf: (violation) =>
          new Finding(violation, trial?.evidence ?? { exchanges: [] }, { isShared: false, mayBeLag: false }),
      };
      const play: ConsumerContext['play'] = async (scenario, value) => {
        const { property, signal } = base;
        const { thrown, readsEvents } = await (plain ??= tryPlainly({ ...options, signal }));
        // If its clock is fast, a busy machine may be what keeps it from saying anything.
        if (thrown instanceof Blocked && ofRun.clockRate === undefined) throw thrown;
        if (scenario.needs === 'target' && !ofRun.targetDatabase)
          throw new Skip('The consumer writes to no target database (--target-database).');
        if (scenario.needs === 'event stream' && !readsEvents)
          throw new Skip('The consumer reads no event stream.');
        trial = await tryScenario({ ...options, ...value, scenario, seed: property.seed, signal });
        usage.requests += trial.requests;
        if (trial.thrown) throw trial.thrown;
      };
      return { context: { ...base, play }, evidence, close: () => Promise.resolve() };
    },
  };
}
