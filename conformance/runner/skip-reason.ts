/** Decides whether a check applies to the target. */
import type { Rule } from '../../openapi/generated/rules.js';
import type { Check, ConfiguredTarget } from '../check.js';
import { versionProblem } from '../client/service-version.js';
import type { SettingValues } from '../client/settings.js';
import type { RunState } from './scope.js';
import { settingsOf } from './settings-groups.js';

type State = Pick<RunState, 'version' | 'feed' | 'dialect' | 'targetInfo'>;

/** @returns why the check must be skipped, as a sentence, or `undefined` if it can run. */
export function skipReason(check: Check, rule: Rule, state: State): string | undefined {
  const settings = settingsOf(check, configuredTarget(state));
  return (
    versionProblem('The rule', rule.since, state.version) ??
    state.feed.problem(check.uses) ??
    settingsProblem(settings, state) ??
    missingCapability(check, rule, settings, state)
  );
}

export function configuredTarget({ dialect, targetInfo }: State): ConfiguredTarget {
  return { dialect, auth: targetInfo.auth };
}

function settingsProblem(needed: SettingValues, { targetInfo }: State): string | undefined {
  if (targetInfo.capabilities.has('config-write')) return undefined;
  const different = Object.entries(needed).filter(([name, value]) => targetInfo.settings.get(name) !== value);
  if (different.length === 0) return undefined;
  const list = different
    .map(([name, value]) => (value === null ? `no ${name}` : `${name} = ${value}`))
    .join(', ');
  return `The check needs the settings ${list}, which differ on the target; use --configure.`;
}

function missingCapability(
  check: Check,
  rule: Rule,
  settings: SettingValues,
  { targetInfo: { capabilities, capabilityStatuses } }: State,
): string | undefined {
  const hasSettings = Object.keys(settings).length > 0;
  const missing = [...rule.needs, ...check.needs]
    // At this point the settings are right already or can be changed.
    .filter((capability) => capability !== 'config-write' || !hasSettings)
    .find((capability) => !capabilities.has(capability));
  if (missing === undefined) return undefined;
  const how = capabilityStatuses.find(({ name }) => name === missing)?.how;
  return `The target lacks the capability "${missing}"${how === undefined ? '' : `: ${how}`}.`;
}
