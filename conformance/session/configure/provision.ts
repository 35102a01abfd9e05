/** Adds keys and settings during a run with `--configure`, so that no target file is needed to check tokens. */
import { randomBytes } from 'node:crypto';
import type { KeyType } from '../settings/authentication.js';
import { isOlder } from '../probe/service-version.js';
import type { ProbeResults } from '../probe/target-info.js';
import type { Settings, SettingValues } from '../settings/settings.js';
import { setByThisRun } from './apply-settings.js';
import { namePrefix } from '../cleanup/cleanup-task.js';
import { type GeneratedKey, generateKeys, withKid } from '../settings/keys.js';

/** Values for settings that have none, so that checks know them. */
const ifUnset = {
  jwt: { 'jwt_auth/required_claims': 'exp' },
  proxy: { 'chttpd_auth/hash_algorithms': 'sha256, sha' },
} as const;

/** The first version of the service that allows `=` in names of keys (SERVICE 9). */
const equalsSince = '3.3';

/** Generates the keys of a run, which starts this before it knows which of them the target can have. */
export const generateRunKeys = (run: string): Promise<GeneratedKey[]> =>
  generateKeys((type) => [kidOf(type, run), undefined], `${namePrefix}${run}=1`);

const kidOf = (type: KeyType, run: string): string =>
  `${namePrefix}${run}${type === 'hmac' ? '-secret' : ''}`;

/**
 * Provides the keys that the target can have, and values only for settings that have none, so that no existing setting
 * changes.
 *
 * @param generated what {@link generateRunKeys} has generated.
 */
export function createProvisions(
  probeResults: ProbeResults,
  run: string,
  version: string | undefined,
  generated: readonly GeneratedKey[],
): { keys: readonly GeneratedKey[]; values: SettingValues } {
  const { handlers, settings } = probeResults;
  const isActive = (handler: string): boolean => handlers === undefined || handlers.includes(handler);
  const mayBeDefault = ({ type, name }: GeneratedKey): boolean =>
    settings.get(`jwt_keys/${name}`) === null &&
    !probeResults.keys.some((key) => key.type === type && key.kid === undefined);

  // Keys are needed even without the handler: a rule says that tokens then have no effect.
  const keys = generated
    .filter(({ kid }) => !kid?.includes('=') || !isOlder(version, equalsSince))
    .map((key) =>
      key.kid !== undefined || mayBeDefault(key) ? key : withKid(key, `${kidOf(key.type, run)}-2`),
    );
  return {
    keys,
    values: {
      ...Object.fromEntries(keys.map(({ name, value }) => [`jwt_keys/${name}`, value])),
      ...(isActive('jwt') ? unset(settings, ifUnset.jwt) : {}),
      ...(isActive('proxy') ? unset(settings, { ...ifUnset.proxy, ...proxySecret() }) : {}),
    },
  };
}

export const proxySecret = (): SettingValues => ({ 'chttpd_auth/secret': randomBytes(16).toString('hex') });

/** The given values of settings that have none yet. */
export function unset(settings: Settings, values: SettingValues): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => settings.get(name) === null));
}

/** Adds the keys and settings to what the suite knows about the target. */
export function withProvisions(
  probeResults: ProbeResults,
  keys: readonly GeneratedKey[],
  values: SettingValues,
): ProbeResults {
  return {
    ...probeResults,
    settings: probeResults.settings.with(values, setByThisRun),
    keys: [
      ...probeResults.keys,
      ...keys.map((key) => ({ ...key, source: 'created by this run', configured: true })),
    ],
  };
}
