/** Groups checks that can run concurrently because they need the same settings. */
import type { Check } from './check.js';
import type { TargetState } from './check-target.js';
import type { SettingValues } from './settings.js';
import { hasDefault } from './target-info.js';

export interface Group {
  readonly settings: SettingValues;
  readonly checks: readonly Check[];
}

/** Each group changes its settings only once. The checks that need no settings are the first group. */
export function groupBySettings(checks: readonly Check[], state: SettingsState): Group[] {
  const groups = new Map<string, { settings: SettingValues; checks: Check[] }>([
    ['[]', { settings: {}, checks: [] }],
  ]);
  for (const check of checks) {
    const settings = settingsOf(check, state);
    const key = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { settings, checks: [] };
    group.checks.push(check);
    groups.set(key, group);
  }
  return [...groups.values()].filter((group) => group.checks.length > 0);
}

/** What the required settings of checks depend on. */
type SettingsState = Pick<TargetState, 'dialect' | 'targetInfo'>;

/**
 * The settings that a check requires, except defaults that the target has. A check that waits also requires those that let
 * it wait.
 */
export function settingsOf(
  { settings, waits }: Check,
  { dialect, targetInfo }: SettingsState,
): SettingValues {
  const { auth, waitSettings, settings: known } = targetInfo;
  const own = typeof settings === 'function' ? settings({ dialect, auth }) : settings;
  const needed = waits === false ? own : { ...waitSettings, ...own };
  return Object.fromEntries(
    Object.entries(needed).filter(([name, value]) => !hasDefault(known, name, value)),
  );
}
