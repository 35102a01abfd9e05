/** The active authentication handlers (SERVICE 2.8, 5). */
import {
  asObject,
  type Caller,
  type CheckContext,
  defineRule,
  equalTo,
  mustMatch,
  Skip,
  token,
} from '../../kit.js';
import { handlerList, handlerNames } from '../../session/settings/handler-list.js';
import type { SettingValues } from '../../session/settings/settings.js';
import type { ConfiguredTarget } from '../../session/scope/check-target.js';
import { claimsFor, headerFor, sendToken, trustedKeys } from '../shared/jwt.js';
import { proxyHeaders, proxyToken } from '../shared/proxy-headers.js';
import { getSession, mustBeAnonymous } from '../shared/sessions.js';
import { unseen } from '../shared/unseen.js';
import { withoutHandler } from '../shared/passing-sessions.js';

const setting = 'chttpd/authentication_handlers';

/**
 * Deactivates the proxy and the JWT handler, or only one of them. No change is needed if the handler is already inactive.
 */
const without =
  (handler: 'proxy' | 'jwt', others: readonly string[] = ['proxy', 'jwt']) =>
  ({ names: { dialect }, auth: { handlers = ['cookie', 'default'] } }: ConfiguredTarget): SettingValues => {
    if (!handlers.includes(handler)) return {};
    const remaining = handlers.filter((name) => name !== handler && !others.includes(name));
    return { [setting]: handlerList(remaining, dialect) };
  };

/** The handlers that `/_session` lists. */
async function listedHandlers(context: CheckContext, as: Caller = 'admin'): Promise<unknown> {
  const session = await getSession(context, { as });
  return asObject(session.object()['info'])['authentication_handlers'];
}

/** Throws Skip unless the target lists its handlers and this one is inactive. */
async function mustBeInactive(context: CheckContext, handler: string): Promise<void> {
  const handlers = await listedHandlers(context);
  if (!Array.isArray(handlers)) throw new Skip('The session does not list the active handlers.');
  if (handlers.includes(handler)) {
    throw new Skip(
      `Removing the handler "${handler}" from ${setting} has no effect, since the target reads this setting ` +
        'when it starts. Start the target without that handler to run this check.',
    );
  }
}

async function mustRejectProxy(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'proxy');
  const { secret, algorithms = [] } = context.target.auth.proxy;
  const user = { name: 'docfeed-nobody', roles: ['docfeed-role'] };
  const valid = secret !== undefined && algorithms.length > 0 ? [proxyToken(context, user.name)] : [];
  for (const token of [undefined, '0', ...valid]) {
    const session = await getSession(context, { headers: proxyHeaders(context, user, token) });
    mustBeAnonymous(session, 'proxy headers although the proxy handler is inactive');
  }
}

async function mustRejectTokens(context: CheckContext): Promise<void> {
  await mustBeInactive(context, 'jwt');
  for (const key of trustedKeys(context)) {
    const session = await sendToken(
      context,
      token(headerFor(key), claimsFor(context, 'docfeed-nobody'), key),
    );
    mustBeAnonymous(session, 'a token although the JWT handler is inactive');
  }
}

export const sessionHandlersOrder = defineRule('session-handlers-order', {
  rung: 'session',
  notInTraffic: unseen.settings,
  checks: {
    'session-handlers-order': {
      optional: ['users'],
      async run(context) {
        const configured = context.target.setting(setting);
        if (configured === undefined || configured === null) {
          throw new Skip(`The setting ${setting} has no value, or the suite cannot read it.`);
        }
        const users = context.target.has('users') ? [{ basic: await context.createUser() }] : [];
        for (const as of ['admin' as const, ...users]) {
          mustMatch(
            'The session does not list the handlers in the configured order',
            await listedHandlers(context, as),
            equalTo(handlerNames(configured)),
            '$.info.authentication_handlers',
          );
        }
      },
    },
  },
});

export const proxyHandlerRequired = defineRule('proxy-handler-required', {
  rung: 'tokens',
  inTraffic: {
    response: withoutHandler('proxy', 'the name of a user from a proxy'),
  },
  checks: {
    'proxy-handler-required': {
      settings: without('proxy'),
      run: mustRejectProxy,
    },

    // The other handler must not accept the credentials either.
    'proxy-handler-required/alone': {
      settings: without('proxy', []),
      run: mustRejectProxy,
    },
  },
});

export const jwtHandlerRequired = defineRule('jwt-handler-required', {
  rung: 'tokens',
  inTraffic: {
    response: withoutHandler('jwt', 'a token'),
  },
  checks: {
    'jwt-handler-required': {
      settings: without('jwt'),
      run: mustRejectTokens,
    },

    'jwt-handler-required/alone': {
      settings: without('jwt', []),
      run: mustRejectTokens,
    },
  },
});
