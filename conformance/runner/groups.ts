/** Which checks can run beside each other. */
import type { Check } from '../checks/check.js';

/** Groups of checks that want the same settings, so that each setting is changed once; those that want none come first. */
export function bySettings(checks: readonly Check[]): Check[][] {
  const groups = new Map<string, Check[]>([['[]', []]]);
  for (const check of checks) {
    const key = JSON.stringify(Object.entries(check.settings).sort(([a], [b]) => (a < b ? -1 : 1)));
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()].filter((group) => group.length > 0);
}
