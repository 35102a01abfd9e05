/** Converts the setting `chttpd/authentication_handlers`, whose format depends on the dialect (SERVICE 2.8). */
import type { Dialect } from '../../../openapi/generated/dialects.js';

/** The handlers that the service document names, in the order of its example (SERVICE 2.8, 5.3). */
export const handlersOfService = ['cookie', 'proxy', 'jwt', 'default'];

/** The value of the setting for handlers with these short names, such as `jwt`, in this order. */
export function handlerList(names: readonly string[], dialect: Dialect): string {
  const entries =
    dialect === 'couchdb' ? names.map((name) => `{chttpd_auth, ${name}_authentication_handler}`) : names;
  return entries.join(', ');
}

/** The short names in a value of either format. */
export function handlerNames(value: string): string[] {
  const handler = /\{[^,}]*,\s*(\w+?)(?:_authentication)?(?:_handler)?\s*\}|(\w+)/g;
  return [...value.matchAll(handler)].map(([, tuple, plain]) => tuple ?? plain!);
}
