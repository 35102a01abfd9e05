/** An older version of the service (`serve --service-version V`): the server lacks what came later (SERVICE 9). */
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { feedAdditions } from '../../openapi/generated/feed-additions.js';
import { type RuleId, rules } from '../../openapi/generated/rules.js';
import { rolesClaimOf } from '../auth/jwt.js';
import type { Context } from '../handlers/context.js';
import { httpError } from '../http/errors.js';
import type { Components } from '../server/components.js';
import { numericSequences } from '../store/sequences.js';

/** The service version is not a version number. */
export class InvalidVersion extends Error {}

/** @throws InvalidVersion */
export function isOlder(version: string, since: string): boolean {
  const declared = coerce(version);
  if (!declared) throw new InvalidVersion(`"${version}" is not a service version such as 3.4 or 3.3.2`);
  return lt(declared, coerce(since)!);
}

/** Returns a function that makes the server declare the version and removes what came later. */
export function withVersion(version: string): (components: Components) => Components {
  const lacks = (rule: RuleId): boolean =>
    isOlder(version, rules.find(({ id, since }) => id === rule && since !== undefined)!.since!);
  const [lacksPath, lacksText] = [lacks('jwt-roles-claim-path'), lacks('jwt-roles-string')];
  return (components) => ({
    ...components,
    handlers: withoutFeedAdditions(declareVersion(components.handlers, version), version),
    ...(lacks('feed-seq-any-json') && { sequences: numericSequences }),
    ...(lacks('basic-set-cookie') && { authenticators: withoutBasicCookie(components.authenticators) }),
    ...(lacks('jwt-key-name-equals') && {
      selectKey: (header, keys) =>
        header.kid?.includes('=') ? undefined : components.selectKey(header, keys),
    }),
    rolesOf: (claims, settings) => {
      const known = lacksPath ? { ...settings, rolesClaimPath: undefined } : settings;
      if (lacksText && typeof rolesClaimOf(claims, known) === 'string')
        throw httpError(400, 'bad_request', 'The roles claim must be an array of strings');
      return components.rolesOf(claims, known);
    },
  });
}

type Handlers = Components['handlers'];

const declareVersion = (handlers: Handlers, version: string): Handlers => ({
  ...handlers,
  getRoot: async (request, context) => {
    const response = await handlers.getRoot(request, context);
    return response.status === 200 ? { ...response, body: { ...response.body, version } } : response;
  },
});

interface FeedRequest {
  readonly query: object;
  readonly headers: object;
}

/** Ignores parameters that came later, as the server ignores all unknown parameters, and refuses values that did. */
function withoutFeedAdditions(handlers: Handlers, version: string): Handlers {
  const later = feedAdditions.filter(({ since }) => isOlder(version, since));
  const without = <Request extends FeedRequest, Response>(
    handle: (request: Request, context: Context) => Promise<Response>,
  ) => {
    return (request: Request, context: Context): Promise<Response> => {
      const query: Record<string, unknown> = { ...request.query };
      const headers: Record<string, unknown> = { ...request.headers };
      for (const { in: place, name, value } of later) {
        if (value === undefined) delete (place === 'query' ? query : headers)[name.toLowerCase()];
        else if (query[name] === value)
          throw httpError(400, 'bad_request', `\`${name}=${value}\` is not supported.`);
      }
      return handle({ ...request, query, headers }, context);
    };
  };
  return {
    ...handlers,
    getChanges: without(handlers.getChanges),
    postChanges: without(handlers.postChanges),
  };
}

/** Basic authentication only identifies the caller. */
const withoutBasicCookie = (authenticators: Components['authenticators']): Components['authenticators'] => ({
  ...authenticators,
  default: async (headers, authentication) => {
    const identity = await authenticators['default']?.(headers, authentication);
    return identity && { user: identity.user };
  },
});
