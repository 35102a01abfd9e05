/** Generates `openapi/generated/feed-additions.ts`: what later versions of the service added to the changes feed. */
import type { Operation } from './description.js';
import { render } from './templates.js';

/** The source of the module, not yet formatted. */
export function feedAdditionsModule(operations: Operation[]): string {
  const { parameters } = operations.find(({ feed }) => feed)!;
  const additions = parameters.flatMap(({ in: place, name, since, valuesSince }) => [
    ...(since === undefined ? [] : [{ in: place, name, since }]),
    ...Object.entries(valuesSince).map(([value, since]) => ({ in: place, name, value, since })),
  ]);
  return render('feed-additions', { additions: JSON.stringify(additions) });
}
