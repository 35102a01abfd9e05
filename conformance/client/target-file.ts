/** `docfeed.target.yaml`: what a user knows of a target that its answers do not show (target-file.schema.json). */
import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { Refusal } from '../verdict/refusal.js';
import { algOf, type KeyType, type SigningKey } from './authentication.js';
import type { CapabilityStatus } from './capabilities.js';
import { declaredCapability } from './declared-capabilities.js';
import type { SettingValues } from './settings.js';

/** What the file says, in the words of the suite. */
export interface TargetFile {
  readonly keys: readonly SigningKey[];
  readonly settings: SettingValues;
  readonly declared: readonly CapabilityStatus[];
  /** What must not be shown. */
  readonly secrets: readonly string[];
}

type Secret = string | { file: string } | { env: string };

/** The form that the schema describes. */
interface Content {
  'jwt-keys'?: { type: KeyType; kid?: string; key: Secret }[];
  'proxy-secret'?: Secret;
  'proxy-headers'?: { 'user-name'?: string; roles?: string; token?: string };
  'hash-algorithms'?: string[];
  'required-claims'?: string;
  'roles-claim-name'?: string;
  'roles-claim-path'?: string;
  capabilities?: Record<string, boolean>;
}

/** Where something stands in the file: keys of mappings and positions in lists. */
type Path = readonly (string | number)[];

/** The values of settings are in the file by other names. */
const settingOf = {
  'required-claims': 'jwt_auth/required_claims',
  'roles-claim-name': 'jwt_auth/roles_claim_name',
  'roles-claim-path': 'jwt_auth/roles_claim_path',
} as const;

const headerSettingOf = {
  'user-name': 'chttpd_auth/x_auth_username',
  roles: 'chttpd_auth/x_auth_roles',
  token: 'chttpd_auth/x_auth_token',
} as const;

/** @throws Refusal with file, line and what would be right; never with anything that the file holds as a secret. */
export async function readTargetFile(file: string): Promise<TargetFile> {
  let source: string;
  try {
    source = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal('file', `cannot read target file ${file}: ${code ?? message}`);
  }
  const lines = new LineCounter();
  // The pretty errors of the library would quote the line, and with it what may be a secret.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const refuse = (line: number, what: string): never => {
    throw new Refusal('file', `${file}:${line}: ${what}`);
  };
  const refuseAt = (path: Path, what: string): never =>
    refuse(lineOf(document, lines, path), path.length === 0 ? what : `${path.join('.')} ${what}`);

  const [syntax] = document.errors;
  if (syntax) refuse(lines.linePos(syntax.pos[0]).line, `is not YAML: ${syntax.message.split('\n')[0]!}`);
  const content = (document.toJS() ?? {}) as Content;
  const objection = firstObjection(content);
  if (objection) refuseAt(objection.path, objection.what);

  const secrets: string[] = [];
  const secret = async (value: Secret, path: Path): Promise<string> => {
    const text = await resolveSecret(value, dirname(file)).catch((error: Error) =>
      refuseAt(path, error.message),
    );
    secrets.push(text);
    return text;
  };

  const keys: SigningKey[] = [];
  for (const [index, { type, kid, key }] of (content['jwt-keys'] ?? []).entries()) {
    const path = ['jwt-keys', index, 'key'];
    if (keys.some((known) => known.type === type && known.kid === kid)) {
      refuseAt(['jwt-keys', index], `is the second ${type} key of this kid`);
    }
    const made = keyFrom(type, await secret(key, path));
    if (typeof made === 'string') return refuseAt(path, made);
    keys.push({
      type,
      ...(kid === undefined || kid === '_default' ? {} : { kid }),
      key: made,
      alg: algOf(type, made),
      source: `in ${file}`,
      configured: false,
    });
  }

  const settings: Record<string, string> = {};
  if (content['proxy-secret'] !== undefined) {
    settings['chttpd_auth/secret'] = await secret(content['proxy-secret'], ['proxy-secret']);
    settings['chttpd_auth/proxy_use_secret'] = 'true';
  }
  if (content['hash-algorithms']) {
    settings['chttpd_auth/hash_algorithms'] = content['hash-algorithms'].join(', ');
  }
  for (const [name, setting] of Object.entries(settingOf)) {
    const value = content[name as keyof typeof settingOf];
    if (value !== undefined) settings[setting] = value;
  }
  for (const [name, setting] of Object.entries(headerSettingOf)) {
    const value = content['proxy-headers']?.[name as keyof typeof headerSettingOf];
    if (value !== undefined) settings[setting] = value;
  }

  const claims = Object.entries(content.capabilities ?? {}).map(([name, available]) => {
    const claim = declaredCapability(name, available, `${file} says so`);
    return typeof claim === 'string' ? refuseAt(['capabilities', name], claim) : claim;
  });
  return { keys, settings, declared: claims, secrets };
}

async function resolveSecret(value: Secret, folder: string): Promise<string> {
  if (typeof value === 'string') return value;
  if ('env' in value) {
    const text = process.env[value.env];
    if (!text) throw new Error(`names the environment variable ${value.env}, which is not set`);
    return text;
  }
  try {
    // Editors and `echo` end a file with a line feed that is no part of the secret.
    return (await readFile(resolve(folder, value.file), 'utf8')).trimEnd();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`names the file ${value.file}, which cannot be read: ${code}`, { cause: error });
  }
}

/** The key, or what is wrong with its text, without that text. */
function keyFrom(type: KeyType, text: string): KeyObject | string {
  if (type === 'hmac') {
    const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
    return base64.test(text) ? createSecretKey(text, 'base64') : 'must be base64, as in jwt_keys';
  }
  try {
    // In an environment variable or an ini the line ends are often escaped.
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType === type) return key;
    return `must be a key of type ${type}, not ${key.asymmetricKeyType}`;
  } catch {
    return 'must be a private key in PEM, without a passphrase';
  }
}

let validate: ReturnType<Ajv2020['compile']> | undefined;

function firstObjection(content: unknown): { path: Path; what: string } | undefined {
  validate ??= new Ajv2020({ verbose: true }).compile(
    createRequire(import.meta.url)('docfeed/target-file.schema.json') as object,
  );
  if (validate(content)) return undefined;
  // Of alternatives that all fail the last error is the one of the choice itself.
  const error = validate.errors!.at(-1)!;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return objectionOf(error, path);
}

function objectionOf(
  { keyword, params, parentSchema, message }: ErrorObject,
  path: Path,
): { path: Path; what: string } {
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as { properties: object }).properties);
    const name = String((params as { additionalProperty: string }).additionalProperty);
    return { path: [...path, name], what: `is not known here; there is ${known.join(', ')}` };
  }
  if (keyword === 'required') {
    return { path, what: `lacks "${(params as { missingProperty: string }).missingProperty}"` };
  }
  if (keyword === 'enum') {
    return {
      path,
      what: `must be one of ${(params as { allowedValues: string[] }).allowedValues.join(', ')}`,
    };
  }
  if (keyword === 'anyOf') {
    return { path, what: `must be ${(parentSchema as { description: string }).description}` };
  }
  return { path, what: message! };
}

/** The line, counted from 1, of the last step on the path that there is; of a member, that of its name. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const next: unknown = pair
      ? pair.key
      : (node as { get?: (key: unknown, keep: true) => unknown })?.get?.(step, true);
    if (isNode(next) && next.range) offset = next.range[0];
    node = pair ? pair.value : next;
  }
  return lines.linePos(offset).line;
}
