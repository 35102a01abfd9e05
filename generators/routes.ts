/** Generates `reference/generated/routes.ts`: the hapi routes. */
import type { Description, Operation } from './description.js';
import { InvalidInput } from './errors.js';
import { render } from './templates.js';

/** The source of the module, not yet formatted. */
export function routesModule(
  operations: Operation[],
  { 'x-names': names, 'x-not-offered': notOffered }: Pick<Description, 'x-names' | 'x-not-offered'>,
): string {
  return render('routes', {
    routes: operations.map((operation) => ({
      id: operation.id,
      method: operation.method,
      path: pathCode(operation, names.userIdPrefix),
      body: bodyKind(operation),
      access: operation.access,
    })),
    notOffered: JSON.stringify(
      notOffered.flatMap(({ reason, paths }) => paths.map((path) => ({ path, reason }))),
    ),
  });
}

/** The code of a path in hapi syntax, with the prefix of user ids taken from the dialect. */
function pathCode({ path, parameters }: Operation, userIdPrefix: string): string {
  const multiSegment = parameters.filter((parameter) => parameter.multiSegment);
  const hapiPath = multiSegment.reduce((result, { name }) => result.replace(`{${name}}`, `{${name}*}`), path);
  return hapiPath.includes(userIdPrefix)
    ? `\`${hapiPath.replace(userIdPrefix, '${names.userIdPrefix}')}\``
    : `'${hapiPath}'`;
}

function bodyKind({ id, body }: Operation): string {
  if (!body) return 'none';
  const types = body.media.map(({ type }) => type);
  if (!types.includes('application/json')) {
    // The handler parses a form.
    if (!types.includes('*/*') && !types.includes('multipart/form-data'))
      throw new InvalidInput(
        `operation ${id}: the server has no parser for the body type ${types.join(', ')}`,
      );
    return 'raw';
  }
  if (types.includes('multipart/related')) return 'json-or-multipart';
  return types.includes('application/x-www-form-urlencoded') ? 'json-or-form' : 'json';
}
