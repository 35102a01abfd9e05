/** Prepares the target for a run: identifies it, probes it and, with `--configure`, adds keys and settings. */
import type { HttpClient } from '../http/client.js';
import type { Identity } from './detect.js';
import type { Connection } from '../http/http.js';
import type { Redactor } from '../http/redact.js';
import { secretsIn } from './settings.js';
import { Unreachable } from '../engine/outcomes.js';
import type { TargetSettings } from './apply-settings.js';
import { identify, probe } from './discovery.js';
import type { ConformanceOptions } from './options.js';
import type { TargetOptions } from './target-options.js';
import { type Check, ruleOf } from './check.js';
import { Refusal } from '../engine/refusal.js';
import { beginConfiguring, withoutConfiguring } from './begin.js';
import type { TargetCleanup } from './cleanup.js';
import { clientFinishingWrites } from './finishing-writes.js';
import type { JournalHeader } from './journal-lines.js';

/** Time for all requests before the first check, in milliseconds. */
const prepareMs = 30_000;

interface PrepareOptions {
  options: ConformanceOptions;
  urls: readonly URL[];
  targetOptions: TargetOptions;
  /** The selected checks, which decide what to probe. */
  checks: readonly Check[];
  connection: Connection;
  cleanup: TargetCleanup;
  header: JournalHeader;
  redact: Redactor;
  signal: AbortSignal;
  /** Unique part of the name of the database for the probes. */
  probeName: string;
}

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
export async function prepareTarget(input: PrepareOptions): Promise<PreparedTarget> {
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

async function prepare(input: PrepareOptions, client: HttpClient): Promise<PreparedTarget> {
  const { options, urls, targetOptions, checks, connection, cleanup, header, redact, signal, probeName } =
    input;
  const identity = await identify(client, urls, options.dialect);
  const { probeResults, warnings } = await probe({
    client,
    cleanup,
    admin: options.admin,
    nodes: urls.length,
    identity,
    targetOptions,
    relevant: new Set(checks.flatMap((check) => [...ruleOf(check).needs, ...check.needs, ...check.optional])),
    name: probeName,
  });
  redact.addSecrets(secretsIn(probeResults.settings));
  const version = options.serviceVersion ?? identity.version;
  const { configuration, warnings: configureWarnings } = options.configure
    ? await beginConfiguring({ connection, client, cleanup, header, redact, probeResults, version, signal })
    : withoutConfiguring(probeResults);
  return {
    identity,
    version,
    configuration,
    warnings: [...identity.warnings, ...warnings, ...configureWarnings],
  };
}
