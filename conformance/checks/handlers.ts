/** The active authentication handlers (SERVICE 2.8, 5). */
import { token } from '../play/tokens.js';
import { equalTo, mustMatch } from '../verdict/matchers.js';
import { Skip } from '../verdict/outcomes.js';
import { handlerList, handlerNames } from '../client/handler-list.js';
import type { SettingValues } from '../client/settings.js';
import { claimsFor, headerFor, knownKeys } from './shared/jwt.js';
import { check, type CheckContext, type ConfiguredTarget } from '../check.js';
import { headersOf, tokenFor } from './proxy.js';
import { getSession, mustBeAnonymous } from './shared/sessions.js';

const setting = 'chttpd/authentication_handlers';

/** Neither proxies nor tokens, unless the handler is inactive as it is. */
const without =
  (handler: string) =>
  ({ dialect, auth: { handlers = ['cookie', 'default'] } }: ConfiguredTarget): SettingValues =>
    handlers.includes(handler)
      ? {
          [setting]: handlerList(
            handlers.filter((name) => name !== 'proxy' && name !== 'jwt'),
            dialect,
          ),
        }
      : {};

/** The handlers that `/_session` lists. */
async function activeHandlers(context: CheckContext): Promise<unknown> {
  const session = await getSession(context, { as: 'admin' });
  const { authentication_handlers } = (session.object()['info'] ?? {}) as {
    authentication_handlers?: unknown;
  };
  return authentication_handlers;
}

/** Throws Skip where the handler is active, or where this is not known. */
async function mustBeInactive(context: CheckContext, handler: string): Promise<void> {
  const handlers = await activeHandlers(context);
  if (!Array.isArray(handlers)) throw new Skip('The session does not list the active handlers.');
  if (handlers.includes(handler)) {
    throw new Skip(
      `Taking the handler "${handler}" out of ${setting} has no effect: the target reads that when it starts. ` +
        'Start it without that handler to have this judged.',
    );
  }
}

async function judgeProxy(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'proxy');
  const { secret, algorithms = [] } = context.target.auth.proxy;
  const user = { name: 'docfeed-nobody', roles: ['docfeed-role'] };
  const right = secret !== undefined && algorithms.length > 0 ? [tokenFor(context, user.name)] : [];
  for (const token of [undefined, '0', ...right]) {
    const session = await getSession(context, { headers: headersOf(context, user, token) });
    mustBeAnonymous(session, 'The word of a proxy, without that handler,');
  }
}

async function judgeToken(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'jwt');
  for (const key of knownKeys(context)) {
    const bearer = token(headerFor(key), claimsFor(context, 'docfeed-nobody'), key);
    const session = await getSession(context, { as: { authorization: `Bearer ${bearer}` } });
    mustBeAnonymous(session, 'A token, without that handler,');
  }
}

export const handlersChecks = [
  check({
    rule: 'session-handlers-order',
    async run(context) {
      const configured = context.target.setting(setting);
      if (configured === undefined || configured === null)
        throw new Skip(`${setting} has no value of its own.`);
      const expected = handlerNames(configured);
      mustMatch(
        'The session does not list the handlers as they are configured',
        await activeHandlers(context),
        equalTo(expected),
        '$.info.authentication_handlers',
      );
    },
  }),
  check({ rule: 'proxy-handler-required', settings: without('proxy'), run: judgeProxy }),
  check({ rule: 'jwt-handler-required', settings: without('jwt'), run: judgeToken }),
];
