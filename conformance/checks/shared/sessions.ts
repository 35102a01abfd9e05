/** Who a request runs as: what the checks of sessions, cookies and credentials have in common. */
import { setTimeout as wait } from 'node:timers/promises';
import { equalTo, mustMatch, objectWith, sameElements } from '../../verdict/matchers.js';
import { Blocked, Violation } from '../../verdict/outcomes.js';
import { asObject, parseJson } from '../../client/json.js';
import type { TargetRequest, Exchange, TestUser } from '../../client/client.js';
import type { CheckContext } from '../../check.js';
import { mayRepeatRows } from './timing.js';

/** `GET /_session` (SERVICE 4.2). */
export function getSession(
  context: CheckContext,
  ask: Pick<TargetRequest, 'as' | 'headers'> = {},
): Promise<Exchange> {
  return context.target.request({ path: '/_session', ...ask });
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

/** Logs in for a check of something else, which is blocked when there is no cookie to be had. */
export async function logIn(context: CheckContext, user: TestUser): Promise<{ cookie: string }> {
  const exchange = await postSession(context, user.name, user.password);
  const cookie = cookieIn(exchange);
  if (cookie === undefined) {
    throw new Blocked(`There is no session cookie: POST /_session is answered with ${exchange.status}.`);
  }
  return { cookie };
}

/** The value of the AuthSession cookie that a response sets, if it sets one that is not empty. */
export function cookieIn(exchange: Exchange): string | undefined {
  for (const line of exchange.headers.get('set-cookie') ?? []) {
    const value = /^AuthSession=([^;]*)/.exec(line)?.[1]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** Judges that a session is that of `user`. */
export function mustBeUser(user: Pick<TestUser, 'name' | 'roles'>, session: Exchange, how: string): void {
  const { status } = session;
  if (status !== 200) {
    throw new Violation(`${how} is not accepted`, { path: '$status', expected: 200, actual: status });
  }
  mustMatch(
    `${how} does not give the user's context`,
    session.object(),
    objectWith({ userCtx: objectWith({ name: equalTo(user.name), roles: sameElements(user.roles) }) }),
  );
}

/** Judges that a session is nobody's: refused, or anonymous. */
export function mustBeAnonymous(session: Exchange, how: string): void {
  const name = nameIn(session);
  if (name !== undefined) {
    throw new Violation(`${how} authenticates`, {
      path: '$.userCtx.name',
      expected: 'nobody: null, nothing, or a refusal',
      actual: name,
    });
  }
}

/** Judges that the feed of a database of which only this user is a member is served to a first request. */
export async function mustServeFeed(
  context: CheckContext,
  name: string,
  ask: Pick<TargetRequest, 'as' | 'headers'>,
): Promise<void> {
  const database = await context.createDatabase();
  const members = { names: [name], roles: [] };
  const security = { admins: { names: [], roles: [] }, members };
  await database.request({ method: 'PUT', path: '/_security', json: security });
  const read = async (): Promise<number> => (await database.request({ path: '/_changes', ...ask })).status;
  let status = await read();
  // Of several copies one may not know of its members yet.
  for (let look = 0; look < 20 && status === 403 && mayRepeatRows(context); look += 1) {
    await wait(50);
    status = await read();
  }
  mustMatch('A feed that is open to the user is not served at once', status, equalTo(200), '$status');
}

function nameIn(session: Exchange): string | undefined {
  if (session.status >= 300) return undefined;
  const name = asObject(asObject(parseJson(session.text))['userCtx'])['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Passwords that are not `password`, each wrong in another way. */
export function wrongPasswords(password: string): Record<string, string> {
  return {
    'another word': 'correct horse battery staple',
    'one character less': password.slice(0, -1),
    'one character more': `${password}x`,
    'another case': password.toUpperCase(),
    nothing: '',
  };
}
