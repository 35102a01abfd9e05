/** JSON Web Tokens: claims and roles (SERVICE 5.4). */
import fc from 'fast-check';
import * as arbitraries from '../../arbitraries/token-parts.js';
import {
  asObject,
  type CheckContext,
  type CheckDefinition,
  defineRule,
  equalTo,
  forAll,
  mustMatch,
  mustRespond,
  type Run,
  Skip,
  token,
  variantsFor,
} from '../../kit.js';
import {
  checkToken,
  claimsFor,
  farInSeconds,
  headerFor,
  keyNamed,
  keyNames,
  nest,
  nowInSeconds,
  omit,
  sendToken,
  usableKeys,
  withRoles,
} from '../shared/jwt.js';
import { tokenMembersLike } from '../shared/resembling.js';
import { mustServeFeedToRole } from '../shared/sessions.js';
import { unseen } from '../shared/unseen.js';
import { forUsers, forbiddenToken, isOutOfTime, mustBeNamed, partOf } from '../shared/passing-sessions.js';

const requiredClaims = 'jwt_auth/required_claims';
const rolesClaimName = 'jwt_auth/roles_claim_name';
const rolesClaimPath = 'jwt_auth/roles_claim_path';

/** Settings that require several claims, or only a claim without a time. */
const severalRequired = { [requiredClaims]: 'exp, nbf, {iss, "docfeed"}' };
const issuerRequired = { [requiredClaims]: '{iss, "docfeed"}' };

/** Settings that name another claim with the roles. */
const configuredClaimName = { [rolesClaimName]: 'docfeed.roles', [rolesClaimPath]: null };
const configuredClaimPath = {
  [rolesClaimName]: 'docfeed-name',
  [rolesClaimPath]: 'docfeed.level.roles\\.list',
};

/** Signs and sends these claims. The target must accept or reject the token as the model does. */
async function checkClaims(
  context: CheckContext,
  keyName: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const key = keyNamed(context, keyName);
  await checkToken(context, { header: headerFor(key), claims }, key);
}

function requiredOf({ target }: CheckContext): readonly { name: string; value?: string }[] {
  const { requiredClaims = [] } = target.auth.jwt;
  if (requiredClaims.length > 0) return requiredClaims;
  throw new Skip('The target requires no claims, or the suite does not know them.', 'jwt-required-claims');
}

/** Omits each required claim in turn, in requests to several resources. */
async function missingClaims(context: CheckContext): Promise<void> {
  const feeds = context.target.has('admin') ? [`/${(await context.createDatabase()).name}/_changes`] : [];
  for (const [index, key] of usableKeys(context).entries()) {
    for (const { name } of requiredOf(context)) {
      const claims = omit(name, claimsFor(context, 'docfeed-anna'));
      await checkToken(context, { header: headerFor(key), claims }, key);
      for (const path of index === 0 ? ['/', ...feeds] : []) {
        const as = { authorization: `Bearer ${token(headerFor(key), claims, key)}` };
        const response = await context.target.request({ path, as });
        mustRespond(
          response,
          400,
          `The target does not respond with 400 although the claim ${name} is missing`,
        );
      }
    }
  }
}

/** A server may tolerate a difference between clocks of a few minutes (RFC 7519, section 4.1.4). */
const toleratedSeconds = 600;

/** An expired token, or one that is not valid yet. */
const invalidTimes: Run = forAll(
  (context) =>
    fc.record({
      key: keyNames(context),
      name: fc.constantFrom(...requiredTimes(context)),
      by: fc.oneof(
        { weight: 2, arbitrary: fc.integer({ min: toleratedSeconds, max: 10 * farInSeconds }) },
        { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 32) },
      ),
    }),
  async (context, { key, name, by }) => {
    const now = nowInSeconds();
    // At the most, 0 and the largest time with ten digits.
    const time = name === 'exp' ? Math.max(0, now - by) : Math.min(9_999_999_999, now + by);
    await checkClaims(context, key, { ...claimsFor(context, 'docfeed-anna'), [name]: time });
  },
);

function requiredTimes(context: CheckContext): string[] {
  const times = requiredOf(context).flatMap(({ name }) => (name === 'exp' || name === 'nbf' ? [name] : []));
  if (times.length === 0) throw new Skip('The target requires neither exp nor nbf.');
  return times;
}

/** The names of the claims that the target uses. */
function usedClaims({ target }: CheckContext): string[] {
  const { requiredClaims = [{ name: 'exp' }, { name: 'nbf' }, { name: 'iat' }], rolesClaim } =
    target.auth.jwt;
  return [...requiredClaims.map(({ name }) => name), rolesClaim[0]!];
}

/** Claims that the target does not use, with any value. */
const ignoredClaims: Run = forAll(
  (context) =>
    fc.record({ key: keyNames(context), claims: arbitraries.unrequiredClaims(usedClaims(context)) }),
  async (context, { key, claims }) => {
    const needed = withRoles(context, claimsFor(context, 'docfeed-anna'), ['docfeed-reader']);
    await checkClaims(context, key, { ...claims, ...needed });
  },
  { cases: { default: 40 } },
);

/** Roles, and the same roles joined to one string. */
const rolesAndText = arbitraries.roles.chain((roles) =>
  fc.record({ roles: fc.constant(roles), text: arbitraries.joined(roles) }),
);
const someRolesAndText = rolesAndText.filter(({ roles }) => roles.length > 0);

/** Roles in the claim of the settings. Other roles in the default claim must be ignored. */
const rolesInConfiguredClaim = (
  otherClaims: readonly string[],
  roles: fc.Arbitrary<readonly string[] | undefined> = arbitraries.roles,
): Run =>
  forAll(
    (context) => fc.record({ key: keyNames(context), roles, others: arbitraries.roles }),
    async (context, { key, roles, others }) => {
      const claims = claimsFor(context, 'docfeed-anna');
      for (const name of [context.target.names.rolesClaim, ...otherClaims]) claims[name] = others;
      await checkClaims(context, key, roles === undefined ? claims : withRoles(context, claims, roles));
    },
  );

const someRolesInText: Run = forAll(
  (context) => fc.record({ key: keyNames(context), some: someRolesAndText }),
  (context, { key, some: { text } }) =>
    checkClaims(context, key, withRoles(context, claimsFor(context, 'docfeed-anna'), text)),
);

/** The roles in a token open a database to its user, whatever its name. */
const rolesOpenDatabase = (roles: unknown): CheckDefinition => ({
  needs: ['users'],
  async run(context) {
    const [key] = usableKeys(context);
    const claims = withRoles(context, claimsFor(context, context.planUser().name), roles);
    const as = { authorization: `Bearer ${token(headerFor(key!), claims, key!)}` };
    await mustServeFeedToRole(context, 'docfeed-role', { as });
  },
});

export const jwtSubName = defineRule('jwt-sub-name', {
  rung: 'tokens',
  inTraffic: {
    response: forUsers(['jwt'], ({ value, name }) => {
      const sub = partOf(value, 1)?.['sub'];
      if (typeof sub !== 'string' || sub === '') return false;
      mustBeNamed(name, sub, 'a token');
    }),
  },
  checks: {
    'jwt-sub-name': forAll(
      (context) => fc.record({ key: keyNames(context), name: arbitraries.subjects }),
      (context, { key, name }) => checkClaims(context, key, claimsFor(context, name)),
    ),

    'jwt-sub-name/difficult': async (context) => {
      const [key] = usableKeys(context);
      for (const name of variantsFor(context, arbitraries.difficultSubjects)) {
        const claims = claimsFor(context, name);
        await checkToken(context, { header: headerFor(key!), claims }, key!);
      }
    },
  },
});

export const jwtSubRequired = defineRule('jwt-sub-required', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'Such a token authenticates nobody who asks for the session.', rest: unseen.access },
    response: forbiddenToken(({ claims }) => !('sub' in claims), 'a token without sub'),
  },
  checks: {
    'jwt-sub-required': forAll(
      (context) =>
        fc.record({ key: keyNames(context), claims: arbitraries.unrequiredClaims(usedClaims(context)) }),
      async (context, { key, claims }) => {
        const needed = omit('sub', withRoles(context, claimsFor(context, 'x'), ['docfeed-reader']));
        await checkClaims(context, key, { name: 'docfeed-anna', ...claims, ...needed });
      },
    ),

    'jwt-sub-required/similar-names': async (context) => {
      const [key] = usableKeys(context);
      const { sub, ...others } = claimsFor(context, 'docfeed-nobody');
      for (const name of variantsFor(context, tokenMembersLike('sub')))
        await checkToken(context, { header: headerFor(key!), claims: { ...others, [name]: sub } }, key!);
    },
  },
});

export const jwtRequiredMissing = defineRule('jwt-required-missing', {
  rung: 'tokens',
  inTraffic: {
    part: { judged: 'Such a token authenticates nobody who asks for the session.', rest: unseen.access },
    needs: 'jwt-required-claims',
    response: forbiddenToken(
      ({ claims }, { context }) => context.requiredClaims.some((name) => !(name in claims)),
      'a token without a required claim',
    ),
  },
  checks: {
    'jwt-required-missing': {
      optional: ['admin'],
      run: missingClaims,
    },

    'jwt-required-missing/similar-names': async (context) => {
      const [key] = usableKeys(context);
      for (const { name } of requiredOf(context)) {
        const { [name]: value, ...others } = claimsFor(context, 'docfeed-nobody');
        for (const other of variantsFor(context, tokenMembersLike(name)))
          await checkToken(context, { header: headerFor(key!), claims: { ...others, [other]: value } }, key!);
      }
    },

    'jwt-required-missing/several': {
      optional: ['admin'],
      settings: severalRequired,
      run: missingClaims,
    },
  },
});

export const jwtRequiredValidated = defineRule('jwt-required-validated', {
  rung: 'tokens',
  inTraffic: {
    part: {
      judged: 'A token that has expired or is not valid yet authenticates nobody who asks for the session.',
      rest: unseen.access,
    },
    needs: 'jwt-required-claims',
    response: forbiddenToken(
      ({ claims }, passed) => isOutOfTime(claims, passed),
      'a token that has expired or is not valid yet',
    ),
  },
  checks: {
    'jwt-required-validated': invalidTimes,

    'jwt-required-validated/several': {
      settings: severalRequired,
      run: invalidTimes,
    },
  },
});

export const jwtUnrequiredIgnored = defineRule('jwt-unrequired-ignored', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'jwt-unrequired-ignored': ignoredClaims,

    'jwt-unrequired-ignored/times': {
      settings: issuerRequired,
      run: ignoredClaims,
    },
  },
});

export const jwtRolesArray = defineRule('jwt-roles-array', {
  rung: 'tokens',
  notInTraffic: unseen.rolesClaim,
  checks: {
    'jwt-roles-array': forAll(
      (context) => fc.record({ key: keyNames(context), roles: arbitraries.rolesOfArray }),
      (context, { key, roles }) =>
        checkClaims(context, key, withRoles(context, claimsFor(context, 'docfeed-anna'), roles)),
    ),

    'jwt-roles-array/feed-of-role': rolesOpenDatabase(['other', 'docfeed-role']),
  },
});

export const jwtRolesString = defineRule('jwt-roles-string', {
  rung: 'tokens',
  notInTraffic: unseen.rolesClaim,
  checks: {
    'jwt-roles-string': someRolesInText,

    'jwt-roles-string/feed-of-role': rolesOpenDatabase('other,docfeed-role'),

    'jwt-roles-string/claim-name': {
      needs: ['config-write'],
      settings: configuredClaimName,
      run: someRolesInText,
    },

    'jwt-roles-string/claim-path': {
      needs: ['config-write'],
      settings: configuredClaimPath,
      run: someRolesInText,
    },
  },
});

export const jwtRolesEquivalent = defineRule('jwt-roles-equivalent', {
  rung: 'tokens',
  notInTraffic: unseen.rolesClaim,
  checks: {
    'jwt-roles-equivalent': forAll(
      (context) => fc.record({ key: keyNames(context), some: someRolesAndText }),
      async (context, { key: keyName, some: { roles, text } }) => {
        const key = keyNamed(context, keyName);
        const userCtx = async (form: unknown): Promise<unknown> => {
          const claims = withRoles(context, claimsFor(context, 'docfeed-anna'), form);
          const session = await sendToken(context, token(headerFor(key), claims, key));
          const { name, roles } = asObject(session.object()['userCtx']);
          return { name, roles: Array.isArray(roles) ? [...(roles as unknown[])].sort() : roles };
        };
        const what = 'A token with roles in a string gives another user context than with roles in an array';
        mustMatch(what, await userCtx(text), equalTo(await userCtx(roles)), '$.userCtx');
      },
    ),
  },
});

export const jwtRolesAbsent = defineRule('jwt-roles-absent', {
  rung: 'tokens',
  notInTraffic: unseen.rolesClaim,
  checks: {
    'jwt-roles-absent': forAll(
      (context) =>
        fc.record({ key: keyNames(context), roles: fc.constantFrom(['docfeed-role'], 'docfeed-role') }),
      async (context, { key, roles }) => {
        const [claim, ...inner] = context.target.auth.jwt.rolesClaim;
        const path = [...claim!.split('.'), ...inner];
        const names = ['roles', 'role', 'groups', 'scope', ...tokenMembersLike(claim!)];
        const similar = Object.fromEntries(names.map((name) => [name, roles]));
        // A claim name with dots must not be used as a path.
        const nested = path.length > 1 && inner.length === 0 ? (nest(path, roles) as object) : {};
        await checkClaims(context, key, { ...similar, ...nested, ...claimsFor(context, 'docfeed-anna') });
      },
    ),
  },
});

export const jwtRolesClaimName = defineRule('jwt-roles-claim-name', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'jwt-roles-claim-name': {
      settings: configuredClaimName,
      run: rolesInConfiguredClaim([], fc.option(arbitraries.roles, { nil: undefined, freq: 2 })),
    },
  },
});

export const jwtRolesClaimPath = defineRule('jwt-roles-claim-path', {
  rung: 'tokens',
  notInTraffic: unseen.settings,
  checks: {
    'jwt-roles-claim-path': {
      settings: configuredClaimPath,
      run: rolesInConfiguredClaim(['docfeed-name']),
    },
  },
});
