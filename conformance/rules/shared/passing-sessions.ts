/** How a passer-by judges the sessions of users, and credentials that must not authenticate anyone. */
import {
  asObject,
  equalTo,
  isPlainObject,
  type Judge,
  mustMatch,
  onResponseTo,
  parseJson,
  type Passed,
} from '../../kit.js';

export interface Session {
  /** The name of the user. */
  readonly name: string;
  readonly session: Readonly<Record<string, unknown>>;
  readonly roles: unknown;
  /** The credentials: see `Passed.credentials`. */
  readonly value: string;
  readonly passed: Passed;
}

/** A judge of the sessions of users whose requests have credentials of these kinds only. */
export const forUsers = (
  kinds: readonly Passed['credentials']['kind'][],
  judge: Judge<Session>,
): Judge<Passed> =>
  onResponseTo('getSession', (passed) => {
    const session = passed.body;
    const { name, roles } = asObject(session['userCtx']);
    const { kind, value } = passed.credentials;
    if (typeof name !== 'string' || name === '' || !kinds.includes(kind)) return false;
    return judge({ name, session, roles, value, passed });
  });

/** A judge of credentials of one kind that must not authenticate anyone. */
export const forbidden =
  (
    kind: Passed['credentials']['kind'],
    isForbidden: (value: string, passed: Passed) => boolean,
    what: string,
  ): Judge<Passed> =>
  (passed) => {
    const { operation, credentials } = passed;
    if (operation?.id !== 'getSession' || credentials.kind !== kind) return false;
    if (!isForbidden(credentials.value, passed)) return false;
    const { name = null } = asObject(passed.body['userCtx']);
    mustMatch(`The target accepts ${what}`, name, equalTo(null), '$.userCtx.name');
  };

/** The same for tokens, by their header and claims. */
export const forbiddenToken = (
  isForbidden: (
    token: Record<'header' | 'claims', Readonly<Record<string, unknown>>>,
    passed: Passed,
  ) => boolean,
  what: string,
): Judge<Passed> =>
  forbidden(
    'jwt',
    (value, passed) => {
      const [header, claims] = [partOf(value, 0), partOf(value, 1)];
      return header !== undefined && claims !== undefined && isForbidden({ header, claims }, passed);
    },
    what,
  );

/** A part of a token; nothing if it is not a JSON object. */
export function partOf(token: string, index: 0 | 1): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
  return isPlainObject(value) ? value : undefined;
}

/** In seconds. Clocks differ. */
export const clockTolerance = 300;

/** Whether a claim that the target requires has ended, or has not begun, at the time of the response. */
export function isOutOfTime(
  { exp, nbf }: Readonly<Record<string, unknown>>,
  { passing, context: { requiredClaims } }: Passed,
): boolean {
  const now = Date.parse(passing.headers.get('date')?.[0] ?? '') / 1000;
  const isPast = (value: unknown): boolean => typeof value === 'number' && value < now - clockTolerance;
  const isFuture = (value: unknown): boolean => typeof value === 'number' && value > now + clockTolerance;
  return (requiredClaims.includes('exp') && isPast(exp)) || (requiredClaims.includes('nbf') && isFuture(nbf));
}

export const mustBeNamed = (actual: string, expected: string, credentials: string): void =>
  mustMatch(
    `The session for ${credentials} is that of another user`,
    actual,
    equalTo(expected),
    '$.userCtx.name',
  );

export const mustNameHandler = ({ session }: Session, handler: string, credentials: string): void =>
  mustMatch(
    `The session does not name the handler of ${credentials}`,
    asObject(session['info'])['authenticated'],
    equalTo(handler),
    '$.info.authenticated',
  );

export const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/.test(text);

export const decodeBasic = (value: string): string => Buffer.from(value, 'base64').toString();

/** The service document shows the login of users. Servers may show their administrators otherwise. */
export const isUserAdmin = (roles: unknown): boolean => Array.isArray(roles) && roles.includes('_admin');

/** A judge of credentials for a handler that the target does not list among its handlers. */
export const withoutHandler = (kind: 'proxy' | 'jwt', what: string): Judge<Passed> =>
  forbidden(
    kind,
    (_, passed) => {
      const listed = asObject(passed.body['info'])['authentication_handlers'];
      return Array.isArray(listed) && listed.length > 0 && !listed.includes(kind);
    },
    `${what} without the handler for it`,
  );
