/** Generates `openapi/generated/feed-parameters.ts`: the parameters of the changes feed, and what came with later versions. */
import type { Operation } from './description.js';
import { render } from './templates.js';

/** The source of the module, not yet formatted. */
export function feedParametersModule(operations: Operation[]): string {
  const { parameters } = operations.find(({ feed }) => feed)!;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const defaults = inQuery.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  const additions = parameters.flatMap(({ in: place, name, since, valuesSince }) => [
    ...(since === undefined ? [] : [{ in: place, name, since }]),
    ...Object.entries(valuesSince).map(([value, since]) => ({ in: place, name, value, since })),
  ]);
  return render('feed-parameters', {
    names: JSON.stringify(inQuery.map(({ name }) => name)),
    defaults: JSON.stringify(Object.fromEntries(defaults)),
    additions: JSON.stringify(additions),
  });
}
