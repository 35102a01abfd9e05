/** Prepares the target for a run: identifies it, probes it and, with `--configure`, adds keys and settings. */
import type { HttpClient } from '../http/client.js';
import type { Identity } from './detect.js';
import { secretsIn } from './settings.js';
import { Unreachable } from '../engine/outcomes.js';
import type { TargetSettings } from './apply-settings.js';
import { identify, type Preparation, probe } from './discovery.js';
import { Refusal } from '../engine/refusal.js';
import { beginConfiguring, withoutConfiguring } from './begin.js';
import { generateRunKeys } from './provision.js';
import { clientFinishingWrites } from './finishing-writes.js';
import { versionWarnings } from './service-version.js';

/** Time for all requests before the first check, in milliseconds. */
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
  const tooSlow = new Unreachable(`no response within ${prepareMs / 1000} s`);
  const { connection, signal } = input;
  const { client, clear } = clientFinishingWrites(connection, signal, prepareMs, tooSlow);
  const interrupted = 'the run was interrupted before the first check, so there is no report';
  try {
    const target = await prepare(input, client);
    if (signal.aborted) throw new Refusal('target', interrupted);
    return target;
  } catch (error) {
    if (signal.aborted && error instanceof Refusal)
      throw new Refusal('target', interrupted, { cause: error });
    throw error;
  } finally {
    clear();
  }
}

async function prepare(input: Preparation, client: HttpClient): Promise<PreparedTarget> {
  const { options, urls, redact, header } = input;
  const identity = await identify(client, urls, options.dialect);
  const generated = options.configure ? generateRunKeys(header.run) : undefined;
  const { probeResults, warnings } = await probe(input, client, identity);
  redact.addSecrets(secretsIn(probeResults.settings));
  const version = options.serviceVersion ?? identity.version;
  const { configuration, warnings: configureWarnings } = generated
    ? await beginConfiguring(input, client, probeResults, version, generated)
    : withoutConfiguring(probeResults);
  return {
    identity,
    version,
    configuration,
    warnings: [...versionWarnings(version), ...identity.warnings, ...warnings, ...configureWarnings],
  };
}
