/** The settings of the target while checks run: as they are, or with `--configure` as the checks want them. */
import { startDeadline } from '../verdict/deadlines.js';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import type { Connection } from '../client/http.js';
import { type ProbeResults, targetInfoFrom } from '../client/target-info.js';
import type { Configuration } from '../runner/configuration.js';
import type { SettingValues } from '../client/settings.js';
import { readSetting, writeSetting } from './config-endpoint.js';
import type { CleanupTask } from './cleanup-task.js';
import type { TargetCleanup } from './cleanup.js';

/** What every change needs. */
export interface ConfigurationContext {
  connection: Connection;
  /** Of the run: when it ends, nothing is changed any more. */
  signal: AbortSignal;
  nodes: number;
  cleanup: TargetCleanup;
}

/** How long the target has for all settings that a group of checks wants, in milliseconds. */
const changeMs = 10_000;

/** How this run's own changes are known. */
export const setByThisRun = 'as this run has set it';

export function fixedConfiguration(findings: ProbeResults): Configuration {
  const known = targetInfoFrom(findings);
  return { targetInfo: known, withSettings: (_, body) => body(known) };
}

export function changeableConfiguration(
  input: ConfigurationContext & { findings: ProbeResults },
): Configuration {
  const { findings, cleanup } = input;
  const known = targetInfoFrom(findings);
  return {
    targetInfo: known,
    async withSettings(wanted, body) {
      const changed = await changeSettings({ ...input, wanted });
      try {
        if (changed.problem !== undefined) return await body(known, changed.problem);
        const settings = findings.settings.with(changed.values, setByThisRun);
        return await body(targetInfoFrom({ ...findings, settings }));
      } finally {
        await cleanup.run(changed.tasks);
      }
    },
  };
}

/**
 * Gives settings their values on every node, and leaves alone what has its value already.
 *
 * @returns the values then, what is to be put back, and what went wrong, if something did.
 */
export async function changeSettings(
  input: ConfigurationContext & { wanted: SettingValues },
): Promise<{ values: SettingValues; tasks: CleanupTask[]; problem?: string }> {
  const { connection, signal, nodes, cleanup, wanted } = input;
  const time = startDeadline(
    signal,
    changeMs,
    new Inconclusive('The target was too slow to change settings.'),
  );
  const client = connection.client(time.signal, []);
  const values: Record<string, string | null> = {};
  const tasks: CleanupTask[] = [];
  try {
    for (const [name, value] of Object.entries(wanted)) {
      for (let node = 0; node < nodes; node += 1) {
        const before = await readSetting(client, node, name);
        if (before !== value) tasks.push(cleanup.add({ kind: 'setting', node, name, before }));
        values[name] = before === value ? value : await writeSetting(client, node, name, value);
        if (value !== null && values[name] !== value) {
          throw new Blocked(`${name} does not take the value that it is given.`);
        }
      }
    }
    return { values, tasks };
  } catch (error) {
    if (!(error instanceof Blocked || error instanceof Inconclusive)) throw error;
    return { values, tasks, problem: error.message };
  } finally {
    time.clear();
  }
}
