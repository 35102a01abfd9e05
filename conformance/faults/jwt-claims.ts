/** Faults in how the claims of JSON Web Tokens are read. */
import { type Fault, type Parts } from '../../reference/index.js';
import { type Replace } from './shared/components.js';

type Claims = Parameters<Parts['checkClaims']>[0];
type TokenSettings = Parameters<Parts['rolesOf']>[1];

/** Judges claims in another way; what is required may be changed as well. */
const claiming =
  (check: (original: Parts['checkClaims'], ...claims: Parameters<Parts['checkClaims']>) => void): Replace =>
  (parts) => ({ ...parts, checkClaims: (...claims) => check(parts.checkClaims, ...claims) });

const naming =
  (name: (original: Parts['subjectOf'], claims: Claims) => string): Replace =>
  (parts) => ({ ...parts, subjectOf: (claims) => name(parts.subjectOf, claims) });

const giving =
  (
    roles: (original: Parts['rolesOf'], claims: Claims, settings: TokenSettings) => readonly string[],
  ): Replace =>
  (parts) => ({ ...parts, rolesOf: (claims, settings) => roles(parts.rolesOf, claims, settings) });

/** The roles claim, wherever it is, when it is a string. */
function rolesText(claims: Claims, { rolesClaimName, rolesClaimPath }: TokenSettings): string | undefined {
  let claim: unknown = claims;
  for (const name of rolesClaimPath ?? [rolesClaimName]) claim = (claim as Claims | undefined)?.[name];
  return typeof claim === 'string' ? claim : undefined;
}

/** The name that the roles claim has in the token when nothing else is configured. */
const initialRolesClaim = (claims: Claims): string =>
  Object.keys(claims).find((name) => /^_\w+\.roles$/.test(name)) ?? '_service.roles';

export const jwtClaimFaults: readonly Fault[] = [
  {
    id: 'jwt-name-lower-case',
    rule: 'jwt-sub-name',
    summary: 'The name in a token is put in lower case.',
    replace: naming((name, claims) => name(claims).toLowerCase()),
  },
  {
    id: 'jwt-name-to-comma',
    rule: 'jwt-sub-name',
    summary: 'The name in a token ends at the first comma.',
    replace: naming((name, claims) => name(claims).split(',')[0]!),
  },
  {
    id: 'jwt-name-for-sub',
    rule: 'jwt-sub-required',
    summary: 'Where there is no sub, the claim "name" is the user name.',
    replace: naming((name, claims) => name('sub' in claims ? claims : { sub: claims['name'] })),
  },
  {
    id: 'jwt-name-made-up',
    rule: 'jwt-sub-required',
    summary: 'Where there is no sub, the user name is "jwt".',
    replace: naming((name, claims) => name({ sub: 'jwt', ...claims })),
  },
  {
    id: 'jwt-first-required',
    rule: 'jwt-required-missing',
    summary: 'Of the required claims only the first must be there.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name }, index) => index === 0 || name in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-exp-optional',
    rule: 'jwt-required-missing',
    summary: 'A required exp is judged when it is there, and may be missing.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name }) => name !== 'exp' || 'exp' in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-required-null',
    rule: 'jwt-required-missing',
    summary: 'A required claim with a value that is missing altogether is not asked for.',
    replace: claiming((check, claims, required, now) =>
      check(
        claims,
        required.filter(({ name, value }) => value === undefined || name in claims),
        now,
      ),
    ),
  },
  {
    id: 'jwt-exp-unchecked',
    rule: 'jwt-required-validated',
    summary: 'A required exp may be in the past.',
    replace: claiming((check, claims, required, now) =>
      check('exp' in claims ? { ...claims, exp: now + 60 } : claims, required, now),
    ),
  },
  {
    id: 'jwt-nbf-unchecked',
    rule: 'jwt-required-validated',
    summary: 'A required nbf may be in the future.',
    replace: claiming((check, claims, required, now) =>
      check('nbf' in claims ? { ...claims, nbf: now - 60 } : claims, required, now),
    ),
  },
  {
    id: 'jwt-exp-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'A past exp refuses a token, required or not.',
    replace: claiming((check, claims, required, now) =>
      check(claims, typeof claims['exp'] === 'number' ? [...required, { name: 'exp' }] : required, now),
    ),
  },
  {
    id: 'jwt-nbf-always-checked',
    rule: 'jwt-unrequired-ignored',
    summary: 'An nbf in the future refuses a token, required or not.',
    replace: claiming((check, claims, required, now) =>
      check(claims, typeof claims['nbf'] === 'number' ? [...required, { name: 'nbf' }] : required, now),
    ),
  },
  {
    id: 'jwt-roles-two',
    rule: 'jwt-roles-array',
    summary: 'Of roles in an array two count at most.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings).slice(0, 2)
        : roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-array-lower-case',
    rule: 'jwt-roles-array',
    summary: 'Roles in an array are put in lower case.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings).map((role) => role.toLowerCase())
        : roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-untrimmed',
    rule: 'jwt-roles-string',
    summary: 'Blanks before a comma are part of a role.',
    replace: giving(
      (roles, claims, settings) => rolesText(claims, settings)?.split(/,\s*/) ?? roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-comma-blank',
    rule: 'jwt-roles-string',
    summary: 'Roles in a string are separated by a comma with a blank only.',
    replace: giving(
      (roles, claims, settings) => rolesText(claims, settings)?.split(', ') ?? roles(claims, settings),
    ),
  },
  {
    id: 'jwt-roles-string-first',
    rule: 'jwt-roles-equivalent',
    summary: 'Of roles in a string only the first two count.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings)
        : roles(claims, settings).slice(0, 2),
    ),
  },
  {
    id: 'jwt-roles-string-lower-case',
    rule: 'jwt-roles-equivalent',
    summary: 'Roles in a string are put in lower case.',
    replace: giving((roles, claims, settings) =>
      rolesText(claims, settings) === undefined
        ? roles(claims, settings)
        : roles(claims, settings).map((role) => role.toLowerCase()),
    ),
  },
  {
    id: 'jwt-roles-fallback',
    rule: 'jwt-roles-absent',
    summary: 'Without a roles claim, roles come from the claim "roles".',
    replace: giving((roles, claims, settings) => {
      const found = roles(claims, settings);
      return found.length > 0 ? found : roles({ [settings.rolesClaimName]: claims['roles'] ?? [] }, settings);
    }),
  },
  {
    id: 'jwt-roles-nested',
    rule: 'jwt-roles-absent',
    summary: 'A dot in the name of the roles claim is taken for a step into an object.',
    replace: giving((roles, claims, settings) => {
      const found = roles(claims, settings);
      if (found.length > 0 || settings.rolesClaimPath) return found;
      return roles(claims, { ...settings, rolesClaimPath: settings.rolesClaimName.split('.') });
    }),
  },
  {
    id: 'jwt-roles-name-ignored',
    rule: 'jwt-roles-claim-name',
    summary: 'The roles claim always has its initial name.',
    replace: giving((roles, claims, settings) =>
      roles(claims, { ...settings, rolesClaimName: initialRolesClaim(claims) }),
    ),
  },
  {
    id: 'jwt-roles-name-added',
    rule: 'jwt-roles-claim-name',
    summary: 'Roles of the claim with the initial name count besides those of the one that is configured.',
    replace: giving((roles, claims, settings) => [
      ...roles(claims, settings),
      ...(settings.rolesClaimName === initialRolesClaim(claims)
        ? []
        : roles(claims, { ...settings, rolesClaimName: initialRolesClaim(claims) })),
    ]),
  },
  {
    id: 'jwt-roles-path-ignored',
    rule: 'jwt-roles-claim-path',
    summary: 'The name of the roles claim counts, not the path.',
    replace: giving((roles, claims, settings) => roles(claims, { ...settings, rolesClaimPath: undefined })),
  },
  {
    id: 'jwt-roles-path-unescaped',
    rule: 'jwt-roles-claim-path',
    summary: 'A dot in a path is a step, also after a backslash.',
    replace: giving((roles, claims, settings) =>
      roles(claims, {
        ...settings,
        rolesClaimPath: settings.rolesClaimPath?.flatMap((name) => name.split('.')),
      }),
    ),
  },
];
