/** Groups checks that can run concurrently because they need the same settings. */
import { groupBy } from '../../../reports/group.js';
import type { Check } from './rule-checks.js';
import type { TargetState } from './check-target.js';
import type { SettingValues } from '../settings/settings.js';
import { concernsWaitsOnly, hasDefault } from '../probe/target-info.js';

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
 * Each group changes its settings only once. Of the groups that wait, the one that needs no settings is the last, since it
 * has most periods: by then, V8 has compiled the code of the suite and perhaps that of the target.
 */
export function groupBySettings(checks: readonly Check[], state: SettingsState): Groups {
  const needing = (check: Check): string =>
    JSON.stringify(Object.entries(settingsOf(check, state)).sort(([a], [b]) => (a < b ? -1 : 1)));
  const isBeside = (check: Check): boolean => check.waits === false && needing(check) === '[]';
  const toGroup = checks.filter((check) => !isBeside(check));
  const all = groupBy(toGroup, needing).map(([, members]) => ({
    settings: settingsOf(members[0]!, state),
    checks: members,
  }));
  const count = ({ settings }: Group): number => Object.keys(settings).length;
  const isWaiting = ({ settings }: Group): boolean => Object.keys(settings).every(concernsWaitsOnly);
  return {
    beside: checks.filter(isBeside),
    waiting: all.filter(isWaiting).sort((a, b) => count(b) - count(a)),
    others: all.filter((group) => !isWaiting(group)),
  };
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
