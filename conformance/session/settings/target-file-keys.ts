/** Resolves secrets of the target file, and turns them into keys. */
import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KeyType } from './authentication.js';

/** A string, the path of a file, or the name of an environment variable. */
export type SecretSource = string | { file: string } | { env: string };

/**
 * @param folder base of relative paths.
 * @throws Error with a phrase on what is wrong with the source.
 */
export async function resolveSecret(source: SecretSource, folder: string): Promise<string> {
  if (typeof source === 'string') return source;
  if ('env' in source) {
    const text = process.env[source.env];
    if (!text) throw new Error(`refers to the environment variable ${source.env}, which is not set`);
    return text;
  }
  try {
    // Editors and `echo` end a file with a line feed that is not part of the secret.
    return (await readFile(resolve(folder, source.file), 'utf8')).trimEnd();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`refers to the file ${source.file}, which cannot be read: ${code}`, { cause: error });
  }
}

/** @returns the key, or a phrase on what is wrong with the text that does not quote it. */
export function keyFrom(type: KeyType, text: string): KeyObject | string {
  if (type === 'hmac') {
    const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
    return base64.test(text) ? createSecretKey(text, 'base64') : 'must be base64, as in jwt_keys';
  }
  try {
    // Environment variables and ini files often contain escaped line feeds.
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType === type) return key;
    return `must be a key of type ${type}, not ${key.asymmetricKeyType}`;
  } catch {
    return 'must be a private key in PEM format without a passphrase';
  }
}
