/** Faults in the list of authentication handlers, and in which handlers are active. */
import { faultsOf, replaceAuthenticator, type Replace } from '../shared/components.faults.js';
import { changeSessionInfo, isAdmin } from '../shared/sessions.faults.js';

/** Trusts the user name of a proxy while the proxy handler is inactive. */
const acceptProxyAfter = (handler: 'cookie' | 'default', needsToken: boolean): Replace =>
  replaceAuthenticator(handler, async (original, headers, authentication) => {
    const identity = await original(headers, authentication);
    const header = (form: RegExp) => Object.entries(headers).find(([key]) => form.test(key))?.[1];
    const name = header(/^x-auth-.*-username$/);
    const hasToken = header(/^x-auth-.*-token$/) !== undefined;
    const isActive = authentication.settings.authenticationHandlers.includes('proxy');
    if (identity || isActive || (needsToken && !hasToken) || typeof name !== 'string') return identity;
    return { user: { name, roles: [], authenticatedBy: 'proxy' } };
  });

/** Runs a handler, active or not, after another one. `isRun` gets the list of active handlers. Default: always. */
const runAfter =
  (
    earlier: 'cookie' | 'default',
    handler: 'proxy' | 'jwt',
    isRun: (active: readonly string[]) => boolean = () => true,
  ): Replace =>
  (components) =>
    replaceAuthenticator(earlier, async (original, headers, authentication) => {
      const identity = await original(headers, authentication);
      if (identity || !isRun(authentication.settings.authenticationHandlers)) return identity;
      return components.authenticators[handler]!(headers, authentication);
    })(components);

export const handlersFaults = faultsOf({
  'session-handlers-order': {
    'handlers-sorted': {
      summary: 'The server lists the authentication handlers by name.',
      replace: changeSessionInfo(({ authentication_handlers: handlers }) => ({
        authentication_handlers: [...handlers].sort(),
      })),
    },
    'handlers-last-missing': {
      summary: 'The server lists three authentication handlers at most.',
      replace: changeSessionInfo(({ authentication_handlers: handlers }) => ({
        authentication_handlers: handlers.slice(0, 3),
      })),
    },
    'handlers-of-users-reversed': {
      summary:
        'The server lists the authentication handlers in reverse order to users who are not administrators.',
      replace: changeSessionInfo((info, context) =>
        isAdmin(context) ? {} : { authentication_handlers: [...info.authentication_handlers].reverse() },
      ),
    },
  },
  'proxy-handler-required': {
    'proxy-always-on': {
      summary: 'The server trusts the headers of a proxy while the proxy handler is inactive.',
      replace: acceptProxyAfter('default', false),
    },
    'proxy-on-with-token': {
      summary: 'The server trusts the headers of a proxy with any token while the proxy handler is inactive.',
      replace: acceptProxyAfter('cookie', true),
    },
    'proxy-on-while-jwt-is': {
      summary:
        'The server trusts the headers of a proxy while the proxy handler is inactive, if the JWT handler is active.',
      replace: runAfter('cookie', 'proxy', (active) => active.includes('jwt') && !active.includes('proxy')),
    },
  },
  'jwt-handler-required': {
    'jwt-always-on': {
      summary: 'The server accepts tokens while the handler for tokens is inactive.',
      replace: runAfter('cookie', 'jwt'),
    },
    'jwt-after-basic': {
      summary: 'The server accepts tokens in the handler of basic authentication.',
      replace: runAfter('default', 'jwt'),
    },
    'jwt-on-while-proxy-is': {
      summary:
        'The server accepts tokens while the handler for tokens is inactive, if the proxy handler is active.',
      replace: runAfter('cookie', 'jwt', (active) => active.includes('proxy') && !active.includes('jwt')),
    },
  },
});
