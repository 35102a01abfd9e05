/** Locks an account for a client that has sent too many wrong passwords, as CouchDB does. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { Logger } from '../http/logging.js';

type LockoutSettings = Pick<Settings, 'lockoutMode' | 'lockoutThreshold' | 'lockoutMs'>;

/** Whose password somebody tries. */
export interface Target {
  /** As it was sent; there need be no such account. */
  readonly name: string;
  /** Of the client. */
  readonly address: string;
  /** Of the password: who gets a new one starts afresh. */
  readonly salt: string;
}

/** So many clients with failures are remembered at most. */
const rememberedClients = 10_000;

export class Lockout {
  readonly #settings: LockoutSettings;
  readonly #log: Logger;
  readonly #failures = new LRUCache<string, number>({ max: rememberedClients });

  constructor(settings: LockoutSettings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Throws 403 when the client has failed too often. */
  check(target: Target): void {
    const { lockoutMode: mode, lockoutThreshold } = this.#settings;
    if (mode === 'off' || (this.#failures.get(keyOf(target)) ?? 0) < lockoutThreshold) return;
    // Without the name: who fills in a form wrongly sends a password in its place.
    this.#log.warn({ address: target.address, mode }, 'too many authentication failures');
    if (mode === 'enforce') {
      const reason = 'Account is temporarily locked due to multiple authentication failures';
      throw httpError(403, 'forbidden', reason);
    }
  }

  /** The time of the first failure counts, whatever comes after it. */
  fail(target: Target): void {
    const key = keyOf(target);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures, { ttl: this.#settings.lockoutMs, noUpdateTTL: true });
  }
}

/** Of limited length, whatever is sent as a name. */
function keyOf({ name, address, salt }: Target): string {
  const text = JSON.stringify([name, address, salt]);
  return text.length <= 200 ? text : createHash('sha256').update(text).digest('base64');
}
