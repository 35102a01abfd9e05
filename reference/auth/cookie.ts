/** The session cookie `AuthSession` (SERVICE 5.2): a signed name and time. The server stores no sessions. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { httpError } from '../http/errors.js';
import type { Settings } from '../config/settings.js';
import type { Account, Accounts } from './accounts.js';

const NAME = 'AuthSession';

export interface Session {
  readonly account: Account;
  /** `Set-Cookie` header that extends the session. Present after a tenth of its lifetime. */
  readonly renewal?: string;
}

export class SessionCookies {
  readonly #settings: Settings;
  /** Signed values by their key and content: clients send the same cookie with each request. */
  readonly #signed = new LRUCache<string, string>({ max: 1000 });

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns the `Set-Cookie` header that starts a session. */
  issue(account: Account): string {
    return this.#setCookie(this.#sign(account, now()), this.#settings.sessionSeconds);
  }

  /** Returns the `Set-Cookie` header that deletes the cookie. */
  clear(): string {
    return this.#setCookie('', 0);
  }

  /**
   * Reads the session from a `Cookie` header.
   *
   * @returns undefined if there is no cookie, or it has expired or has a wrong signature
   * @throws 400 if the cookie is malformed
   */
  read(cookieHeader: string | undefined, accounts: Accounts): Session | undefined {
    const value = cookieValue(cookieHeader);
    if (!value) return undefined;
    const content = parse(value);
    if (!content) return undefined;
    const { name, issued } = content;
    const age = now() - issued;
    const lifetime = this.#settings.sessionSeconds;
    if (age < 0 || age >= lifetime) return undefined;
    const account = accounts.find(name);
    if (!account) return undefined;
    // Compare the text, not the bytes: base64 has several encodings of the same bytes, and only one was issued.
    const expected = Buffer.from(this.#sign(account, issued));
    const actual = Buffer.from(value);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
    return age > lifetime / 10 ? { account, renewal: this.issue(account) } : { account };
  }

  /** The salt of the account is part of the key, so changing a password ends all sessions. */
  #sign({ name, password }: Account, issued: number): string {
    const content = `${name}:${issued.toString(16).toUpperCase()}`;
    const key = this.#settings.secret + password.salt;
    const id = JSON.stringify([key, content]);
    let signed = this.#signed.get(id);
    if (signed === undefined) {
      const signature = createHmac('sha256', key).update(content).digest();
      signed = Buffer.concat([Buffer.from(`${content}:`), signature]).toString('base64url');
      this.#signed.set(id, signed);
    }
    return signed;
  }

  #setCookie(value: string, seconds: number): string {
    const { persistentCookies, sameSite, cookieDomain, secureCookies } = this.#settings;
    // Some clients ignore `Max-Age` and need `Expires`.
    const expires = new Date(Date.now() + seconds * 1000).toUTCString();
    const isPersistent = persistentCookies || seconds === 0;
    return [
      `${NAME}=${value}; Version=1`,
      ...(isPersistent ? [`Expires=${expires}`, `Max-Age=${seconds}`] : []),
      ...(cookieDomain === undefined ? [] : [`Domain=${cookieDomain}`]),
      'Path=/',
      'HttpOnly',
      ...(secureCookies ? ['Secure'] : []),
      ...(sameSite === '' ? [] : [`SameSite=${sameSite}`]),
    ].join('; ');
  }
}

const now = (): number => Math.floor(Date.now() / 1000);

function cookieValue(header: string | undefined): string | undefined {
  return header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
}

/** As in CouchDB, only a value without a name and a time is malformed: others can be cookies of another server. */
function parse(value: string): { name: string; issued: number } | undefined {
  const [, name, time] = /^([^:]*):([^:]*):/.exec(Buffer.from(value, 'base64url').toString()) ?? [];
  if (name === undefined || time === undefined) {
    throw httpError(400, 'bad_request', 'Malformed AuthSession cookie. Please clear your cookies.');
  }
  return /^[0-9A-F]{1,12}$/.test(time) ? { name, issued: Number.parseInt(time, 16) } : undefined;
}
