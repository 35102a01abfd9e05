/** Lets only those requests pass that change nothing on the target. */
import type { Description } from '../../http/description.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';

/**
 * The operations that change nothing. A login gives a cookie, which the target need not remember. Others may: the first
 * request for a view, for example, builds its index.
 */
const operations: ReadonlySet<string> = new Set([
  'getRoot',
  'getSession',
  'postSession',
  'getDatabase',
  'getDocument',
  'getDesignDocument',
  'getChanges',
  'postChanges',
]);

/** A request may change something, so it was not sent. This is a defect of docfeed. */
export class MayChangeSomething extends Error {
  override readonly name = 'MayChangeSomething';
}

/**
 * @param databases the names of those that the user has chosen.
 * @returns an observer that throws before any other request is sent.
 */
export function onlyHarmless(description: Description, databases: readonly string[]): TrafficObserver {
  return {
    beforeSend({ method, path }) {
      const [pathname = ''] = path.split('?');
      // Methods have a case. A response to HEAD is one to GET without its body.
      const operation = description.operation(method === 'HEAD' ? 'GET' : method, pathname)?.id;
      const [, name = ''] = pathname.split('/');
      const isOfOthers = name !== '' && name !== '_session' && !databases.includes(decodeURIComponent(name));
      const isAllowed = method === method.toUpperCase() && operations.has(operation ?? '');
      if (isAllowed && !isOfOthers) return;
      throw new MayChangeSomething(`${method} ${pathname} may change something, so docfeed does not send it`);
    },
  };
}
