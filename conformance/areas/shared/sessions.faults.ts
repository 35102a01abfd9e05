/** Changes responses of the session resource. */
import type { Components, Context } from '../../../reference/index.js';
import {
  changeBody,
  changeResponse,
  combine,
  perServer,
  replaceHandler,
  type JsonObject,
  type Replace,
} from './components.faults.js';

type Handlers = Components['handlers'];

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

/** Names another authentication handler in the session of users whom `handler` has authenticated. */
export const misreportHandler = (handler: string, authenticated: string): Replace =>
  changeSessionInfo((_, { user }) => (user.authenticatedBy === handler ? { authenticated } : {}));

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
