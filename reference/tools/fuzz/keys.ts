/** Public keys without private keys, so no token has a valid signature. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

export const publicKeys = (): Record<string, string> => ({
  'rsa:_default': escaped(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey),
  'ec:_default': escaped(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
});

const escaped = (key: KeyObject) =>
  (key.export({ type: 'spki', format: 'pem' }) as string).replaceAll('\n', '\\n');
