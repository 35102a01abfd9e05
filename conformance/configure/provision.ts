/** What a run with `--configure` adds to its target for as long as it runs, so that tokens can be checked without a file. */
import { randomBytes } from 'node:crypto';
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { keyTypes } from '../client/authentication.js';
import type { ProbeResults } from '../client/target-info.js';
import type { Settings, SettingValues } from '../client/settings.js';
import { setByThisRun } from './configuration.js';
import { namePrefix } from './cleanup-task.js';
import { type MadeKey, makeKey } from './keys.js';

/** What is set where nothing is, so that it is known. */
const ifUnset = {
  jwt: { 'jwt_auth/required_claims': 'exp' },
  proxy: { 'chttpd_auth/hash_algorithms': 'sha256, sha' },
} as const;

/** The first version of the service with `=` in the names of keys (SERVICE 9). */
const equalsSince = '3.3.0';

/** Keys of this run's own, and values for what has none: nothing that others rely on gets another value. */
export async function createProvisions(
  findings: ProbeResults,
  run: string,
  version: string | undefined,
): Promise<{ keys: MadeKey[]; values: SettingValues }> {
  const { handlers, settings } = findings;
  const active = (handler: string): boolean => handlers === undefined || handlers.includes(handler);

  // That tokens count for nothing without their handler is a rule too: keys are there in any case.
  const keys = await ownKeys(findings, run, version);
  return {
    keys,
    values: {
      ...Object.fromEntries(keys.map(({ name, value }) => [`jwt_keys/${name}`, value])),
      ...(active('jwt') ? unset(settings, ifUnset.jwt) : {}),
      ...(active('proxy') ? unset(settings, { ...ifUnset.proxy, ...proxySecret() }) : {}),
    },
  };
}

export const proxySecret = (): SettingValues => ({ 'chttpd_auth/secret': randomBytes(16).toString('hex') });

/** Those that have no value yet. */
export function unset(settings: Settings, values: SettingValues): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => settings.get(name) === null));
}

/**
 * Two of each kind, so that one can be taken for the other; one of them is the default key, if there is none. Public keys
 * of both kinds have one name, and no secret has it: whoever looks for a secret there must find none.
 */
function ownKeys(
  { settings, keys }: ProbeResults,
  run: string,
  version: string | undefined,
): Promise<MadeKey[]> {
  const declared = coerce(version);
  const wanted = keyTypes.flatMap((type) => {
    const kid = `${namePrefix}${run}${type === 'hmac' ? '-secret' : ''}`;
    const defaultIsFree =
      settings.get(`jwt_keys/${type}:_default`) === null &&
      !keys.some((key) => key.type === type && key.kid === undefined);
    return [makeKey(type, kid), makeKey(type, defaultIsFree ? undefined : `${kid}-2`)];
  });
  const equals = declared && lt(declared, equalsSince) ? [] : [makeKey('hmac', `${namePrefix}${run}=1`)];
  return Promise.all([...wanted, ...equals]);
}

/** What is known once the provisions are in force. */
export function withProvisions(
  findings: ProbeResults,
  keys: readonly MadeKey[],
  values: SettingValues,
): ProbeResults {
  return {
    ...findings,
    settings: findings.settings.with(values, setByThisRun),
    keys: [
      ...findings.keys,
      ...keys.map(({ type, kid, key, alg }) => ({
        ...{ type, key, alg, source: 'made by this run', configured: true },
        ...(kid === undefined ? {} : { kid }),
      })),
    ],
  };
}
