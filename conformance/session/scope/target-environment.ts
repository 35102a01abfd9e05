/** Runs checks against a target: opens their scopes there, and judges outcomes by what is known of it. */
import { longestLag } from './lag.js';
import type { Rule } from '../../../openapi/generated/rules.js';
import { type Counterexample, type RecordedExchange, violatingExchange } from '../../../reports/report.js';
import { type CheckOutcome, describe } from '../../engine/check-outcome.js';
import type { PropertySettings, ScopeContext } from '../../engine/check.js';
import type { Environment } from '../../engine/environment.js';
import type { Width } from '../../engine/width.js';
import type { Exchange, TargetRequest } from '../../http/client.js';
import type { Description } from '../../http/description.js';
import { symptomsOf } from '../../http/symptoms.js';
import type { Traffic } from '../../http/schema-check.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import type { Activity } from './activity.js';
import { type Check, type CheckContext, describeRule, ruleIdOf, ruleOf } from './rule-checks.js';
import { checkTarget, type TargetState } from './check-target.js';
import { TargetEvidence } from './target-evidence.js';
import { errorSchema, mustHaveJudged } from './judged.js';
import type { LostTargetGuard } from './lost-target.js';
import { type FeedLag, measureLag } from '../probe/feed-lag.js';
import { type Obstacle, obstacleTo } from '../probe/obstacles.js';
import { type Group, groupBySettings, settingsOf } from './settings-groups.js';
import { positionOf } from './rungs.js';
import { blockedBy, outcomeOfSkip, reasonNotToRun } from './skip-reason.js';
import type { TargetSettings } from '../configure/apply-settings.js';
import { testData } from './test-data.js';

/** What all checks of a run against a target have in common. */
interface TargetRun {
  readonly state: TargetState;
  readonly configuration: TargetSettings;
  readonly guard: LostTargetGuard;
  readonly activity: Activity;
  readonly traffic: Traffic & TrafficObserver;
  readonly description: Description;
  readonly width: Width;
  /** They see all requests of all checks. */
  readonly observers: readonly TrafficObserver[];
  /** Removes secrets that the target may have repeated from a text. */
  readonly redact: (text: string) => string;
  /** The meaning of the terms in a text that a reader may not know. */
  readonly explainTerms: (text: string) => NonNullable<Counterexample['terms']>;
}

export function targetEnvironment(run: TargetRun): Environment<CheckContext, Check> {
  const { state, configuration, guard, activity, traffic, redact } = run;
  return {
    redact,
    isSerial: state.databases.isShared,
    describe(check) {
      const settings = settingsOf(check, state);
      return {
        ...describeRule(ruleOf(check)),
        ...(check.rung && { rung: positionOf(check.rung) }),
        ...(Object.keys(settings).length > 0 && { settings }),
      };
    },
    reasonNotToRun: (check) => reasonNotToRun(check, ruleOf(check), stateFor(check.id, state)),
    async inGroups(checks, runGroup) {
      const { beside, waiting, others } = groupBySettings(checks, state);
      const runBeside = runGroup(beside, targetEnvironment(run));
      const runInTurn = async (groups: readonly Group[]): Promise<void> => {
        for (const group of groups) {
          await configuration.withSettings(group.settings, async (targetInfo, problem) => {
            const environment = targetEnvironment({ ...run, state: { ...state, targetInfo } });
            const confirm = await runGroup(group.checks, environment, problem);
            if (confirm) await runBeside;
            await confirm?.();
          });
        }
      };
      if (state.databases.isShared) await runBeside;
      const [confirm] = await Promise.all([runBeside, runInTurn(waiting)]);
      await confirm?.();
      await runInTurn(others);
    },
    openScope(base, { check, usage, isSettled, outer }) {
      const evidence = new TargetEvidence(
        () => longestLag(state.targetInfo),
        outer as TargetEvidence | undefined,
      );
      const requestCounter: TrafficObserver = {
        beforeSend: (_, { background = false }) => void (usage.requests += background ? 0 : 1),
        onResend: (why) => void (usage.resends += why === 'broken' ? 1 : 0),
      };
      const observers = [requestCounter, evidence, traffic, activity.observer(check), ...run.observers];
      const { log, lag } = evidence;
      const ofCheck = stateFor(check, state);
      const { client, items, removeAll } = testData(ofCheck, base.signal, {
        observers,
        log,
        lag,
        // If each read may be behind, it is not tried first whether this one is.
        isSettled: isSettled || state.targetInfo.feedLag.ms > 0,
      });
      const { adapt } = base.property;
      const property: PropertySettings = {
        ...base.property,
        adapt: (inputs) => adapt(inputs).map((value) => ofCheck.feed.omitMissing(value)),
      };
      return {
        context: {
          ...base,
          property,
          ...items,
          target: checkTarget(ofCheck, client),
          traffic,
          get findRareLag() {
            return mayLag(state) ? () => findRareLag(base, state.targetInfo.feedLag) : undefined;
          },
        },
        evidence,
        close: removeAll,
      };
    },
    mustHaveJudged(check, evidence) {
      const endpoints = state.targetInfo.obstacles.filter(({ response }) => response !== undefined);
      const isMissing = (exchange: RecordedExchange): boolean =>
        obstacleTo(endpoints, exchange) !== undefined;
      mustHaveJudged(ruleOf(check), evidence as TargetEvidence, run.description, isMissing);
    },
    obstacle({ evidence, violation: { difference } }, check) {
      const content = { ...evidence, ...difference };
      const found = obstacleTo(obstaclesFor(check, state), violatingExchange(evidence), content);
      return found?.breaks.includes(check.rule) ? undefined : found;
    },
    conclude: (outcome, check) => conclude(outcome, check, run),
    reasonToEnd: ({ id }, reason) => guard.reasonIfLost(id, reason),
    onAttempt: ({ id }) => activity.begin(id),
    waiting: () => activity.waiting,
    width: run.width,
    uncountedMs: () => state.connection.rate.heldMs,
    onResend: () => state.connection.meter.onResend('broken'),
  };
}

/** Enough to see that one row in fifty is late. */
const writesOfLook = { writers: 10, writes: 20 };

const mayLag = ({ targetInfo: { hasOneCopy, feedLag }, databases }: TargetState): boolean =>
  hasOneCopy && !databases.isShared && feedLag.isPossible;

/** Looks in a database of its own, so that no feed of a check is read more often than the check does. */
async function findRareLag(context: ScopeContext<CheckContext>, feedLag: FeedLag): Promise<boolean> {
  if (!feedLag.isBehind)
    await context.inScope((inner) =>
      inner.shared('rare lag', async (own) => {
        const database = await own.createDatabase();
        const ask = (request: TargetRequest): Promise<Exchange | undefined> =>
          database.request(request).catch(() => undefined);
        feedLag.measured(await measureLag(ask, '', writesOfLook));
      }),
    );
  return feedLag.isBehind;
}

/** What the target lacks explains some outcomes. Other counterexamples get what explains them. */
function conclude(outcome: CheckOutcome, check: Check, { state, explainTerms }: TargetRun): CheckOutcome {
  const { counterexample, exchange } = outcome;
  const withheld = counterexample ? undefined : state.withheld.get(check.id);
  if (withheld) return withheld;
  const obstacles = obstaclesFor(check, state);
  const rule = ruleOf(check);
  if (counterexample) {
    const { message, input } = counterexample;
    const obstacle = obstacleTo(obstacles, violatingExchange(counterexample), counterexample);
    const symptoms = symptomsOf(counterexample, rule);
    if (obstacle && !obstacle.breaks.includes(rule.id)) {
      const blocked = { ...blockedBy(obstacle), counterexample: { ...essenceOf(counterexample), symptoms } };
      return doingWithout(obstacle, check, state, blocked);
    }
    const text = [message, rule.statement, JSON.stringify(input, null, 2)].join('\n');
    return {
      ...outcome,
      ...(obstacle && { obstacle: obstacle.name, exchange: obstacle.shownBy }),
      counterexample: { ...counterexample, symptoms, terms: explainTerms(text) },
    };
  }
  const obstacle = obstacleTo(obstacles, exchange);
  if (obstacle)
    return isBrokenBy(obstacle, rule)
      ? failedBy(obstacle, rule)
      : doingWithout(obstacle, check, state, blockedBy(obstacle));
  const seen =
    outcome.outcome === 'pass' ? obstacles.find(({ proves }) => proves?.includes(rule.id)) : undefined;
  if (seen) return failedBy(seen, rule);
  return outcome.missing === undefined ? outcome : outcomeOfSkip(outcome, outcome.missing, state);
}

/**
 * A check that the baseline expects to fail runs again without what the target lacks, if it has shown nothing but that. If it
 * finds nothing else, what it has shown is what the baseline expects.
 */
function doingWithout(
  { lacks }: Obstacle,
  { id }: Check,
  { expected, withheld }: TargetState,
  blocked: CheckOutcome,
): CheckOutcome {
  if (lacks === undefined || !expected.delete(id)) return blocked;
  withheld.set(id, blocked);
  return { ...blocked, mayPass: true };
}

/** Whatever the target refuses, the body that says so must have the right form. Only what it lacks needs none. */
function obstaclesFor(check: Check, { targetInfo: { obstacles } }: TargetState): readonly Obstacle[] {
  return isAboutAllErrors(ruleOf(check))
    ? obstacles.filter(({ response }) => response !== undefined)
    : obstacles;
}

const isAboutAllErrors = ({ operations, components }: Rule): boolean =>
  operations.length === 0 && components.includes(errorSchema);

/** The target as a check knows it: without what it lacks of the feed, unless the check is about that. */
function stateFor(check: string, state: TargetState): TargetState {
  const { feed, expected } = state;
  const rule = ruleOf({ rule: ruleIdOf(check) });
  const sendsAll = expected.has(check) || isAboutAllErrors(rule);
  return { ...state, feed: sendsAll ? feed.ofVersion : feed.for(rule) };
}

/** Whether the target refuses what the rule is about, or ignores it. */
const isBrokenBy = ({ breaks, lacks, difference, shownBy }: Obstacle, { id }: Rule): boolean =>
  breaks.includes(id) &&
  (lacks !== undefined || difference !== undefined || (shownBy?.response?.status ?? 0) >= 400);

/** A check of the rule needs to read what the target refuses or ignores, so it found nothing that it could compare. */
function failedBy({ name, shownBy, ignored, difference }: Obstacle, rule: Rule): CheckOutcome {
  const message = name.charAt(0).toUpperCase() + name.slice(1);
  const evidence = { exchanges: [shownBy ?? []].flat(), violating: 0 };
  const counterexample = {
    message,
    ...(difference ?? (ignored ? {} : { path: '$status', expected: 200, actual: shownBy?.response?.status })),
    ...evidence,
  };
  return {
    outcome: rule.level === 'MUST' ? 'fail' : 'warn',
    reason: describe(counterexample),
    obstacle: name,
    exchange: shownBy,
    counterexample: { ...counterexample, symptoms: symptomsOf(counterexample, rule) },
  };
}

/** The violation without what led to it, which many blocked checks have in common. */
function essenceOf(counterexample: Counterexample): Counterexample {
  const { message, path, expected, actual, input } = counterexample;
  const exchange = violatingExchange(counterexample);
  return {
    message,
    ...(path !== undefined && { path, expected, actual }),
    ...(input !== undefined && { input }),
    exchanges: exchange ? [exchange] : [],
    ...(exchange && { violating: 0 }),
  };
}
