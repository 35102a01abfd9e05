/** Changes responses of the session resource. */
import type { Components, Context } from '../../../reference/index.js';
import {
  changeBody,
  changeResponse,
  combine,
  perServer,
  replaceFunction,
  replaceHandler,
  type HandlerResponse,
  type JsonObject,
  type Replace,
} from './components.faults.js';

type Handlers = Components['handlers'];
type Login = Parameters<Handlers['postSession']>[0]['body'];
type Account = NonNullable<ReturnType<Context['authentication']['accounts']['find']>>;

interface SessionInfo {
  readonly authenticated?: string;
  readonly authentication_db?: string;
  readonly authentication_handlers: readonly string[];
}

export const isAdmin = ({ user }: Context): boolean => user.roles.includes('_admin');

/** Changes members of `info`; an empty object changes nothing. */
export const changeSessionInfo = (change: (info: SessionInfo, context: Context) => object): Replace =>
  changeBody('getSession', (body, context) => {
    const info = body['info'] as SessionInfo;
    return { ...body, info: { ...info, ...change(info, context) } };
  });

/** Changes members of `userCtx`; an empty object changes nothing. */
export const changeUserContext = (change: (context: Context) => JsonObject): Replace =>
  changeBody('getSession', (body, context) => ({
    ...body,
    userCtx: { ...(body['userCtx'] as object), ...change(context) },
  }));

/** Names another handler in the session of some users whom `handler` has authenticated. Default: of all of them. */
export const misreportHandler = (
  handler: string,
  authenticated: string | undefined,
  isAffected: (context: Context) => boolean = () => true,
): Replace =>
  changeSessionInfo((_, context) =>
    context.user.authenticatedBy === handler && isAffected(context) ? { authenticated } : {},
  );

/** The response to a login that succeeds. */
export const loginOf = (account: Account, { authentication }: Context): HandlerResponse => ({
  status: 200,
  headers: { 'set-cookie': authentication.cookies.issue(account) },
  body: { ok: true, name: account.name, roles: [...account.roles] },
});

/** Accepts some logins of known users that the server rejects. */
export const acceptLogins = (isAccepted: (account: Account, login: Login) => boolean): Replace =>
  replaceHandler('postSession', (original, request, context) =>
    original(request, context).catch((error: unknown) => {
      const account = context.authentication.accounts.find(String(request.body.name));
      if (!account || !isAccepted(account, request.body)) throw error;
      return loginOf(account, context);
    }),
  );

const denied = { status: 403, body: { error: 'forbidden', reason: 'No session.' } };

/** Rejects requests to the changes feed from users whom `handler` has authenticated. Default: all such requests. */
export const denyFeedTo = (
  handler: string,
  isDenied: (...request: Parameters<Handlers['getChanges']>) => boolean = () => true,
): Replace =>
  replaceHandler('getChanges', (original, request, context) =>
    context.user.authenticatedBy === handler && isDenied(request, context)
      ? Promise.resolve(denied)
      : original(request, context),
  );

/** Rejects them from users who have not asked for their session. */
export const denyFeedBeforeSession = (handler: string): Replace =>
  perServer(() => {
    const known = new Set<string | null>();
    return combine(
      changeResponse('getSession', (response, { user }) => {
        known.add(user.name);
        return response;
      }),
      denyFeedTo(handler, (_, { user }) => !known.has(user.name)),
    );
  });

/** Grants access as if users whom `handler` has authenticated had other roles. */
export const authorizeWithRoles = (
  handler: string,
  change: (
    roles: Context['user']['roles'],
    request: Parameters<Components['authorize']>[0],
  ) => Context['user']['roles'],
): Replace =>
  replaceFunction('authorize', (original, request) => {
    const { user } = request;
    const isOrdinary = user.authenticatedBy === handler && !user.roles.includes('_admin');
    if (!isOrdinary) return original(request);
    return original({ ...request, user: { ...user, roles: change(user.roles, request) } });
  });

/** Reads a member of a login from another one whose name begins like its name, if it is missing. */
export const readSimilarMember = (member: keyof Login): Replace =>
  replaceFunction('parseBody', (original, ...request) => {
    const body = original(...request);
    if (typeof body !== 'object' || body === null || !('name' in body) || member in body) return body;
    const [, similar] = Object.entries(body).find(([name]) => name.startsWith(member)) ?? [];
    return similar === undefined ? body : { ...body, [member]: similar as unknown };
  });
