/** The setting `chttpd/authentication_handlers`, whose form depends on the dialect (SERVICE 2.8). */
import type { Dialect } from '../../openapi/generated/dialects.js';

/** The value for handlers of these short names, in this order. */
export function handlerList(names: readonly string[], dialect: Dialect): string {
  const written =
    dialect === 'couchdb' ? names.map((name) => `{chttpd_auth, ${name}_authentication_handler}`) : names;
  return written.join(', ');
}

/** The short names in a value of either form. */
export function handlerNames(value: string): string[] {
  const handler = /\{[^,}]*,\s*(\w+?)(?:_authentication)?(?:_handler)?\s*\}|(\w+)/g;
  return [...value.matchAll(handler)].map(([, tuple, plain]) => tuple ?? plain!);
}
