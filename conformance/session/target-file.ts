/** Reads `docfeed.target.yaml`, in which users declare what a target does not reveal (target-file.schema.json). */
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Capability } from '../../openapi/generated/rules.js';
import type { TargetFile as Content } from '../generated/target-file.js';
import { algOf, type SigningKey } from './settings/authentication.js';
import type { CapabilityStatus } from './probe/capabilities.js';
import { capabilityNamed, declaredCapability } from './probe/declared-capabilities.js';
import { pointerKeys } from '../http/json-pointer.js';
import type { ShellCommand } from './database-command.js';
import type { DatabaseCreation } from './databases.js';
import { describeSchemaError } from '../../reports/schema-error.js';
import type { SettingValues } from './settings/settings.js';
import { keyFrom, resolveSecret, type SecretSource } from './settings/target-file-keys.js';
import { readYamlFile, type YamlFile, type YamlPath } from './yaml-file.js';

export interface TargetFile {
  readonly keys: readonly SigningKey[];
  readonly settings: SettingValues;
  readonly declared: readonly CapabilityStatus[];
  /** Capabilities whose lack makes the run fail. */
  readonly required: readonly Capability[];
  readonly databases: DatabaseCreation;
  /** Values that must not appear in reports. */
  readonly secrets: readonly string[];
}

type SecretReader = (source: SecretSource, path: YamlPath) => Promise<string>;

/** @throws Refusal with file, line and what would be valid. Never quotes a secret. */
export async function readTargetFile(file: string): Promise<TargetFile> {
  const yaml = await readYamlFile(file, 'target file');
  const content = validate(yaml);
  const secrets: string[] = [];
  const readSecret: SecretReader = async (source, path) => {
    const text = await resolveSecret(source, dirname(file)).catch((error: Error) =>
      yaml.refuse(path, error.message),
    );
    secrets.push(text);
    return text;
  };
  return {
    keys: await keysIn(content, yaml, file, readSecret),
    settings: await settingsIn(content, readSecret),
    declared: Object.entries(content.capabilities ?? {}).map(([name, available]) =>
      declaredCapability(name, available, `declared in ${file}`, (problem) =>
        yaml.refuse(['capabilities', name], problem),
      ),
    ),
    required: (content.require ?? []).map((name, index) =>
      capabilityNamed(name, (problem) => yaml.refuse(['require', index], problem)),
    ),
    databases: databasesIn(content, yaml, file),
    secrets,
  };
}

/** The options of `docfeed check` in a target file, by their names on the command line, and the URLs of the target. */
export interface CheckOptionsInFile {
  readonly urls: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * @param isGiven whether the command line or the environment has the option, so that the file does not count
 * @throws Refusal with file, line and what would be valid.
 */
export async function readCheckOptions(
  file: string,
  isGiven: (name: string) => boolean,
): Promise<CheckOptionsInFile> {
  const yaml = await readYamlFile(file, 'target file');
  const { url = [], ...inFile } = validate(yaml).check ?? {};
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(inFile)) {
    if (isGiven(name)) continue;
    if (name === 'admin') {
      options[name] = await resolveSecret(inFile.admin!, dirname(file)).catch((error: Error) =>
        yaml.refuse(['check', 'admin'], error.message),
      );
    } else options[name] = isPath(name) ? resolve(dirname(file), value as string) : value;
  }
  return { urls: [url].flat(), options };
}

const isPath = (name: string): boolean => name === 'baseline' || name === 'report-dir';

function validate(yaml: YamlFile): Content {
  const content = yaml.content ?? {};
  const schema = createRequire(import.meta.url)('docfeed/target-file.schema.json') as object;
  const isValid = new Ajv2020({ verbose: true }).compile(schema);
  if (isValid(content)) return content;
  // If all alternatives of a choice fail, the last error is about the choice itself.
  const error = isValid.errors!.at(-1)!;
  const path = pointerKeys(error.instancePath).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const { additionalProperty } = error.params as { additionalProperty?: string };
  const linePath = additionalProperty === undefined ? path : [...path, additionalProperty];
  return yaml.refuse(path, describeSchemaError(error), linePath);
}

function databasesIn({ databases = {} }: Content, yaml: YamlFile, file: string): DatabaseCreation {
  const { 'create-body': body, create, remove } = databases;
  if (create === undefined || remove === undefined) return body === undefined ? {} : { body };
  if (body !== undefined) yaml.refuse(['databases', 'create-body'], 'has no effect beside `create`');
  const commandOf = (key: string, command: string): ShellCommand => ({
    name: `databases.${key} in ${file}`,
    command,
    folder: resolve(dirname(file)),
  });
  return { commands: { create: commandOf('create', create), remove: commandOf('remove', remove) } };
}

async function keysIn(
  content: Content,
  yaml: YamlFile,
  file: string,
  readSecret: SecretReader,
): Promise<SigningKey[]> {
  const keys: SigningKey[] = [];
  for (const [index, { type, kid, key: source }] of (content['jwt-keys'] ?? []).entries()) {
    const path = ['jwt-keys', index, 'key'];
    if (keys.some((other) => other.type === type && other.kid === kid)) {
      yaml.refuse(['jwt-keys', index], `is the second ${type} key with this kid`);
    }
    const key = keyFrom(type, await readSecret(source, path));
    if (typeof key === 'string') return yaml.refuse(path, key);
    keys.push({
      type,
      ...(kid === undefined || kid === '_default' ? {} : { kid }),
      key,
      alg: algOf(type, key),
      source: `from ${file}`,
      configured: false,
    });
  }
  return keys;
}

async function settingsIn(content: Content, readSecret: SecretReader): Promise<SettingValues> {
  const secret = content['proxy-secret'];
  const headers = content['proxy-headers'];
  const settings: Readonly<Record<string, string | undefined>> = {
    ...(secret !== undefined && {
      'chttpd_auth/secret': await readSecret(secret, ['proxy-secret']),
      'chttpd_auth/proxy_use_secret': 'true',
    }),
    'chttpd_auth/hash_algorithms': content['hash-algorithms']?.join(', '),
    'chttpd_auth/x_auth_username': headers?.['user-name'],
    'chttpd_auth/x_auth_roles': headers?.roles,
    'chttpd_auth/x_auth_token': headers?.token,
    'jwt_auth/required_claims': content['required-claims'],
    'jwt_auth/roles_claim_name': content['roles-claim-name'],
    'jwt_auth/roles_claim_path': content['roles-claim-path'],
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
