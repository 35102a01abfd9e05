/** Applies the settings that checks need, with `--configure`. */
import { Blocked, Inconclusive } from '../../engine/outcomes.js';
import type { Connection } from '../../http/http.js';
import { type ProbeResults, type TargetInfo, targetInfoFrom } from '../probe/target-info.js';
import type { SettingValues } from '../settings/settings.js';
import { readSetting, writeSetting } from '../cleanup/config-endpoint.js';
import type { ChangedSetting } from '../cleanup/cleanup-task.js';
import type { TargetCleanup } from '../cleanup/cleanup.js';
import { clientFinishingWrites } from '../cleanup/finishing-writes.js';

/** The settings of the target while checks run. */
export interface TargetSettings {
  /** What the suite knows about the target while no check has changed a setting. */
  readonly targetInfo: TargetInfo;
  /**
   * Runs `body` under these settings and restores the previous ones, however `body` ends.
   *
   * @param body receives what the suite knows about the target now and, if the settings could not be changed, the reason.
   * Without `--configure` it runs under the settings that the target has.
   */
  withSettings<T>(
    wanted: SettingValues,
    body: (targetInfo: TargetInfo, problem?: string) => Promise<T>,
  ): Promise<T>;
}

export interface ConfigurationContext {
  connection: Connection;
  /** Signal of the run. After it aborts, no setting changes. */
  signal: AbortSignal;
  cleanup: TargetCleanup;
}

/** Time to change all settings of a group of checks, in milliseconds. */
const changeMs = 10_000;

/** The source of settings that this run has changed. */
export const setByThisRun = 'set by this run';

/** @param context what changes settings. Without it, the target keeps those that it has. */
export function targetSettings(probeResults: ProbeResults, context?: ConfigurationContext): TargetSettings {
  const targetInfo = targetInfoFrom(probeResults);
  return {
    targetInfo,
    async withSettings(wanted, body) {
      if (!context) return body(targetInfo);
      const { values, tasks, problem } = await changeSettings({ ...context, wanted });
      try {
        if (problem !== undefined) return await body(targetInfo, problem.message);
        const settings = probeResults.settings.with(values, setByThisRun);
        return await body(targetInfoFrom({ ...probeResults, settings }));
      } finally {
        await context.cleanup.run(tasks);
      }
    },
  };
}

/**
 * Sets values on every node, unless a setting has its value already.
 *
 * @returns the resulting values, the cleanup tasks, and the problem if a change failed.
 */
export async function changeSettings(
  input: ConfigurationContext & { wanted: SettingValues },
): Promise<{ values: SettingValues; tasks: readonly ChangedSetting[]; problem?: Blocked | Inconclusive }> {
  const { connection, signal, cleanup, wanted } = input;
  const tooSlow = new Inconclusive(`The target did not change the settings within ${changeMs / 1000} s.`);
  const { client, clear } = clientFinishingWrites(connection, signal, changeMs, tooSlow);
  const values: Record<string, string | null> = {};
  const tasks: ChangedSetting[] = [];
  try {
    for (const [name, value] of Object.entries(wanted)) {
      for (let node = 0; node < connection.nodes; node += 1) {
        const before = await readSetting(client, node, name);
        if (before !== value) tasks.push({ kind: 'setting', node, name, before });
        values[name] = value;
      }
    }
    if (tasks.length > 0) await cleanup.addSettings(client, tasks);
    for (const { node, name } of tasks) {
      const value = wanted[name] ?? null;
      values[name] = await writeSetting(client, node, name, value);
      if (value !== null && values[name] !== value) {
        throw new Blocked(`The target accepts a value for ${name} but does not keep it.`);
      }
    }
    return { values, tasks };
  } catch (error) {
    if (!(error instanceof Blocked || error instanceof Inconclusive)) throw error;
    return { values, tasks, problem: error };
  } finally {
    clear();
  }
}
