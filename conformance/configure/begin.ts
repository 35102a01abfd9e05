/** How a run with `--configure` begins: the lock, what the run adds to the target, and whether the target lets it. */
import { Blocked } from '../verdict/outcomes.js';
import { asRefusal, Refusal } from '../verdict/refusal.js';
import type { CapabilityStatus } from '../client/capabilities.js';
import type { Connection } from '../client/http.js';
import type { ProbeResults } from '../client/target-info.js';
import type { Redactor } from '../client/redact.js';
import { secretsIn } from '../client/settings.js';
import type { HttpClient } from '../client/client.js';
import { changeableConfiguration, changeSettings, fixedConfiguration } from './configuration.js';
import type { JournalHeader } from './journal.js';
import type { TargetCleanup } from './cleanup.js';
import { takeLock } from './lock.js';
import type { Configuration } from '../runner/configuration.js';
import { activateHandlers } from './activate-handlers.js';
import { createProvisions, withProvisions } from './provision.js';

interface ConfigurationStart {
  configuration: Configuration;
  warnings: string[];
}

/** Without `--configure`. */
export function withoutConfiguring(findings: ProbeResults): ConfigurationStart {
  const why = '--configure is not given';
  return {
    configuration: fixedConfiguration(configWrite({ ...findings, handlersFixedReason: why }, false, why)),
    warnings: [],
  };
}

/** Whether settings can be changed, as a capability. */
function configWrite(findings: ProbeResults, available: boolean, how: string): ProbeResults {
  return {
    ...findings,
    probed: [...findings.probed, { name: 'config-write', available, how } satisfies CapabilityStatus],
  };
}

/**
 * Takes the lock and adds what checks need to sign tokens with.
 *
 * @returns a configuration that can be changed, or with a warning one that cannot, where the target refuses.
 * @throws Refusal when another run is at work on the target.
 */
export async function beginConfiguring(input: {
  connection: Connection;
  client: HttpClient;
  cleanup: TargetCleanup;
  facts: JournalHeader;
  redact: Redactor;
  findings: ProbeResults;
  version: string | undefined;
  signal: AbortSignal;
}): Promise<ConfigurationStart> {
  const { connection, client, cleanup, facts, redact, findings, version, signal } = input;
  const refused = async (why: string): Promise<ConfigurationStart> => {
    await cleanup.run();
    return {
      configuration: fixedConfiguration(configWrite(findings, false, why)),
      warnings: [`--configure: ${why}; settings stay as they are.`],
    };
  };
  if (!findings.probed.some(({ name, available }) => name === 'config-read' && available)) {
    return refused('the configuration cannot be read');
  }
  const lock = cleanup.add({ kind: 'lock', run: facts.run });
  try {
    await takeLock(client, facts);
  } catch (error) {
    if (error instanceof Refusal) cleanup.markDone(lock);
    if (error instanceof Blocked) return refused(error.message);
    throw asRefusal(error);
  }
  const change = { connection, signal, nodes: facts.urls.length, cleanup };
  const active = await activateHandlers(change, client, findings);
  const { keys, values: wanted } = await createProvisions(active, facts.run, version);
  const { values, problem } = await changeSettings({ ...change, wanted });
  if (problem !== undefined) return refused(problem);
  const provided = withProvisions(active, keys, values);
  redact.hide(secretsIn(provided.settings));
  return {
    configuration: changeableConfiguration({
      ...change,
      findings: configWrite(provided, true, '--configure is given, and the target takes settings'),
    }),
    warnings: [],
  };
}
