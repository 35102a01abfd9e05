/** Prepares the target for a run: identifies it, probes it and, with `--configure`, adds keys and settings. */
import type { HttpClient } from '../http/client.js';
import { defaultTimeout } from '../http/answers.js';
import type { Identity } from './probe/greeting.js';
import { answersMs } from './probe/probe-obstacles.js';
import { secretsIn } from './settings/settings.js';
import { Unreachable } from '../engine/outcomes.js';
import type { TargetSettings } from './configure/apply-settings.js';
import { identify, type Preparation, probe } from './discovery.js';
import { Refusal } from '../engine/refusal.js';
import { beginConfiguring, withoutConfiguring } from './begin.js';
import { generateRunKeys } from './configure/provision.js';
import { clientFinishingWrites } from './cleanup/finishing-writes.js';
import { versionWarnings } from './probe/service-version.js';

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
    return clientFinishingWrites(connection, signal, ms, tooSlow);
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
