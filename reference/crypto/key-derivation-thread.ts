import { pbkdf2Sync } from 'node:crypto';

export interface KeyParameters {
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
  /** Length of the key, in bytes. */
  readonly length: number;
  /** Node's name of the hash function. */
  readonly digest: string;
}

/** Derives a key. Also the main function of the threads of key-derivation.ts. */
export default function derive({ password, salt, iterations, length, digest }: KeyParameters): Buffer {
  return pbkdf2Sync(password, salt, iterations, length, digest);
}
