/** Prepares the target for a run: identifies it, probes it and, with `--configure`, takes the lock and adds keys and settings. */
import { asRefusal, Refusal } from '../engine/refusal.js';
import { Blocked, Unreachable } from '../engine/outcomes.js';
import { defaultTimeout } from '../http/answers.js';
import type { HttpClient } from '../http/client.js';
import { clientFinishingWrites } from './cleanup/finishing-writes.js';
import { takeLock } from './cleanup/lock.js';
import { activateHandlers } from './configure/activate-handlers.js';
import { changeSettings, type TargetSettings, targetSettings } from './configure/apply-settings.js';
import { createProvisions, generateRunKeys, withProvisions } from './configure/provision.js';
import { identify, type Preparation, probe } from './identify-and-probe.js';
import { type CapabilityStatus, capabilityStatus } from './probe/capabilities.js';
import type { Identity } from './probe/greeting.js';
import { answersMs } from './probe/probe-obstacles.js';
import type { ProbeResults } from './probe/target-info.js';
import type { GeneratedKey } from './settings/keys.js';
import { secretsIn } from './settings/settings.js';

/** Time for all requests before the first check but those that the target does not answer, in milliseconds. */
const prepareMs = 30_000;

interface PreparedTarget {
  readonly identity: Identity;
  /** The service version according to the options or the greeting. */
  readonly version: string | undefined;
  readonly configuration: TargetSettings;
  readonly warnings: readonly string[];
}

/**
 * @throws Refusal if the target is unreachable or unsupported, rejects the credentials, or is locked by another run, and
 * if the run is interrupted meanwhile.
 */
export async function prepareTarget(input: Preparation): Promise<PreparedTarget> {
  const { connection, signal, options } = input;
  const clientFor = (ms: number): ReturnType<typeof clientFinishingWrites> => {
    const tooSlow = new Unreachable(`no response within ${ms / 1000} s`);
    return clientFinishingWrites(connection, signal, ms, tooSlow, input.observers);
  };
  const first = clientFor(prepareMs);
  const others = clientFor(prepareMs + answersMs(options.timeout ?? defaultTimeout));
  const interrupted = 'the run was interrupted before the first check, so there is no report';
  try {
    const identity = await identify(first.client, input.urls, options.dialect);
    const target = await prepare(input, others.client, identity);
    if (signal.aborted) throw new Refusal('target', interrupted);
    return target;
  } catch (error) {
    if (signal.aborted && error instanceof Refusal)
      throw new Refusal('target', interrupted, { cause: error });
    throw error;
  } finally {
    first.clear();
    others.clear();
  }
}

async function prepare(input: Preparation, client: HttpClient, identity: Identity): Promise<PreparedTarget> {
  const { options, redact, header } = input;
  const generated = options.configure ? generateRunKeys(header.run) : undefined;
  const { probeResults, warnings } = await probe(input, client, identity);
  redact.addSecrets(secretsIn(probeResults.settings));
  const { version, warning } =
    options.serviceVersion === undefined ? identity.declared : { version: options.serviceVersion };
  const { configuration, warnings: configureWarnings } = generated
    ? await startConfiguring(input, client, probeResults, version, generated)
    : withoutConfiguring(probeResults);
  return {
    identity,
    version,
    configuration,
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...identity.warnings,
      ...warnings,
      ...configureWarnings,
    ],
  };
}

interface ConfigurationStart {
  configuration: TargetSettings;
  warnings: string[];
}

function withoutConfiguring(probeResults: ProbeResults): ConfigurationStart {
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
async function startConfiguring(
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
