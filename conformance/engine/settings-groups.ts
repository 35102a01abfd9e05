/** Groups checks that can run concurrently because they need the same settings. */
import type { Check, ConfiguredTarget } from './check.js';
import type { SettingValues } from '../target/settings.js';

export interface Group {
  readonly settings: SettingValues;
  readonly checks: readonly Check[];
}

/** Each group changes its settings only once. The checks that need no settings are the first group. */
export function groupBySettings(checks: readonly Check[], target: ConfiguredTarget): Group[] {
  const groups = new Map<string, { settings: SettingValues; checks: Check[] }>([
    ['[]', { settings: {}, checks: [] }],
  ]);
  for (const check of checks) {
    const settings = settingsOf(check, target);
    const key = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { settings, checks: [] };
    group.checks.push(check);
    groups.set(key, group);
  }
  return [...groups.values()].filter((group) => group.checks.length > 0);
}

const timeoutSetting = 'chttpd/changes_timeout';

/** The default of the setting. Feeds then stay open for as long as any check needs. */
const longEnoughMs = 60_000;

export function settingsOf({ settings, waits }: Check, target: ConfiguredTarget): SettingValues {
  const own = typeof settings === 'function' ? settings(target) : settings;
  // With a short default and maximum of `timeout`, feeds end while a check still expects them to be open.
  const isShort = waits !== false && (target.changesTimeoutMs ?? Infinity) < longEnoughMs;
  return isShort && !(timeoutSetting in own) ? { ...own, [timeoutSetting]: String(longEnoughMs) } : own;
}
