/** Decides whether a check applies to the target. */
import type { Rule } from '../../../openapi/generated/rules.js';
import type { CheckOutcome } from '../../engine/check-outcome.js';
import { LackingFeature } from '../../engine/outcomes.js';
import type { Check } from './rule-checks.js';
import type { TargetState } from './check-target.js';
import { judgedAsLater, versionProblem } from '../probe/service-version.js';
import type { Obstacle } from '../probe/obstacles.js';
import type { SettingValues } from '../settings/settings.js';
import { settingsOf } from './settings-groups.js';

/** @returns why the check must not run, or `undefined` if it can run. */
export function reasonNotToRun(check: Check, rule: Rule, state: TargetState): CheckOutcome | undefined {
  const missing = state.feed.missing(check.uses);
  const isLacking = missing instanceof LackingFeature;
  const tooNew =
    versionProblem('The rule', rule.since, state.version) ?? (isLacking ? undefined : missing?.message);
  if (tooNew !== undefined)
    return { outcome: 'skipped', reason: tooNew, remedy: `nothing, or ${judgedAsLater}` };
  const settings = settingsOf(check, state);
  return (
    settingsProblem(settings, state) ??
    missingCapability(check, rule, settings, state) ??
    (isLacking ? blockedWithout(missing) : undefined)
  );
}

function blockedWithout({ message: reason, obstacle, shownBy: exchange }: LackingFeature): CheckOutcome {
  return {
    outcome: 'blocked',
    reason,
    ...(obstacle !== undefined && { obstacle }),
    ...(exchange && { exchange }),
  };
}

function settingsProblem(needed: SettingValues, state: TargetState): CheckOutcome | undefined {
  const { capabilities, settings } = state.targetInfo;
  if (capabilities.get('config-write')?.available) return undefined;
  const different = Object.entries(needed).filter(([name, value]) => settings.get(name) !== value);
  if (different.length === 0) return undefined;
  const isUnknown = different.some(([name]) => settings.get(name) === undefined);
  if (capabilities.get('config-write')?.undecided) return outcomeWithout('config-write', state);
  if (isUnknown && capabilities.get('config-read')?.undecided) return outcomeWithout('config-read', state);
  if (state.required.has('config-write')) return outcomeWithout('config-write', state);
  const list = different
    .map(([name, value]) => (value === null ? `no ${name}` : `${name} = ${value}`))
    .join(', ');
  return {
    outcome: 'skipped',
    reason: `The check needs the settings ${list}, which differ on the target; use --configure.`,
    missing: 'config-write',
  };
}

function missingCapability(
  check: Check,
  rule: Rule,
  settings: SettingValues,
  state: TargetState,
): CheckOutcome | undefined {
  const hasSettings = Object.keys(settings).length > 0;
  const missing = [...rule.needs, ...check.needs]
    // At this point the settings are right already or can be changed.
    .filter((capability) => capability !== 'config-write' || !hasSettings)
    .find((capability) => !state.targetInfo.capabilities.get(capability)?.available);
  return missing === undefined ? undefined : outcomeWithout(missing, state);
}

/** The outcome of a check that skips itself because it lacks a capability. It knows the reason best. */
export function outcomeOfSkip(skipped: CheckOutcome, missing: string, state: TargetState): CheckOutcome {
  const outcome = outcomeWithout(missing, state);
  return outcome.outcome === 'skipped' ? skipped : outcome;
}

/** The outcome of a check that needs a capability that is not available. */
function outcomeWithout(missing: string, { targetInfo, required }: TargetState): CheckOutcome {
  const { how, undecided } = { ...targetInfo.capabilities.get(missing) };
  const because = how === undefined ? '.' : `: ${how}.`;
  if (required.has(missing)) {
    const reason = `The required capability "${missing}" is not available${because}`;
    return { outcome: 'blocked', reason, missing };
  }
  const obstacle = targetInfo.obstacles.find(({ hides = [] }) => hides.some((name) => name === missing));
  if (undecided && obstacle) return blockedBy(obstacle);
  return undecided
    ? { outcome: 'blocked', reason: `The probe of the capability "${missing}" failed${because}`, missing }
    : { outcome: 'skipped', reason: `The target lacks the capability "${missing}"${because}`, missing };
}

export const blockedBy = ({ name, shownBy }: Obstacle): CheckOutcome => ({
  outcome: 'blocked',
  reason: `${name.charAt(0).toUpperCase()}${name.slice(1)}.`,
  obstacle: name,
  exchange: shownBy,
});
