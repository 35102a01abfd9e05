/** Adds keys and settings during a run with `--configure`, so that no target file is needed to check tokens. */
import { randomBytes } from 'node:crypto';
import { keyTypes } from './authentication.js';
import { isOlder } from './service-version.js';
import type { ProbeResults } from './target-info.js';
import type { Settings, SettingValues } from './settings.js';
import { setByThisRun } from './apply-settings.js';
import { namePrefix } from './cleanup-task.js';
import { type GeneratedKey, generateKey } from './keys.js';

/** Values for settings that have none, so that checks know them. */
const ifUnset = {
  jwt: { 'jwt_auth/required_claims': 'exp' },
  proxy: { 'chttpd_auth/hash_algorithms': 'sha256, sha' },
} as const;

/** The first version of the service that allows `=` in names of keys (SERVICE 9). */
const equalsSince = '3.3';

/** Generates keys, and values only for settings that have none, so that no existing setting changes. */
export async function createProvisions(
  probeResults: ProbeResults,
  run: string,
  version: string | undefined,
): Promise<{ keys: GeneratedKey[]; values: SettingValues }> {
  const { handlers, settings } = probeResults;
  const isActive = (handler: string): boolean => handlers === undefined || handlers.includes(handler);

  // Keys are needed even without the handler: a rule says that tokens then have no effect.
  const keys = await generateKeys(probeResults, run, version);
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

/**
 * Generates two keys of each type, so that checks can use the wrong one. One of them is the default key, if there is
 * none yet. RSA and EC keys share a name that no secret has, so that checks can sign with a public key as if it were a
 * secret.
 */
function generateKeys(
  { settings, keys }: ProbeResults,
  run: string,
  version: string | undefined,
): Promise<GeneratedKey[]> {
  const generated = keyTypes.flatMap((type) => {
    const kid = `${namePrefix}${run}${type === 'hmac' ? '-secret' : ''}`;
    const hasNoDefault =
      settings.get(`jwt_keys/${type}:_default`) === null &&
      !keys.some((key) => key.type === type && key.kid === undefined);
    return [generateKey(type, kid), generateKey(type, hasNoDefault ? undefined : `${kid}-2`)];
  });
  const withEquals = isOlder(version, equalsSince) ? [] : [generateKey('hmac', `${namePrefix}${run}=1`)];
  return Promise.all([...generated, ...withEquals]);
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
