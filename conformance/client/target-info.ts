/** All that a run knows of its target, put together from what probes, the target file and this run's own changes say. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { Capability } from '../../openapi/generated/rules.js';
import { authenticationCapabilities } from './authentication-capabilities.js';
import { type Authentication, authenticationOf, type SigningKey } from './authentication.js';
import type { CapabilityStatus } from './capabilities.js';
import type { Settings } from './settings.js';

/** What was found out or told. */
export interface ProbeResults {
  readonly names: DialectNames;
  /** The active handlers, where the target lists them. */
  readonly handlers: readonly string[] | undefined;
  /** Why handlers that are missing there stay so, after an attempt to add them. */
  readonly handlersFixedReason?: string;
  readonly settings: Settings;
  /** Keys that do not stand in the settings. */
  readonly keys: readonly SigningKey[];
  /** What the probes showed. */
  readonly probed: readonly CapabilityStatus[];
  /** What the user says of the target, which counts more. */
  readonly declared: readonly CapabilityStatus[];
}

/** What checks are told. */
export interface TargetInfo {
  readonly auth: Authentication;
  readonly settings: Settings;
  readonly capabilityStatuses: readonly CapabilityStatus[];
  readonly capabilities: ReadonlySet<Capability>;
}

/** Pure: made again whenever a setting changes. */
export function targetInfoFrom(findings: ProbeResults): TargetInfo {
  const { settings, probed, declared } = findings;
  const auth = authenticationOf(findings);
  const claims = new Map(
    [...probed, ...authenticationCapabilities(auth), ...declared].map((claim) => [claim.name, claim]),
  );
  return {
    auth,
    settings,
    capabilityStatuses: [...claims.values()],
    capabilities: new Set([...claims.values()].filter(({ available }) => available).map(({ name }) => name)),
  };
}
