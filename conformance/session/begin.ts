/** Starts a run with or without `--configure`: takes the lock, activates handlers and adds keys and settings. */
import { Blocked } from '../engine/outcomes.js';
import { asRefusal, Refusal } from '../engine/refusal.js';
import { type CapabilityStatus, capabilityStatus } from './probe/capabilities.js';
import type { ProbeResults } from './probe/target-info.js';
import type { GeneratedKey } from './settings/keys.js';
import { secretsIn } from './settings/settings.js';
import type { HttpClient } from '../http/client.js';
import { changeSettings, type TargetSettings, targetSettings } from './configure/apply-settings.js';
import type { Preparation } from './discovery.js';
import { takeLock } from './cleanup/lock.js';
import { activateHandlers } from './configure/activate-handlers.js';
import { createProvisions, withProvisions } from './configure/provision.js';

interface ConfigurationStart {
  configuration: TargetSettings;
  warnings: string[];
}

export function withoutConfiguring(probeResults: ProbeResults): ConfigurationStart {
  const reason = '--configure is not used';
  const hasAdmin = probeResults.probed.some(({ name, available }) => name === 'admin' && available);
  const remedy = hasAdmin ? 'use --configure' : 'use --admin and --configure';
  const status = capabilityStatus('config-write', false, reason, remedy);
  return {
    configuration: targetSettings(withProbed({ ...probeResults, handlersFixedReason: reason }, status)),
    warnings: [],
  };
}

function withProbed(probeResults: ProbeResults, status: CapabilityStatus): ProbeResults {
  return { ...probeResults, probed: [...probeResults.probed, status] };
}

/**
 * Takes the lock, activates missing handlers, and adds keys and settings.
 *
 * @param generated keys for the target, of which it gets those that it can have.
 * @returns a configuration that checks can change, or a fixed one with a warning if the target refuses.
 * @throws Refusal if another run holds the lock.
 */
export async function beginConfiguring(
  { connection, cleanup, header, redact, signal }: Preparation,
  client: HttpClient,
  probeResults: ProbeResults,
  version: string | undefined,
  generated: Promise<readonly GeneratedKey[]>,
): Promise<ConfigurationStart> {
  const withoutChanges = async (sentence: string, isUnsupported: boolean): Promise<ConfigurationStart> => {
    await cleanup.run();
    const reason = sentence.replace(/\.$/, '');
    const status = capabilityStatus('config-write', isUnsupported ? false : undefined, reason);
    return {
      configuration: targetSettings(withProbed(probeResults, status)),
      warnings: [`--configure has no effect: ${reason}.`],
    };
  };
  const configRead = probeResults.probed.find(({ name }) => name === 'config-read');
  if (!configRead?.available) {
    return withoutChanges('the configuration of the target cannot be read', !configRead?.undecided);
  }
  const lock = cleanup.add({ kind: 'lock', run: header.run });
  try {
    await takeLock(client, header);
  } catch (error) {
    if (error instanceof Refusal) cleanup.markDone(lock);
    if (error instanceof Blocked) return withoutChanges(error.message, error.isUnsupported);
    throw asRefusal(error);
  }
  const context = { connection, signal, cleanup };
  const withHandlers = await activateHandlers(context, client, probeResults);
  const { keys, values: wanted } = createProvisions(withHandlers, header.run, version, await generated);
  const { values, problem } = await changeSettings({ ...context, wanted });
  if (problem !== undefined) {
    return withoutChanges(problem.message, problem instanceof Blocked && problem.isUnsupported);
  }
  const provided = withProvisions(withHandlers, keys, values);
  redact.addSecrets(secretsIn(provided.settings));
  const how = '--configure is used, and the target accepts settings';
  const status = capabilityStatus('config-write', true, how);
  return { configuration: targetSettings(withProbed(provided, status), context), warnings: [] };
}
