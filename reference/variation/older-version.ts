/** An older version of the service (`serve --service-version V`): the server lacks what came later (SERVICE 9). */
import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import { feedAdditions } from '../../openapi/generated/feed-parameters.js';
import { type RuleId, rules } from '../../openapi/generated/rules.js';
import { rolesClaimOf } from '../auth/jwt.js';
import { httpError } from '../http/errors.js';
import { changeFeedRequests } from '../lacks/feed-requests.js';
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
    handlers: withoutFeedAdditions(version)(declareVersion(components, version)).handlers,
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

const declareVersion = (components: Components, version: string): Components => ({
  ...components,
  handlers: {
    ...components.handlers,
    getRoot: async (request, context) => {
      const response = await components.handlers.getRoot(request, context);
      return response.status === 200 ? { ...response, body: { ...response.body, version } } : response;
    },
  },
});

/** Ignores parameters that came later, as the server ignores all unknown parameters, and refuses values that did. */
function withoutFeedAdditions(version: string): (components: Components) => Components {
  const later = feedAdditions.filter(({ since }) => isOlder(version, since));
  const isIgnored = later.filter(({ value }) => value === undefined);
  const inQuery = isIgnored.filter((addition) => addition.in === 'query');
  return changeFeedRequests({
    ignored: Object.fromEntries(inQuery.map(({ name }) => [name, undefined])),
    ignoredHeaders: isIgnored.map(({ name }) => name.toLowerCase()),
    refused: later.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
  });
}

/** Basic authentication only identifies the caller. */
const withoutBasicCookie = (authenticators: Components['authenticators']): Components['authenticators'] => ({
  ...authenticators,
  default: async (headers, authentication) => {
    const identity = await authenticators['default']?.(headers, authentication);
    return identity && { user: identity.user };
  },
});
