/** The session cookie `AuthSession` (SERVICE 5.2): a name and a time, signed. The server keeps no sessions. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { httpError } from '../http/errors.js';
import type { Settings } from '../config/settings.js';
import type { Account, Accounts } from './accounts.js';

const NAME = 'AuthSession';
const signatureBytes = 32;

type CookieSettings = Pick<
  Settings,
  'secret' | 'sessionSeconds' | 'persistentCookies' | 'sameSite' | 'cookieDomain' | 'secureCookies'
>;

export interface Session {
  readonly account: Account;
  /** The `Set-Cookie` header with which the session goes on, when a tenth of its life is gone. */
  readonly renewal?: string;
}

export class SessionCookies {
  readonly #settings: CookieSettings;

  constructor(settings: CookieSettings) {
    this.#settings = settings;
  }

  /** The `Set-Cookie` header that opens a session. */
  issue(account: Account): string {
    return this.#setCookie(this.#sign(account, now()), this.#settings.sessionSeconds);
  }

  /** The `Set-Cookie` header that ends a session. */
  clear(): string {
    return this.#setCookie('', 0);
  }

  /**
   * The session of the request's cookie: undefined without a cookie, and for one that is expired or not ours.
   * One that is not even of the form of ours is an error: 400.
   */
  read(cookieHeader: string | undefined, accounts: Accounts): Session | undefined {
    const value = cookieValue(cookieHeader);
    if (!value) return undefined;
    const { name, issued } = parse(value);
    const age = now() - issued;
    const lifetime = this.#settings.sessionSeconds;
    if (age < 0 || age >= lifetime) return undefined;
    const account = accounts.find(name);
    if (!account) return undefined;
    // The whole text is compared: base64 has several spellings of the same bytes, and only one is issued.
    const expected = Buffer.from(this.#sign(account, issued));
    const actual = Buffer.from(value);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
    return age > lifetime / 10 ? { account, renewal: this.issue(account) } : { account };
  }

  /** The account's salt is part of the key, so that a changed password ends all sessions. */
  #sign({ name, password }: Account, issued: number): string {
    const content = `${name}:${issued.toString(16).toUpperCase()}`;
    const key = this.#settings.secret + password.salt;
    const signature = createHmac('sha256', key).update(content).digest();
    return Buffer.concat([Buffer.from(`${content}:`), signature]).toString('base64url');
  }

  #setCookie(value: string, seconds: number): string {
    const { persistentCookies, sameSite, cookieDomain, secureCookies } = this.#settings;
    // `Expires` besides: clients exist that send a cookie back only when they have understood a date.
    const expires = new Date(Date.now() + seconds * 1000).toUTCString();
    const lasting = persistentCookies || seconds === 0;
    return [
      `${NAME}=${value}; Version=1`,
      ...(lasting ? [`Expires=${expires}`, `Max-Age=${seconds}`] : []),
      ...(cookieDomain === undefined ? [] : [`Domain=${cookieDomain}`]),
      'Path=/',
      'HttpOnly',
      ...(secureCookies ? ['Secure'] : []),
      ...(sameSite === undefined ? [] : [`SameSite=${sameSite}`]),
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

function parse(value: string): { name: string; issued: number } {
  const bytes = Buffer.from(value, 'base64url');
  const content = bytes.subarray(0, Math.max(0, bytes.length - signatureBytes)).toString();
  const [, name, time] = /^(.*):([0-9A-F]{1,12}):$/s.exec(content) ?? [];
  if (name === undefined || time === undefined) {
    throw httpError(400, 'bad_request', 'Malformed AuthSession cookie. Please clear your cookies.');
  }
  return { name, issued: Number.parseInt(time, 16) };
}
