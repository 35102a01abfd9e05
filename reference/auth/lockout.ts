/** Account lockout: rejects logins of a client after too many wrong passwords, as CouchDB does. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';
import type { Logger } from '../http/logging.js';

/** An account and the client that tries to log in to it. */
export interface LoginTarget {
  /** Name as sent. The account need not exist. */
  readonly name: string;
  /** IP address of the client. */
  readonly address: string;
  /** Salt of the password. A new password resets the count. */
  readonly salt: string;
}

/** Maximum number of stored failure counts. */
const maxEntries = 10_000;

export class Lockout {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #failures = new LRUCache<string, number>({ max: maxEntries });

  constructor(settings: Settings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** @throws 403 if the account is locked for the client */
  check(target: LoginTarget): void {
    const { lockoutMode: mode, lockoutThreshold } = this.#settings;
    if (mode === 'off' || (this.#failures.get(keyOf(target)) ?? 0) < lockoutThreshold) return;
    // Do not log the name: users sometimes type their password into the name field.
    this.#log.warn({ address: target.address, mode }, 'too many authentication failures');
    if (mode === 'enforce') {
      const reason = 'Account is temporarily locked due to multiple authentication failures';
      throw httpError(403, 'forbidden', reason);
    }
  }

  /** Counts a failed login. The lockout period starts with the first failure and is not extended. */
  fail(target: LoginTarget): void {
    const key = keyOf(target);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures, { ttl: this.#settings.lockoutMs, noUpdateTTL: true });
  }
}

/** The length is limited, because names of any length can be sent. */
function keyOf({ name, address, salt }: LoginTarget): string {
  const text = JSON.stringify([name, address, salt]);
  return text.length <= 200 ? text : createHash('sha256').update(text).digest('base64');
}
