/** Methods, paths and query strings, near those of an operation. */
import fc from 'fast-check';
import type { Route } from '../../generated/routes.js';
import { identifier, mix, names, oddText, parameterValue, piece, userName, word } from './text.js';

/** Mostly valid path parameters, so that requests reach a handler. */
const pathParameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  db: mix([8, fc.constant('recipes')], [2, fc.constant('_users')], [1, word('closed missing Upper a/b _x')]),
  docid: fc.oneof(
    identifier,
    userName.map((name) => names.userIdPrefix + name),
  ),
  ddoc: word('d e d/x'),
  attname: word('photo.jpg note a/b _x'),
  username: userName,
  node: word('_local nonode@nohost x'),
  // Do not change settings that affect other requests.
  section: word('fuzz jwt_keys uuids'),
  key: fc.constantFrom('a', 'hmac:a', 'rsa:b', 'x=y', 'a b'),
};

function segment(template: string): fc.Arbitrary<string> {
  const parameter = /^\{(\w+)\*?\}$/.exec(template)?.[1];
  const valid = parameter === undefined ? undefined : pathParameters[parameter];
  if (valid) return mix([20, piece(valid)], [parameter === 'section' ? 0 : 1, piece(oddText)]);
  const written = template.replace(/\{username\}/, 'alice');
  return mix([30, fc.constant(written)], [1, piece(fc.constant(written))], [1, piece(oddText)]);
}

export const pathOf = (route: Route): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...route.path.split('/').slice(1).map(segment)),
      mix([40, fc.constant('')], [1, word('/ // /. /.. ? #x ;x')]),
    )
    .map(([parts, end]) => `/${parts.join('/')}${end}`);

interface ParameterDescription {
  readonly type: string;
  readonly allow?: readonly string[];
}

function parametersOf(
  { validators }: Route,
  kind: 'query' | 'headers',
): [name: string, ParameterDescription][] {
  const { keys = {} } = (validators[kind]?.describe() ?? {}) as {
    keys?: Record<string, ParameterDescription>;
  };
  return Object.entries(keys);
}

/** Returns the names of the query parameters or headers of an operation. */
export function parameterNames(route: Route, kind: 'query' | 'headers'): string[] {
  return parametersOf(route, kind).map(([name]) => name);
}

/** Half of the values are valid if few are, since what only a valid value leads to would be reached seldom. */
function valueOf({ type, allow = [] }: ParameterDescription): fc.Arbitrary<string> {
  const valid = type === 'boolean' ? ['true', 'false'] : allow;
  return valid.length > 0 ? fc.oneof(fc.constantFrom(...valid), parameterValue) : parameterValue;
}

export const queryOf = (route: Route): fc.Arbitrary<string> => {
  const odd = oddText.map((name): [string, ParameterDescription] => [name, { type: 'string' }]);
  const known = parametersOf(route, 'query');
  const parameter = known.length > 0 ? mix([9, fc.constantFrom(...known)], [1, odd]) : odd;
  const pair = parameter
    .chain(([name, description]) =>
      fc.tuple(piece(fc.constant(name)), fc.option(piece(valueOf(description)), { freq: 20 })),
    )
    .map(([name, value]) => (value === null ? name : `${name}=${value}`));
  const pairs = fc.oneof(fc.constant<string[]>([]), fc.array(pair, { maxLength: 3 }));
  return pairs.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
};

export const methodOf = (route: Route): fc.Arbitrary<string> =>
  mix<string>(
    [40, fc.constant(route.method)],
    [3, word('GET HEAD POST PUT DELETE OPTIONS PATCH')],
    [1, word('COPY TRACE CONNECT PROPFIND M-SEARCH get FOO \xff')],
    [1, fc.constantFrom('', 'G E T')],
  );
