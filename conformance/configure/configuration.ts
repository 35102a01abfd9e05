/** The settings of the target while checks run: as they are, or with `--configure` as the checks want them. */
import { limitTime } from '../verdict/deadlines.js';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import type { Connection } from '../client/http.js';
import { type Findings, type Knowledge, knowledgeFrom } from '../client/target-info.js';
import type { SettingValues } from '../client/settings.js';
import { readSetting, writeSetting } from './config-endpoint.js';
import type { Debt } from './cleanup-task.js';
import type { Ledger } from './cleanup.js';

export interface Configuration {
  /** What is known of the target between the changes. */
  readonly known: Knowledge;
  /**
   * Runs `body` under these settings, and puts them back however it ends.
   *
   * @param body is told what is known then and, when the settings could not be changed, why. Where nobody may change
   * them it runs under those that there are.
   */
  during<T>(wanted: SettingValues, body: (known: Knowledge, problem?: string) => Promise<T>): Promise<T>;
}

/** What every change needs. */
export interface Change {
  connection: Connection;
  /** Of the run: when it ends, nothing is changed any more. */
  signal: AbortSignal;
  nodes: number;
  ledger: Ledger;
}

/** How long the target has for all settings that a group of checks wants, in milliseconds. */
const changeMs = 10_000;

/** How this run's own changes are known. */
export const from = 'as this run has set it';

export function fixedConfiguration(findings: Findings): Configuration {
  const known = knowledgeFrom(findings);
  return { known, during: (_, body) => body(known) };
}

export function changeableConfiguration(input: Change & { findings: Findings }): Configuration {
  const { findings, ledger } = input;
  const known = knowledgeFrom(findings);
  return {
    known,
    async during(wanted, body) {
      const changed = await changeSettings({ ...input, wanted });
      try {
        if (changed.problem !== undefined) return await body(known, changed.problem);
        const settings = findings.settings.with(changed.values, from);
        return await body(knowledgeFrom({ ...findings, settings }));
      } finally {
        await ledger.pay(changed.debts);
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
  input: Change & { wanted: SettingValues },
): Promise<{ values: SettingValues; debts: Debt[]; problem?: string }> {
  const { connection, signal, nodes, ledger, wanted } = input;
  const time = limitTime(signal, changeMs, new Inconclusive('The target was too slow to change settings.'));
  const client = connection.client(time.signal, []);
  const values: Record<string, string | null> = {};
  const debts: Debt[] = [];
  try {
    for (const [name, value] of Object.entries(wanted)) {
      for (let node = 0; node < nodes; node += 1) {
        const before = await readSetting(client, node, name);
        if (before !== value) debts.push(ledger.owe({ kind: 'setting', node, name, before }));
        values[name] = before === value ? value : await writeSetting(client, node, name, value);
        if (value !== null && values[name] !== value) {
          throw new Blocked(`${name} does not take the value that it is given.`);
        }
      }
    }
    return { values, debts };
  } catch (error) {
    if (!(error instanceof Blocked || error instanceof Inconclusive)) throw error;
    return { values, debts, problem: error.message };
  } finally {
    time.clear();
  }
}
