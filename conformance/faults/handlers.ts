/** Faults in the list of authentication handlers, and in which handlers are active. */
import { type Fault } from '../../reference/index.js';
import { answering, authenticating, bodyOf, type Replace } from './shared/components.js';

/** Lets one handler do the work of another, whether that one is active or not. */
const alsoBy =
  (handler: 'cookie' | 'default', other: 'proxy' | 'jwt'): Replace =>
  (parts) =>
    authenticating(handler, (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      return identity ?? (await parts.authenticators[other]!(headers, authentication));
    })(parts);

export const handlersFaults: readonly Fault[] = [
  {
    id: 'handlers-sorted',
    rule: 'session-handlers-order',
    summary: 'The session lists the handlers by name.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      const info = body['info'] as { authentication_handlers: string[] };
      const sorted = [...info.authentication_handlers].sort();
      return { ...answer, body: { ...body, info: { ...info, authentication_handlers: sorted } } };
    }),
  },
  {
    id: 'handlers-last-missing',
    rule: 'session-handlers-order',
    summary: 'The session lists three handlers at most.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      const info = body['info'] as { authentication_handlers: string[] };
      const some = info.authentication_handlers.slice(0, 3);
      return { ...answer, body: { ...body, info: { ...info, authentication_handlers: some } } };
    }),
  },
  {
    id: 'proxy-always-on',
    rule: 'proxy-handler-required',
    summary: 'The headers of a proxy count whether its handler is active or not.',
    // A token would be demanded, which nobody sends who expects to be nobody.
    replace: (parts) =>
      authenticating('default', (original) => async (headers, authentication) => {
        const identity = await original(headers, authentication);
        const name = Object.entries(headers).find(([header]) => /^x-auth-.*-username$/.test(header))?.[1];
        const active = authentication.settings.authenticationHandlers.includes('proxy');
        if (identity || active || typeof name !== 'string') return identity;
        return { user: { name, roles: [], authenticatedBy: 'proxy' } };
      })(parts),
  },
  {
    id: 'proxy-on-with-token',
    rule: 'proxy-handler-required',
    summary: 'The headers of a proxy count without its handler when a token, whichever, is among them.',
    replace: authenticating('cookie', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      const entries = Object.entries(headers);
      const name = entries.find(([header]) => /^x-auth-.*-username$/.test(header))?.[1];
      const token = entries.some(([header]) => /^x-auth-.*-token$/.test(header));
      const active = authentication.settings.authenticationHandlers.includes('proxy');
      if (identity || active || !token || typeof name !== 'string') return identity;
      return { user: { name, roles: [], authenticatedBy: 'proxy' } };
    }),
  },
  {
    id: 'jwt-always-on',
    rule: 'jwt-handler-required',
    summary: 'Tokens count whether their handler is active or not.',
    replace: alsoBy('cookie', 'jwt'),
  },
  {
    id: 'jwt-after-basic',
    rule: 'jwt-handler-required',
    summary: 'The handler of basic authentication takes tokens too.',
    replace: alsoBy('default', 'jwt'),
  },
];
