/** Methods, paths and query strings, near those of an operation. */
import fc from 'fast-check';
import type { Route } from '../../generated/routes.js';
import { identifier, names, oddText, weighted, parameterValue, piece, userName } from './text.js';

/** Mostly valid path parameters, so that requests reach a handler. */
const pathParameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  db: fc.oneof(
    weighted(8, fc.constant('recipes')),
    weighted(2, fc.constant('_users')),
    fc.constantFrom('closed', 'missing', 'Upper', 'a/b', '_x'),
  ),
  docid: fc.oneof(
    identifier,
    userName.map((name) => names.userIdPrefix + name),
  ),
  ddoc: fc.constantFrom('d', 'e', 'd/x'),
  attname: fc.constantFrom('photo.jpg', 'note', 'a/b', '_x'),
  username: userName,
  node: fc.constantFrom('_local', 'nonode@nohost', 'x'),
  // Do not change settings that affect other requests.
  section: fc.constantFrom('fuzz', 'jwt_keys', 'uuids'),
  key: fc.constantFrom('a', 'hmac:a', 'rsa:b', 'x=y', 'a b'),
};

function segment(template: string): fc.Arbitrary<string> {
  const parameter = /^\{(\w+)\*?\}$/.exec(template)?.[1];
  const valid = parameter === undefined ? undefined : pathParameters[parameter];
  const isGuarded = parameter === 'section';
  if (valid) return fc.oneof(weighted(20, piece(valid)), weighted(isGuarded ? 0 : 1, piece(oddText)));
  const written = template.replace(/\{username\}/, 'alice');
  return fc.oneof(
    weighted(30, fc.constant(written)),
    weighted(1, piece(fc.constant(written))),
    weighted(1, piece(oddText)),
  );
}

export const pathOf = (route: Route): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...route.path.split('/').slice(1).map(segment)),
      fc.oneof(weighted(40, fc.constant('')), fc.constantFrom('/', '//', '/.', '/..', '?', '#x', ';x')),
    )
    .map(([parts, end]) => `/${parts.join('/')}${end}`);

/** Returns the names of the query parameters or headers of an operation. */
export function parameterNames({ validators }: Route, kind: 'query' | 'headers'): string[] {
  return Object.keys((validators[kind]?.describe() as { keys?: object } | undefined)?.keys ?? {});
}

export const queryOf = (route: Route): fc.Arbitrary<string> => {
  const known = parameterNames(route, 'query');
  const name = known.length > 0 ? fc.oneof(weighted(9, fc.constantFrom(...known)), oddText) : oddText;
  const pair = fc
    .tuple(piece(name), fc.option(piece(parameterValue), { freq: 20 }))
    .map(([name, value]) => (value === null ? name : `${name}=${value}`));
  const pairs = fc.oneof(fc.constant<string[]>([]), fc.array(pair, { maxLength: 3 }));
  return pairs.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
};

export const method = (route: Route) =>
  fc.oneof(
    weighted(40, fc.constant<string>(route.method)),
    weighted(3, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH')),
    weighted(
      1,
      fc.constantFrom('COPY', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'get', 'FOO', '', 'G E T', '\xff'),
    ),
  );
