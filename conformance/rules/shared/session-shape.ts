/** The session of a caller (SERVICE 2.2). */
import {
  anObject,
  arrayOf,
  asObject,
  aString,
  equalTo,
  type Matcher,
  objectWith,
  satisfying,
} from '../../kit.js';

export const sessionWith = (name: Matcher): Matcher =>
  objectWith({
    ok: equalTo(true),
    userCtx: objectWith({ name, roles: arrayOf(aString) }),
    info: anObject,
  });

export const aNameOrNull = satisfying(
  'a string, or null for an anonymous session',
  (name) => typeof name === 'string' || name === null,
);

/** `authenticated` must be one of the listed handlers, except those for other credentials. */
export function authenticatedBy(session: Record<string, unknown>, excluded: readonly string[]): Matcher {
  const { authentication_handlers: listed } = asObject(session['info']);
  const allowed: unknown[] = Array.isArray(listed)
    ? listed.filter((name) => !excluded.includes(name as string))
    : [];
  return objectWith({
    info: objectWith({
      authentication_handlers: arrayOf(aString),
      authenticated: satisfying(`one of ${JSON.stringify(allowed)}`, (name) => allowed.includes(name)),
    }),
  });
}
