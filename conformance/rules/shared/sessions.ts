/** Sessions and credentials, for the checks of authentication. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  asObject,
  Blocked,
  type Caller,
  type CheckContext,
  type DatabaseClient,
  equalTo,
  type Exchange,
  expectJson,
  must,
  mustMatch,
  mustRespond,
  parseJson,
  putDocument,
  sameElements,
  type TargetRequest,
  type TestUser,
  variantsFor,
} from '../../kit.js';
import { userPath } from '../../session/cleanup/user-requests.js';
import type { UserOptions } from '../../session/scope/test-data.js';
import { inAnotherCase, withSpaces } from './resembling.js';
import { mayRepeatRows } from './timing.js';

/** `GET /_session` (SERVICE 4.2). */
export function getSession(
  context: CheckContext,
  credentials: Pick<TargetRequest, 'as' | 'headers'> = {},
): Promise<Exchange> {
  return context.target.request({ path: '/_session', ...credentials });
}

/** `POST /_session` (SERVICE 4.3), with a one-time code if there is one. */
export function postSession(
  context: CheckContext,
  name: string,
  password: string,
  token?: string,
): Promise<Exchange> {
  return context.target.request({ method: 'POST', path: '/_session', json: { name, password, token } });
}

/** Logs in for a check of another rule. Throws Blocked if the login gives no cookie. */
export async function logIn(context: CheckContext, user: TestUser): Promise<{ cookie: string }> {
  const exchange = await postSession(context, user.name, user.password);
  const cookie = cookieIn(exchange);
  if (cookie === undefined) {
    throw new Blocked(`The target responds to POST /_session with ${exchange.status} and no session cookie.`);
  }
  return { cookie };
}

/** The value of the AuthSession cookie that a response sets, or nothing if it sets none or an empty one. */
export function cookieIn(exchange: Exchange): string | undefined {
  for (const line of exchange.headers.get('set-cookie') ?? []) {
    const value = /^AuthSession=([^;]*)/.exec(line)?.[1]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** The cookie that the response to a login must set. */
export function mustSetCookie(login: Exchange, what: string): string {
  const cookie = cookieIn(login);
  must(cookie !== undefined, what, {
    path: '$headers["set-cookie"]',
    expected: 'a cookie named AuthSession that is not empty',
    actual: login.headers.get('set-cookie')?.map((line) => line.replace(/=.*/, '')),
  });
  return cookie;
}

/**
 * The session must be that of `user`.
 *
 * @param credentials a noun phrase that describes the credentials, such as `a valid token`.
 */
export function mustBeUser(
  user: Pick<TestUser, 'name' | 'roles'>,
  session: Exchange,
  credentials: string,
): void {
  mustRespond(session, 200, `The target rejects ${credentials}`);
  const { name, roles } = asObject(session.object()['userCtx']);
  const what = `The session for ${credentials}`;
  mustMatch(`${what} does not have the name of the user`, name, equalTo(user.name), '$.userCtx.name');
  const extra = Array.isArray(roles) ? roles.filter((role) => !user.roles.includes(role as string)) : [];
  const isMore = extra.length > 0 && user.roles.every((role) => (roles as unknown[]).includes(role));
  const wrong = isMore ? 'has roles that the user does not have' : 'does not have the roles of the user';
  mustMatch(`${what} ${wrong}`, roles, sameElements(user.roles), '$.userCtx.roles');
}

/**
 * The session must not be that of any user: the target either rejects the request or treats it as anonymous.
 *
 * @param credentials a noun phrase that describes the credentials, such as `a token with an empty signature`.
 */
export function mustBeAnonymous(session: Exchange, credentials: string): void {
  const name = userNameIn(session);
  must(name === undefined, `The target accepts ${credentials}`, {
    path: '$.userCtx.name',
    expected: 'null, nothing, or an error response',
    actual: name,
  });
}

/** The cookie of a login that must fail, if any, must not authenticate. The status of the login is not defined. */
export async function mustNotLogIn(
  context: CheckContext,
  login: Exchange,
  credentials: string,
): Promise<void> {
  const cookie = cookieIn(login);
  if (cookie === undefined) return;
  mustBeAnonymous(await getSession(context, { as: { cookie } }), `a login with ${credentials}`);
}

/** Sends a login with other members than SERVICE 4.3 has. */
export async function mustNotLogInWith(context: CheckContext, json: object, how: string): Promise<void> {
  const request = { method: 'POST', path: '/_session', json, deliberatelyWrong: true };
  await mustNotLogIn(context, await context.target.request(request), how);
}

/** Names that resemble the name of a user, and that no user has: names are parts of ids, which are compared exactly. */
export const userNamesLike = (name: string): string[] => [
  `${name}x`,
  name.slice(0, -1),
  ...inAnotherCase(name),
  ...withSpaces(name),
];

/** The members of a database, as its security object lists them. */
type Members = Readonly<Partial<Record<'names' | 'roles', readonly string[]>>>;

/**
 * These credentials must give access to a database whose only member is this user, in every mode and without any other
 * request before.
 */
export async function mustServeFeed(
  context: CheckContext,
  name: string,
  credentials: Pick<TargetRequest, 'as' | 'headers'>,
): Promise<void> {
  const read = await restrict(context, await databaseWithRow(context), { names: [name] });
  await mustServe(context, read, credentials, 'a member of the database');
}

/**
 * The role that these credentials give must open a database whose members have that role, as it does for other
 * credentials. Throws Blocked if the target denies those access.
 *
 * @param others other credentials with the role. Default: basic authentication of a new user.
 */
export async function mustServeFeedToRole(
  context: CheckContext,
  role: string,
  credentials: Pick<TargetRequest, 'as' | 'headers'>,
  others?: Caller,
): Promise<void> {
  const read = await restrict(context, await databaseWithRow(context), { roles: [role] });
  expectJson(await read({ as: others ?? { basic: await context.createUser({ roles: [role] }) } }));
  await mustServe(context, read, credentials, 'a user with a role of the members of the database');
}

/** The row is written before the database has members: not every server lets in an administrator who is none. */
async function databaseWithRow(context: CheckContext): Promise<DatabaseClient> {
  const database = await context.createDatabase();
  await putDocument(database, 'a');
  return database;
}

/** Reads the feed of a database with some credentials. */
interface RestrictedFeed {
  (credentials: Pick<TargetRequest, 'as' | 'headers'>): Promise<Exchange>;
  readonly database: DatabaseClient;
}

async function mustServe(
  context: CheckContext,
  read: RestrictedFeed,
  credentials: Pick<TargetRequest, 'as' | 'headers'>,
  whom: string,
): Promise<void> {
  const { database } = read;
  const what = `The target does not serve the feed to ${whom}`;
  mustRespond(await read(credentials), 200, what);
  const post = { method: 'POST', path: '/_changes', json: {}, ...credentials };
  if (context.target.feed.supports(post))
    mustRespond(await database.request(post), 200, `${what} who sends POST`);
  // Each mode responds at once, since there is a row.
  for (const feed of ['longpoll', 'continuous', 'eventsource']) {
    if (!context.target.feed.supports({ query: { feed } })) continue;
    const { query } = context.target.feed.omitMissing({ query: { feed, limit: 1 } });
    const response = await database.open({ path: '/_changes', query, ...credentials });
    response.close();
    mustRespond(response, 200, `${what} in mode ${feed}`);
  }
}

/** The database as this user reads it, its only member. Throws Blocked if the target denies the user access. */
export async function forMember(
  context: CheckContext,
  database: DatabaseClient,
  user: TestUser,
): Promise<DatabaseClient> {
  const as = { basic: user };
  const read = await restrict(context, database, { names: [as.basic.name] });
  expectJson(await read({ as }));
  return { ...database, request: (request) => database.request({ ...request, as }) };
}

/** Makes the database open to these members only. A read throws Blocked if the target refuses both that and the read. */
async function restrict(
  context: CheckContext,
  database: DatabaseClient,
  members: Members,
): Promise<RestrictedFeed> {
  const json = { admins: { names: [], roles: [] }, members: { names: [], roles: [], ...members } };
  const restricted = await database.request({ method: 'PUT', path: '/_security', json });
  const read = async (credentials: Pick<TargetRequest, 'as' | 'headers'>): Promise<Exchange> => {
    const readOnce = (): Promise<Exchange> => database.request({ path: '/_changes', ...credentials });
    let response = await readOnce();
    // With several copies, a lagging copy may not know the members yet.
    for (let retry = 0; retry < 20 && response.status === 403 && mayRepeatRows(context); retry += 1) {
      await wait(50);
      response = await readOnce();
    }
    if (response.status >= 400) expectJson(restricted);
    return response;
  };
  return Object.assign(read, { database });
}

/** Changes the document of a user as an administrator does, or deletes it. Throws Blocked if the target refuses. */
export async function changeUser(
  context: CheckContext,
  { id, name, password, roles, totp }: TestUser,
  changes: Partial<Pick<TestUser, 'password' | 'roles'>> | 'delete',
): Promise<void> {
  const request = { path: userPath(id), as: 'admin', echoesTarget: true } as const;
  const stored = asObject(expectJson(await context.target.request(request)));
  const changed =
    changes === 'delete'
      ? { method: 'DELETE', query: { rev: stored['_rev'] } }
      : { method: 'PUT', json: { ...stored, name, password, roles, totp, ...changes } };
  expectJson(await context.target.request({ ...request, ...changed }));
}

/** How long a server may use what it knew of a user before a change, in milliseconds. */
export const maxCacheMs = 10_000;

export function userNameIn(session: Exchange): string | undefined {
  if (session.status >= 300) return undefined;
  const name = asObject(asObject(parseJson(session.text))['userCtx'])['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Longer than the 72 bytes that bcrypt reads, so that a server that compares only these accepts one with another end. */
const longPassword = 'Pass-'.padEnd(80, 'word-');

/** Passwords that differ from `password`, by what is wrong with them. */
const wrongPasswords: Readonly<Record<string, (password: string) => string>> = {
  'another word': () => 'correct horse battery staple',
  'one character less': (password) => password.slice(0, -1),
  'one character more': (password) => `${password}x`,
  'another case': (password) => password.toUpperCase(),
  'a space more': (password) => `${password} `,
  empty: () => '',
};

/** A password with all that a server may misread, and what it could take for the right one then. */
const difficultPassword = ' Pass:w\u00f6rd%20+ ';
const misread: typeof wrongPasswords = {
  'the part before a colon': (password) => password.split(':')[0]!,
  'the part after a colon': (password) => password.split(':')[1]!,
  'question marks for what is not ASCII': (password) => password.replace(/[^ -~]/g, '?'),
  'letters without their accents': (password) => password.replace('\u00f6', 'o'),
  'percent-decoded': (password) => decodeURIComponent(password),
  'without its outer spaces': (password) => password.trim(),
  'a space for a plus sign': (password) => password.replace('+', ' '),
};

/** What else a user may have: roles, and characters of any kind in the name. */
const otherForms: readonly UserOptions[] = [
  {},
  { roles: ['reader', 'writer'] },
  { nameEnd: '@example.org', roles: ['reader'] },
  { nameEnd: ' \u00e9' },
];

/** Servers lock an account after a few failures, most of them after five. One for each user would cost 24 requests more. */
const failuresPerUser = 2;

/** Calls `attempt` with each item and a user; after a few attempts with another one. */
export async function withFreshUsers<Item>(
  context: CheckContext,
  items: readonly Item[],
  create: (inner: CheckContext, index: number) => Promise<TestUser>,
  attempt: (inner: CheckContext, user: TestUser, item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += failuresPerUser) {
    await context.inScope(async (inner) => {
      const user = await create(inner, start / failuresPerUser);
      for (const item of items.slice(start, start + failuresPerUser)) await attempt(inner, user, item);
    });
  }
}

/** Calls `attempt` with each wrong password, of users of several forms. */
export async function forEachWrongPassword(
  context: CheckContext,
  attempt: (
    inner: CheckContext,
    credentials: { name: string; password: string },
    how: string,
  ) => Promise<void>,
): Promise<void> {
  for (const [password, wrongs] of [
    [longPassword, wrongPasswords],
    [difficultPassword, misread],
  ] as const) {
    await withFreshUsers(
      context,
      variantsFor(context, Object.entries(wrongs)),
      (inner, index) => inner.createUser({ ...otherForms[index % otherForms.length], password }),
      (inner, { name }, [how, wrong]) =>
        attempt(inner, { name, password: wrong(password) }, `a wrong password (${how})`),
    );
  }
}
