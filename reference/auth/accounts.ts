/** Accounts: administrators from the configuration and users from the users database (SERVICE 2.4). */
import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import type { Lockout } from './lockout.js';
import {
  decoyPassword,
  findIterationProblem,
  hashWith,
  isOutdated,
  passwordMatches,
  storedPassword,
  type StoredPassword,
} from '../crypto/passwords.js';
import { httpError } from '../http/errors.js';
import { Series } from './series.js';
import { totpKeyOf, type isCurrentCode } from './totp.js';
import { ADMIN_ROLE } from './user-context.js';

export interface Account {
  readonly name: string;
  readonly roles: readonly string[];
  readonly password: StoredPassword;
  /** Key of the second factor, if the user has one (SERVICE 5.5). */
  readonly totpKey?: string;
}

export interface LoginAttempt {
  readonly name: string;
  readonly password: string;
  /** One-time code of the second factor. */
  readonly code?: string;
  /** IP address of the client. */
  readonly address: string;
}

/** What the users database has about a user. */
export interface UserRecord {
  /** Content of the winning revision. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly hasConflicts: boolean;
}

export interface AccountSources {
  readonly settings: Settings;
  readonly lockout: Lockout;
  /** Returns the document of a user without validating it; undefined if there is none. */
  readonly readUser: (name: string) => UserRecord | undefined;
  /** Replaces the password of a user by another hash, if the document still has the old one. */
  readonly replacePassword: (name: string, old: StoredPassword, hash: StoredPassword) => void;
  readonly isCurrentCode: typeof isCurrentCode;
}

export class Accounts {
  readonly #sources: AccountSources;
  /** Salt of the hash that unknown names are checked against, so that the time does not reveal which names exist. */
  readonly #decoySalt = randomBytes(16).toString('hex');
  /** Runs the attempts of one client for one account in order, so that the lockout stops a burst of them, too. */
  readonly #attempts = new Series();

  constructor(sources: AccountSources) {
    this.#sources = sources;
  }

  /**
   * Finds an account. An administrator takes precedence over a user with the same name.
   *
   * @throws 401 if the document of the user has conflicts: the winner can be the one with an old password
   */
  find(name: string): Account | undefined {
    const { settings, readUser } = this.#sources;
    const administrator = settings.administrators.get(name);
    if (administrator) return { name, roles: [ADMIN_ROLE], password: administrator };
    const found = readUser(name);
    if (found?.hasConflicts)
      throw httpError(
        401,
        'unauthorized',
        'User document conflicts must be resolved before the document is used for authentication purposes.',
      );
    const document = found?.document;
    // Only a users database with another name has users without a type.
    if (document?.name !== name || (document.type ?? 'user') !== 'user') return undefined;
    const password = storedPassword(document);
    const roles = Array.isArray(document.roles)
      ? document.roles.filter((role) => typeof role === 'string')
      : [];
    return password && { name, roles, password, totpKey: totpKeyOf(document) };
  }

  /**
   * Verifies the password and, if the user has a second factor, the code. All ways of logging in with a password use
   * this method, so none bypasses the second factor.
   *
   * @returns undefined if the credentials are wrong
   * @throws 403 if the account is locked, or its password has a number of iterations that is not allowed
   */
  verify(attempt: LoginAttempt): Promise<Account | undefined> {
    const { name, address } = attempt;
    return this.#attempts.run(JSON.stringify([name, address]), () => this.#verify(attempt));
  }

  async #verify({ name, password, code = '', address }: LoginAttempt): Promise<Account | undefined> {
    const { lockout, isCurrentCode, settings } = this.#sources;
    const account = this.find(name);
    const stored = account?.password ?? decoyPassword(settings.passwordIterations, this.#decoySalt);
    const target = { name, address, salt: stored.salt };
    lockout.check(target);
    // The limits may have changed since the password was stored.
    const problem = account && findIterationProblem(stored, settings);
    if (problem !== undefined) throw httpError(403, 'forbidden', problem);
    const isCorrect =
      (await passwordMatches(password, stored, address)) &&
      (account?.totpKey === undefined || isCurrentCode(account.totpKey, code));
    if (isCorrect && account) {
      if (!settings.administrators.has(name)) await this.#upgrade(stored, { name, password, address });
      return account;
    }
    lockout.fail(target);
    return undefined;
  }

  /**
   * Replaces a hash that a new one would not be like, also one with more iterations, as CouchDB does since 3.4. The salt
   * stays the same, so sessions go on.
   */
  async #upgrade(old: StoredPassword, { name, password, address }: LoginAttempt): Promise<void> {
    const { upgradeHash, passwordIterations, maxIterations } = this.#sources.settings;
    // A hash with more iterations than are allowed would lock the user out.
    if (!upgradeHash || passwordIterations > maxIterations || !isOutdated(old, passwordIterations)) return;
    const hash = await hashWith(old.salt, password, passwordIterations, address);
    this.#sources.replacePassword(name, old, hash);
  }
}
