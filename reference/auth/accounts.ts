/** Who may log in: the administrators in the configuration, and the users in the users database (SERVICE 2.4). */
import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import type { Lockout } from './lockout.js';
import { hashPassword, passwordMatches, storedPassword, type StoredPassword } from '../crypto/passwords.js';
import { totpKeyOf, type isCurrentCode } from './totp.js';
import { ADMIN_ROLE } from './user-context.js';

export interface Account {
  readonly name: string;
  readonly roles: readonly string[];
  readonly password: StoredPassword;
  /** The key of the second factor, for a user who has one (SERVICE 5.5). */
  readonly totpKey?: string;
}

export interface LoginAttempt {
  readonly name: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string;
  /** Address of the client. */
  readonly address: string;
}

export interface AccountSources {
  readonly settings: Pick<Settings, 'administrators' | 'passwordIterations'>;
  readonly lockout: Lockout;
  /** The current document of a user, whatever is in it; undefined when there is none. */
  readonly readUser: (name: string) => Readonly<Record<string, unknown>> | undefined;
  readonly isCurrentCode: typeof isCurrentCode;
}

export class Accounts {
  readonly #sources: AccountSources;
  /** What an unknown name's password is compared with, so that an answer's time does not tell which names exist. */
  readonly #decoy: StoredPassword;

  private constructor(sources: AccountSources, decoy: StoredPassword) {
    this.#sources = sources;
    this.#decoy = decoy;
  }

  static async open(sources: AccountSources): Promise<Accounts> {
    const nobodys = randomBytes(16).toString('hex');
    return new Accounts(sources, await hashPassword(nobodys, sources.settings.passwordIterations));
  }

  /** The account of that name. An administrator comes before a user of the same name. */
  find(name: string): Account | undefined {
    const { settings, readUser } = this.#sources;
    const administrator = settings.administrators.get(name);
    if (administrator) return { name, roles: [ADMIN_ROLE], password: administrator };
    const document = readUser(name);
    if (document?.type !== 'user' || document.name !== name) return undefined;
    const password = storedPassword(document);
    const roles = Array.isArray(document.roles)
      ? document.roles.filter((role) => typeof role === 'string')
      : [];
    return password && { name, roles, password, totpKey: totpKeyOf(document) };
  }

  /**
   * The account of that name when the password is right, and for a user with a second factor the code too.
   * Who cannot send a code cannot get in, so that no way leads round it. Throws 403 when the account is locked.
   */
  async verify({ name, password, code = '', address }: LoginAttempt): Promise<Account | undefined> {
    const { lockout, isCurrentCode } = this.#sources;
    const account = this.find(name);
    const stored = account?.password ?? this.#decoy;
    const target = { name, address, salt: stored.salt };
    lockout.check(target);
    const right =
      (await passwordMatches(password, stored)) &&
      (account?.totpKey === undefined || isCurrentCode(account.totpKey, code));
    // Again: guesses that were sent all at once have failed meanwhile.
    lockout.check(target);
    if (right && account) return account;
    lockout.fail(target);
    return undefined;
  }
}
