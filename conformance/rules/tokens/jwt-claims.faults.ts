/** Faults in how the claims of JSON Web Tokens are read. */
import type { Components } from '../../../reference/index.js';
import {
  combine,
  faultsOf,
  perServer,
  replaceFunction,
  replaceHandler,
  type Replace,
} from '../shared/components.faults.js';
import { authorizeWithRoles } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

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

export const jwtClaimFaults = faultsOf({
  'jwt-sub-name': {
    'jwt-name-lower-case': {
      summary: 'The server converts the user name of a token to lower case.',
      replace: replaceFunction('subjectOf', (original, claims) => original(claims).toLowerCase()),
    },
    'jwt-name-to-comma': {
      summary: 'The server reads the user name of a token up to its first comma.',
      replace: replaceFunction('subjectOf', (original, claims) => original(claims).split(',')[0]!),
    },
    'jwt-name-cut': {
      summary: 'The server reads only the first 32 characters of the user name of a token.',
      replace: replaceFunction('subjectOf', (original, claims) => original(claims).slice(0, 32)),
    },
  },
  'jwt-sub-required': {
    'jwt-sub-in-any-case': {
      summary: 'The server ignores the case of the claim sub.',
      notInTraffic: unseen.access,
      replace: replaceFunction('subjectOf', (original, claims) =>
        original({ ...claims, sub: claims['sub'] ?? claims['SUB'] }),
      ),
    },
    'jwt-name-for-sub': {
      summary: 'The server takes the user name from the claim "name" if sub is missing.',
      replace: replaceFunction('subjectOf', (original, claims) =>
        original('sub' in claims ? claims : { sub: claims['name'] }),
      ),
    },
    'jwt-name-made-up': {
      summary: 'The server takes "jwt" as the user name if sub is missing.',
      replace: replaceFunction('subjectOf', (original, claims) => original({ sub: 'jwt', ...claims })),
    },
  },
  'jwt-required-missing': {
    'jwt-required-of-longer-name': {
      summary: 'The server accepts a claim whose name begins like that of a required claim in its place.',
      notInTraffic: unseen.access,
      replace: replaceFunction('checkClaims', (original, claims, required, now) => {
        const found = required.flatMap(({ name }) => {
          const [, value] = Object.entries(claims).find(([other]) => other.startsWith(name)) ?? [];
          return value === undefined ? [] : [[name, value] as const];
        });
        original({ ...claims, ...Object.fromEntries(found) }, required, now);
      }),
    },
    'jwt-first-required': {
      summary: 'The server accepts a token that lacks any required claim but the first.',
      notInTraffic: unseen.rare,
      replace: checkOnly(({ name }, index, claims) => index === 0 || name in claims),
    },
    'jwt-exp-optional': {
      summary: 'The server accepts a token without a required exp.',
      replace: checkOnly(({ name }, _, claims) => name !== 'exp' || 'exp' in claims),
    },
    'jwt-required-null': {
      summary: 'The server accepts a token that lacks a claim with a required value.',
      notInTraffic: unseen.rare,
      replace: checkOnly(({ name, value }, _, claims) => value === undefined || name in claims),
    },
    'jwt-required-for-session-only': {
      summary: 'The server rejects a token without a required claim only in a request for the session.',
      notInTraffic: unseen.access,
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
  },
  'jwt-required-validated': {
    'jwt-exp-unchecked': {
      summary: 'The server accepts a token whose required exp is in the past.',
      replace: pretendTime('exp', 60),
    },
    'jwt-nbf-unchecked': {
      summary: 'The server accepts a token whose required nbf is in the future.',
      notInTraffic: unseen.rare,
      replace: pretendTime('nbf', -60),
    },
    'jwt-exp-zero': {
      summary: 'The server reads an exp of 0 as no limit.',
      replace: replaceFunction('checkClaims', (original, claims, required, now) =>
        original(claims['exp'] === 0 ? { ...claims, exp: now + 60 } : claims, required, now),
      ),
    },
  },
  'jwt-unrequired-ignored': {
    'jwt-exp-always-checked': {
      summary: 'The server rejects a token whose exp is in the past although exp is not required.',
      replace: alwaysCheck('exp'),
    },
    'jwt-nbf-always-checked': {
      summary: 'The server rejects a token whose nbf is in the future although nbf is not required.',
      replace: alwaysCheck('nbf'),
    },
  },
  'jwt-roles-array': {
    'jwt-roles-without-access': {
      summary: 'The server does not count the roles of a token when it grants access to a database.',
      replace: authorizeWithRoles('jwt', () => []),
    },
    'jwt-roles-two': {
      summary: 'The server reads only the first two roles of an array.',
      replace: changeRoles('array', firstTwo),
    },
    'jwt-roles-array-lower-case': {
      summary: 'The server converts roles of an array to lower case.',
      replace: changeRoles('array', inLowerCase),
    },
    'jwt-roles-array-split': {
      summary: 'The server splits the roles of an array at commas.',
      replace: changeRoles('array', (roles) => roles.flatMap((role) => role.split(','))),
    },
    'jwt-roles-array-trimmed': {
      summary: 'The server removes spaces around the roles of an array.',
      replace: changeRoles('array', (roles) => roles.map((role) => role.trim())),
    },
  },
  'jwt-roles-string': {
    'jwt-roles-first-with-access': {
      summary: 'The server counts only the first role of a token when it grants access to a database.',
      replace: authorizeWithRoles('jwt', (roles) => roles.slice(0, 1)),
    },
    'jwt-roles-untrimmed': {
      summary: 'The server keeps spaces before a comma as part of a role.',
      replace: splitRoles(/,\s*/),
    },
    'jwt-roles-comma-blank': {
      summary: 'The server separates roles of a string only at a comma with a space.',
      replace: splitRoles(', '),
    },
    'jwt-roles-string-not-in-path': {
      summary: 'The server ignores a string at the configured path of the roles claim.',
      replace: ignoreRolesText(({ rolesClaimPath }) => rolesClaimPath !== undefined),
    },
    'jwt-roles-string-not-in-named': {
      summary: 'The server ignores a string in a roles claim that does not have the default name.',
      replace: ignoreRolesText(
        ({ rolesClaimName, rolesClaimPath }) => !rolesClaimPath && !/^_\w+\.roles$/.test(rolesClaimName),
      ),
    },
  },
  'jwt-roles-equivalent': {
    'jwt-roles-string-first': {
      summary: 'The server reads only the first two roles of a string.',
      replace: changeRoles('string', firstTwo),
    },
    'jwt-roles-string-lower-case': {
      summary: 'The server converts roles of a string to lower case.',
      replace: changeRoles('string', inLowerCase),
    },
  },
  'jwt-roles-absent': {
    'jwt-roles-in-any-case': {
      summary: 'The server ignores the case of the roles claim.',
      replace: replaceFunction('rolesOf', (original, claims, settings) => {
        const { rolesClaimName } = settings;
        const other = Object.keys(claims).find((name) => name.toLowerCase() === rolesClaimName.toLowerCase());
        return original(claims, { ...settings, rolesClaimName: other ?? rolesClaimName });
      }),
    },
    'jwt-roles-fallback': {
      summary: 'The server takes roles from the claim "roles" if the roles claim is missing.',
      replace: replaceFunction('rolesOf', (original, claims, settings) => {
        const found = original(claims, settings);
        if (found.length > 0) return found;
        return original({ [settings.rolesClaimName]: claims['roles'] ?? [] }, settings);
      }),
    },
    'jwt-roles-nested': {
      summary: 'The server reads a period in the name of the roles claim as a path into an object.',
      replace: replaceFunction('rolesOf', (original, claims, settings) => {
        const found = original(claims, settings);
        if (found.length > 0 || settings.rolesClaimPath) return found;
        return original(claims, { ...settings, rolesClaimPath: settings.rolesClaimName.split('.') });
      }),
    },
  },
  'jwt-roles-claim-name': {
    'jwt-roles-name-ignored': {
      summary: 'The server ignores the configured name of the roles claim.',
      replace: changeRolesSettings((_, claims) => ({ rolesClaimName: defaultRolesClaim(claims) })),
    },
    'jwt-roles-name-added': {
      summary: 'The server reads the roles claim with the default name in addition to the configured one.',
      replace: replaceFunction('rolesOf', (original, claims, settings) => {
        const rolesClaimName = defaultRolesClaim(claims);
        const roles = original(claims, settings);
        if (settings.rolesClaimName === rolesClaimName) return roles;
        return [...roles, ...original(claims, { ...settings, rolesClaimName })];
      }),
    },
    'jwt-roles-name-fallback': {
      summary: 'The server reads the roles claim with the default name if the configured one is missing.',
      replace: changeRolesSettings(({ rolesClaimName }, claims) =>
        rolesClaimName in claims ? {} : { rolesClaimName: defaultRolesClaim(claims) },
      ),
    },
  },
  'jwt-roles-claim-path': {
    'jwt-roles-path-ignored': {
      summary: 'The server ignores the configured path of the roles claim.',
      replace: changeRolesSettings(() => ({ rolesClaimPath: undefined })),
    },
    'jwt-roles-path-unescaped': {
      summary: 'The server reads an escaped period in the path of the roles claim as a separator.',
      replace: changeRolesSettings(({ rolesClaimPath }) => ({
        rolesClaimPath: rolesClaimPath?.flatMap((name) => name.split('.')),
      })),
    },
  },
});
