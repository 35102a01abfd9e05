/** Faults in how the claims of JSON Web Tokens are read. */
import type { Fault, Components } from '../../../reference/index.js';
import {
  combine,
  perServer,
  replaceFunction,
  replaceHandler,
  type Replace,
} from '../shared/components.faults.js';

type Claims = Parameters<Components['checkClaims']>[0];
type RequiredClaim = Parameters<Components['checkClaims']>[1][number];
type TokenSettings = Parameters<Components['rolesOf']>[1];
type Roles = ReturnType<Components['rolesOf']>;

/** Checks only those of the required claims for which `isChecked` is true. */
const checkOnly = (isChecked: (claim: RequiredClaim, index: number, claims: Claims) => boolean): Replace =>
  replaceFunction('checkClaims', (original, claims, required, now) =>
    original(
      claims,
      required.filter((claim, index) => isChecked(claim, index, claims)),
      now,
    ),
  );

/** Replaces the value of a time claim that is present; `offset` is in seconds from now. */
const pretendTime = (name: 'exp' | 'nbf', offset: number): Replace =>
  replaceFunction('checkClaims', (original, claims, required, now) =>
    original(name in claims ? { ...claims, [name]: now + offset } : claims, required, now),
  );

const alwaysCheck = (name: 'exp' | 'nbf'): Replace =>
  replaceFunction('checkClaims', (original, claims, required, now) =>
    original(claims, typeof claims[name] === 'number' ? [...required, { name }] : required, now),
  );

/** The roles claim if it is a string. */
function rolesText(claims: Claims, { rolesClaimName, rolesClaimPath }: TokenSettings): string | undefined {
  let claim: unknown = claims;
  for (const name of rolesClaimPath ?? [rolesClaimName]) claim = (claim as Claims | undefined)?.[name];
  return typeof claim === 'string' ? claim : undefined;
}

/** Changes the roles that are read from a claim of the given form. */
const changeRoles = (form: 'string' | 'array', change: (roles: Roles) => Roles): Replace =>
  replaceFunction('rolesOf', (original, claims, settings) => {
    const roles = original(claims, settings);
    const isText = rolesText(claims, settings) !== undefined;
    return isText === (form === 'string') ? change(roles) : roles;
  });

const splitRoles = (separator: RegExp | string): Replace =>
  replaceFunction(
    'rolesOf',
    (original, claims, settings) =>
      rolesText(claims, settings)?.split(separator) ?? original(claims, settings),
  );

const firstTwo = (roles: Roles): Roles => roles.slice(0, 2);
const inLowerCase = (roles: Roles): Roles => roles.map((role) => role.toLowerCase());

const changeRolesSettings = (change: (settings: TokenSettings, claims: Claims) => object): Replace =>
  replaceFunction('rolesOf', (original, claims, settings) =>
    original(claims, { ...settings, ...change(settings, claims) }),
  );

/** Reads no roles from a string with some settings. */
const ignoreRolesText = (isIgnored: (settings: TokenSettings) => boolean): Replace =>
  replaceFunction('rolesOf', (original, claims, settings) =>
    isIgnored(settings) && rolesText(claims, settings) !== undefined ? [] : original(claims, settings),
  );

/** The default name of the roles claim in the dialect of the token. */
const defaultRolesClaim = (claims: Claims): string =>
  Object.keys(claims).find((name) => /^_\w+\.roles$/.test(name)) ?? '_service.roles';

export const jwtClaimFaults: readonly Fault[] = [
  {
    id: 'jwt-name-lower-case',
    rule: 'jwt-sub-name',
    summary: 'The server converts the user name of a token to lower case.',
    replace: replaceFunction('subjectOf', (original, claims) => original(claims).toLowerCase()),
  },
  {
    id: 'jwt-name-to-comma',
    rule: 'jwt-sub-name',
    summary: 'The server reads the user name of a token up to its first comma.',
    replace: replaceFunction('subjectOf', (original, claims) => original(claims).split(',')[0]!),
  },
  {
    id: 'jwt-name-for-sub',
    rule: 'jwt-sub-required',
    summary: 'The server takes the user name from the claim "name" if sub is missing.',
    replace: replaceFunction('subjectOf', (original, claims) =>
      original('sub' in claims ? claims : { sub: claims['name'] }),
    ),
  },
  {
    id: 'jwt-name-made-up',
    rule: 'jwt-sub-required',
    summary: 'The server takes "jwt" as the user name if sub is missing.',
    replace: replaceFunction('subjectOf', (original, claims) => original({ sub: 'jwt', ...claims })),
  },
  {
    id: 'jwt-first-required',
    rule: 'jwt-required-missing',
    summary: 'The server accepts a token that lacks any required claim but the first.',
    replace: checkOnly(({ name }, index, claims) => index === 0 || name in claims),
  },
  {
    id: 'jwt-exp-optional',
    rule: 'jwt-required-missing',
    summary: 'The server accepts a token without a required exp.',
    replace: checkOnly(({ name }, _, claims) => name !== 'exp' || 'exp' in claims),
  },
  {
    id: 'jwt-required-null',
    rule: 'jwt-required-missing',
    summary: 'The server accepts a token that lacks a claim with a required value.',
    replace: checkOnly(({ name, value }, _, claims) => value === undefined || name in claims),
  },
  {
    id: 'jwt-required-for-session-only',
    rule: 'jwt-required-missing',
    summary: 'The server rejects a token without a required claim only in a request for the session.',
    replace: perServer(() => {
      const rejections = new Map<unknown, Error>();
      return combine(
        replaceFunction('checkClaims', (original, claims, required, now) => {
          rejections.delete(claims['sub']);
          try {
            original(claims, required, now);
          } catch (error) {
            if (required.every(({ name }) => name in claims)) throw error;
            rejections.set(claims['sub'], error as Error);
          }
        }),
        replaceHandler('getSession', async (original, request, context) => {
          const error = rejections.get(context.user.name);
          if (error !== undefined) throw error;
          return original(request, context);
        }),
      );
    }),
  },
  {
    id: 'jwt-exp-unchecked',
    rule: 'jwt-required-validated',
    summary: 'The server accepts a token whose required exp is in the past.',
    replace: pretendTime('exp', 60),
  },
  {
    id: 'jwt-nbf-unchecked',
    rule: 'jwt-required-validated',
    summary: 'The server accepts a token whose required nbf is in the future.',
    replace: pretendTime('nbf', -60),
  },
  {
    id: 'jwt-exp-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'The server rejects a token whose exp is in the past although exp is not required.',
    replace: alwaysCheck('exp'),
  },
  {
    id: 'jwt-nbf-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'The server rejects a token whose nbf is in the future although nbf is not required.',
    replace: alwaysCheck('nbf'),
  },
  {
    id: 'jwt-roles-two',
    rule: 'jwt-roles-array',
    summary: 'The server reads only the first two roles of an array.',
    replace: changeRoles('array', firstTwo),
  },
  {
    id: 'jwt-roles-array-lower-case',
    rule: 'jwt-roles-array',
    summary: 'The server converts roles of an array to lower case.',
    replace: changeRoles('array', inLowerCase),
  },
  {
    id: 'jwt-roles-untrimmed',
    rule: 'jwt-roles-string',
    summary: 'The server keeps spaces before a comma as part of a role.',
    replace: splitRoles(/,\s*/),
  },
  {
    id: 'jwt-roles-comma-blank',
    rule: 'jwt-roles-string',
    summary: 'The server separates roles of a string only at a comma with a space.',
    replace: splitRoles(', '),
  },
  {
    id: 'jwt-roles-string-first',
    rule: 'jwt-roles-equivalent',
    summary: 'The server reads only the first two roles of a string.',
    replace: changeRoles('string', firstTwo),
  },
  {
    id: 'jwt-roles-string-lower-case',
    rule: 'jwt-roles-equivalent',
    summary: 'The server converts roles of a string to lower case.',
    replace: changeRoles('string', inLowerCase),
  },
  {
    id: 'jwt-roles-fallback',
    rule: 'jwt-roles-absent',
    summary: 'The server takes roles from the claim "roles" if the roles claim is missing.',
    replace: replaceFunction('rolesOf', (original, claims, settings) => {
      const found = original(claims, settings);
      if (found.length > 0) return found;
      return original({ [settings.rolesClaimName]: claims['roles'] ?? [] }, settings);
    }),
  },
  {
    id: 'jwt-roles-nested',
    rule: 'jwt-roles-absent',
    summary: 'The server reads a period in the name of the roles claim as a path into an object.',
    replace: replaceFunction('rolesOf', (original, claims, settings) => {
      const found = original(claims, settings);
      if (found.length > 0 || settings.rolesClaimPath) return found;
      return original(claims, { ...settings, rolesClaimPath: settings.rolesClaimName.split('.') });
    }),
  },
  {
    id: 'jwt-roles-name-ignored',
    rule: 'jwt-roles-claim-name',
    summary: 'The server ignores the configured name of the roles claim.',
    replace: changeRolesSettings((_, claims) => ({ rolesClaimName: defaultRolesClaim(claims) })),
  },
  {
    id: 'jwt-roles-name-added',
    rule: 'jwt-roles-claim-name',
    summary: 'The server reads the roles claim with the default name in addition to the configured one.',
    replace: replaceFunction('rolesOf', (original, claims, settings) => {
      const rolesClaimName = defaultRolesClaim(claims);
      const roles = original(claims, settings);
      if (settings.rolesClaimName === rolesClaimName) return roles;
      return [...roles, ...original(claims, { ...settings, rolesClaimName })];
    }),
  },
  {
    id: 'jwt-roles-path-ignored',
    rule: 'jwt-roles-claim-path',
    summary: 'The server ignores the configured path of the roles claim.',
    replace: changeRolesSettings(() => ({ rolesClaimPath: undefined })),
  },
  {
    id: 'jwt-roles-path-unescaped',
    rule: 'jwt-roles-claim-path',
    summary: 'The server reads an escaped period in the path of the roles claim as a separator.',
    replace: changeRolesSettings(({ rolesClaimPath }) => ({
      rolesClaimPath: rolesClaimPath?.flatMap((name) => name.split('.')),
    })),
  },
  {
    id: 'jwt-exp-zero',
    rule: 'jwt-required-validated',
    summary: 'The server reads an exp of 0 as no limit.',
    replace: replaceFunction('checkClaims', (original, claims, required, now) =>
      original(claims['exp'] === 0 ? { ...claims, exp: now + 60 } : claims, required, now),
    ),
  },
  {
    id: 'jwt-name-cut',
    rule: 'jwt-sub-name',
    summary: 'The server reads only the first 32 characters of the user name of a token.',
    replace: replaceFunction('subjectOf', (original, claims) => original(claims).slice(0, 32)),
  },
  {
    id: 'jwt-roles-array-split',
    rule: 'jwt-roles-array',
    summary: 'The server splits the roles of an array at commas.',
    replace: changeRoles('array', (roles) => roles.flatMap((role) => role.split(','))),
  },
  {
    id: 'jwt-roles-array-trimmed',
    rule: 'jwt-roles-array',
    summary: 'The server removes spaces around the roles of an array.',
    replace: changeRoles('array', (roles) => roles.map((role) => role.trim())),
  },
  {
    id: 'jwt-roles-name-fallback',
    rule: 'jwt-roles-claim-name',
    summary: 'The server reads the roles claim with the default name if the configured one is missing.',
    replace: changeRolesSettings(({ rolesClaimName }, claims) =>
      rolesClaimName in claims ? {} : { rolesClaimName: defaultRolesClaim(claims) },
    ),
  },
  {
    id: 'jwt-roles-string-not-in-path',
    rule: 'jwt-roles-string',
    summary: 'The server ignores a string at the configured path of the roles claim.',
    replace: ignoreRolesText(({ rolesClaimPath }) => rolesClaimPath !== undefined),
  },
  {
    id: 'jwt-roles-string-not-in-named',
    rule: 'jwt-roles-string',
    summary: 'The server ignores a string in a roles claim that does not have the default name.',
    replace: ignoreRolesText(
      ({ rolesClaimName, rolesClaimPath }) => !rolesClaimPath && !/^_\w+\.roles$/.test(rolesClaimName),
    ),
  },
];
