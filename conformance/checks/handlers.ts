/** The active authentication handlers (SERVICE 2.8, 5). */
import type { Dialect } from '../../openapi/generated/dialects.js';
import { token } from '../play/tokens.js';
import { equalTo, mustMatch, Skip } from '../runner/verdict.js';
import { handlerList, handlerNames } from '../target/handlers.js';
import { claimsFor, headerFor, keysOf } from './bearer.js';
import { check, type CheckContext } from './check.js';
import { askSession, mustBeNobody } from './who.js';

const setting = 'chttpd/authentication_handlers';

/** Neither proxies nor tokens. */
const passwordsOnly = (dialect: Dialect) => ({ [setting]: handlerList(['cookie', 'default'], dialect) });

/** The handlers that `/_session` lists. */
async function activeHandlers(context: CheckContext): Promise<unknown> {
  const session = await askSession(context, { as: 'admin' });
  const { authentication_handlers } = (session.object()['info'] ?? {}) as {
    authentication_handlers?: unknown;
  };
  return authentication_handlers;
}

/** Throws Skip where the handler is active, or where this is not known. */
async function mustBeInactive(context: CheckContext, handler: string): Promise<void> {
  const handlers = await activeHandlers(context);
  if (!Array.isArray(handlers)) throw new Skip('The session does not list the active handlers.');
  if (handlers.includes(handler)) throw new Skip(`The handler "${handler}" is active.`);
}

async function judgeProxy(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'proxy');
  const { userName, roles, token } = context.target.auth.proxy.headers;
  for (const more of [{}, { [token]: '0' }]) {
    const headers = { [userName]: 'docfeed-nobody', [roles]: 'docfeed-role', ...more };
    mustBeNobody(await askSession(context, { headers }), 'The word of a proxy, without that handler,');
  }
}

async function judgeToken(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'jwt');
  for (const key of keysOf(context)) {
    const bearer = token(headerFor(key), claimsFor(context, 'docfeed-nobody'), key);
    const session = await askSession(context, { as: { authorization: `Bearer ${bearer}` } });
    mustBeNobody(session, 'A token, without that handler,');
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
  check({ rule: 'proxy-handler-required', run: judgeProxy }),
  check({ rule: 'proxy-handler-required', what: 'set', settings: passwordsOnly, run: judgeProxy }),
  check({ rule: 'jwt-handler-required', settings: passwordsOnly, run: judgeToken }),
];
