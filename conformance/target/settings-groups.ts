/** Groups checks that can run concurrently because they need the same settings. */
import type { Check } from './check.js';
import type { TargetState } from './check-target.js';
import type { SettingValues } from './settings.js';
import { concernsWaitsOnly, hasDefault } from './target-info.js';

export interface Group {
  readonly settings: SettingValues;
  readonly checks: readonly Check[];
}

export interface Groups {
  /** Checks that need no settings and do not wait: they can run beside the groups of `waiting`. */
  readonly beside: readonly Check[];
  /** Their settings affect no check that does not wait. */
  readonly waiting: readonly Group[];
  readonly others: readonly Group[];
}

/**
 * Each group changes its settings only once. Groups that need settings come first, since most periods are in the one that
 * needs none: by then, V8 has compiled the code of the suite and perhaps that of the target.
 */
export function groupBySettings(checks: readonly Check[], state: SettingsState): Groups {
  const beside: Check[] = [];
  const groups = new Map<string, { settings: SettingValues; checks: Check[] }>();
  for (const check of checks) {
    const settings = settingsOf(check, state);
    const key = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { settings, checks: [] };
    if (check.waits === false && key === '[]') beside.push(check);
    else groups.set(key, { settings, checks: [...group.checks, check] });
  }
  const isWaiting = ({ settings }: Group): boolean => Object.keys(settings).every(concernsWaitsOnly);
  const count = ({ settings }: Group): number => Object.keys(settings).length;
  const all = [...groups.values()].sort((a, b) => count(b) - count(a));
  return { beside, waiting: all.filter(isWaiting), others: all.filter((group) => !isWaiting(group)) };
}

/** What the required settings of checks depend on. */
type SettingsState = Pick<TargetState, 'names' | 'targetInfo'>;

/**
 * The settings that a check requires, except defaults that the target has. A check that waits also requires those that let
 * it wait.
 */
export function settingsOf({ settings, waits }: Check, { names, targetInfo }: SettingsState): SettingValues {
  const { auth, waitSettings, settings: known } = targetInfo;
  const own = typeof settings === 'function' ? settings({ names, auth }) : settings;
  const needed = waits === false ? own : { ...waitSettings, ...own };
  return Object.fromEntries(
    Object.entries(needed).filter(([name, value]) => !hasDefault(known, name, value)),
  );
}
