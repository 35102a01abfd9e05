/** Combines probe results, declarations of the user and changes by this run into what checks know about the target. */
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import type { Capability } from '../../../openapi/generated/rules.js';
import { authenticationCapabilities } from './authentication-capabilities.js';
import { type Authentication, authenticationOf, type SigningKey } from '../settings/authentication.js';
import type { CapabilityStatus } from './capabilities.js';
import type { Obstacle } from './obstacles.js';
import type { FeedLag } from './feed-lag.js';
import type { Settings, SettingValues } from '../settings/settings.js';

export interface ProbeResults {
  readonly names: DialectNames;
  /** The active handlers, if the target lists them. */
  readonly handlers: readonly string[] | undefined;
  /** Why the suite could not add missing handlers. */
  readonly handlersFixedReason?: string;
  readonly settings: Settings;
  readonly obstacles: readonly Obstacle[];
  readonly feedLag: FeedLag;
  /** Keys that are not in the settings. */
  readonly keys: readonly SigningKey[];
  /** Capabilities according to probes. */
  readonly probed: readonly CapabilityStatus[];
  /** The number of copies of a database, if the target tells it. */
  readonly copies?: number | undefined;
  /** Whether a database has one shard without asking for it. */
  readonly hasOneShard: boolean;
  /** Capabilities according to the user. These override probes. */
  readonly declared: readonly CapabilityStatus[];
}

/** What checks know about the target. */
export interface TargetInfo extends Pick<
  ProbeResults,
  'settings' | 'obstacles' | 'feedLag' | 'copies' | 'hasOneShard'
> {
  readonly auth: Authentication;
  /** Whether a write is visible everywhere as soon as it is acknowledged. */
  readonly hasOneCopy: boolean;
  /** What to set so that a check can wait as long as it needs. */
  readonly waitSettings: SettingValues;
  /** By name. One that is missing is not known. */
  readonly capabilities: ReadonlyMap<string, CapabilityStatus>;
  /** The capabilities that the target lacks, or that its probe did not find. */
  readonly lacks: ReadonlySet<Capability>;
}

/** Capabilities without which a target cannot have others either, each before those that depend on the other. */
const dependent: readonly (readonly [needed: Capability, name: Capability])[] = [
  ['new-edits', 'conflicts'],
  ['conflicts', 'conflict-edits'],
  ['design-documents', 'functions'],
];

/** Call this again whenever a setting changes. */
export function targetInfoFrom(results: ProbeResults): TargetInfo {
  const { settings, probed, declared, feedLag, copies, hasOneShard, obstacles } = results;
  const auth = authenticationOf(results);
  const capabilities = new Map<string, CapabilityStatus>(
    [...probed, ...authenticationCapabilities(auth, probed, results.names.dialect), ...declared].map(
      (status) => [status.name, status],
    ),
  );
  for (const [needed, name] of dependent) {
    const status = capabilities.get(needed);
    if (status && !status.available) capabilities.set(name, { ...status, name });
  }
  return {
    auth,
    obstacles,
    feedLag,
    copies,
    hasOneCopy: capabilities.get('single-copy')?.available === true,
    hasOneShard,
    settings,
    waitSettings: waitSettingsFor(settings),
    capabilities,
    lacks: new Set([...capabilities.values()].filter(({ available }) => !available).map(({ name }) => name)),
  };
}

const timeoutSetting = 'chttpd/changes_timeout';

/** Whether a setting, by `section/key`, affects no check that does not wait. */
export const concernsWaitsOnly = (name: string): boolean => name === timeoutSetting;

/** The default of the setting, in milliseconds (SERVICE 8). Feeds then stay open for as long as any check needs. */
const longEnoughMs = 60_000;

/** Whether a check that needs this value needs no change: it is a default that the target has. */
export const hasDefault = (settings: Settings, name: string, value: string | null): boolean =>
  name === timeoutSetting &&
  value === String(longEnoughMs) &&
  (settings.get(name) === value || settings.get(name) === null);

/** With a short default and maximum of `timeout` (SERVICE 8), feeds end while a check still expects them to be open. */
function waitSettingsFor(settings: Settings): SettingValues {
  const value = settings.get(timeoutSetting);
  const isShort = typeof value === 'string' && /^\d+$/.test(value) && Number(value) < longEnoughMs;
  return isShort ? { [timeoutSetting]: String(longEnoughMs) } : {};
}
