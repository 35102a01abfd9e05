/** JSON Web Tokens: claims and roles (SERVICE 5.4). */
import fc from 'fast-check';
import * as arbitraries from '../arbitraries/tokens.js';
import { equalTo, mustMatch } from '../verdict/matchers.js';
import { Skip } from '../verdict/outcomes.js';
import { token } from '../play/tokens.js';
import {
  sendToken,
  claimsFor,
  farAway,
  headerFor,
  checkToken,
  keyNamed,
  keysOf,
  nested,
  now,
  someKey,
  without,
  withRoles,
} from './shared/jwt.js';
import { check, type CheckContext, forAll } from '../check.js';

const requiredClaims = 'jwt_auth/required_claims';
const rolesClaimName = 'jwt_auth/roles_claim_name';
const rolesClaimPath = 'jwt_auth/roles_claim_path';

/** Claims that are required one by one; of the issuer the value as well. */
const severalRequired = { [requiredClaims]: 'exp, nbf, {iss, "docfeed"}' };
const issuerRequired = { [requiredClaims]: '{iss, "docfeed"}' };

/** Sends a token with these claims, signed by that key. */
async function judgeClaims(
  context: CheckContext,
  keyName: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const key = keyNamed(context, keyName);
  await checkToken(context, { header: headerFor(key), claims }, key);
}

function requiredOf({ target }: CheckContext): readonly { name: string; value?: string }[] {
  const { requiredClaims } = target.auth.jwt;
  if (!requiredClaims || requiredClaims.length === 0)
    throw new Skip('No claim is known that the target requires.');
  return requiredClaims;
}

async function withoutEach(context: CheckContext): Promise<void> {
  for (const key of keysOf(context)) {
    for (const { name } of requiredOf(context)) {
      const claims = without(name, claimsFor(context, 'docfeed-anna'));
      await checkToken(context, { header: headerFor(key), claims }, key);
    }
  }
}

const outOfTime = forAll(
  (context) =>
    fc.record({
      key: someKey(context),
      name: fc.constantFrom(...timesRequired(context)),
      by: fc.integer({ min: 120, max: 10 * farAway }),
    }),
  async (context, { key, name, by }) => {
    const time = name === 'exp' ? now() - by : now() + by;
    await judgeClaims(context, key, { ...claimsFor(context, 'docfeed-anna'), [name]: time });
  },
);

function timesRequired(context: CheckContext): string[] {
  const times = requiredOf(context).flatMap(({ name }) => (name === 'exp' || name === 'nbf' ? [name] : []));
  if (times.length === 0) throw new Skip('The target requires neither exp nor nbf.');
  return times;
}

/** The names of claims that have a meaning for this target. */
const meantBy = ({ target }: CheckContext): string[] => [
  ...(target.auth.jwt.requiredClaims ?? [{ name: 'exp' }, { name: 'nbf' }, { name: 'iat' }]).map(
    ({ name }) => name,
  ),
  target.auth.jwt.rolesClaim[0]!,
];

const ignored = forAll(
  (context) => fc.record({ key: someKey(context), claims: arbitraries.unrequiredClaims(meantBy(context)) }),
  async (context, { key, claims }) => {
    const needed = withRoles(context, claimsFor(context, 'docfeed-anna'), ['docfeed-reader']);
    await judgeClaims(context, key, { ...claims, ...needed });
  },
  { runs: { default: 40 } },
);

/** Roles, and the way in which a string joins them. */
const someRoles = arbitraries.roles.chain((roles) =>
  fc.record({ roles: fc.constant(roles), text: arbitraries.joined(roles) }),
);

export const jwtClaimChecks = [
  check({
    rule: 'jwt-sub-name',
    run: forAll(
      (context) => fc.record({ key: someKey(context), name: arbitraries.subjects }),
      (context, { key, name }) => judgeClaims(context, key, claimsFor(context, name)),
      { runs: { default: 40 } },
    ),
  }),

  check({
    rule: 'jwt-sub-required',
    run: forAll(
      (context) =>
        fc.record({ key: someKey(context), claims: arbitraries.unrequiredClaims(meantBy(context)) }),
      async (context, { key, claims }) => {
        const needed = without('sub', withRoles(context, claimsFor(context, 'x'), ['docfeed-reader']));
        await judgeClaims(context, key, { name: 'docfeed-anna', ...claims, ...needed });
      },
    ),
  }),

  check({ rule: 'jwt-required-missing', run: withoutEach }),
  check({ rule: 'jwt-required-missing', what: 'several', settings: severalRequired, run: withoutEach }),

  check({ rule: 'jwt-required-validated', run: outOfTime }),
  check({ rule: 'jwt-required-validated', what: 'several', settings: severalRequired, run: outOfTime }),

  check({ rule: 'jwt-unrequired-ignored', run: ignored }),
  check({ rule: 'jwt-unrequired-ignored', what: 'times', settings: issuerRequired, run: ignored }),

  check({
    rule: 'jwt-roles-array',
    run: forAll(
      (context) => fc.record({ key: someKey(context), roles: arbitraries.roles }),
      (context, { key, roles }) =>
        judgeClaims(context, key, withRoles(context, claimsFor(context, 'docfeed-anna'), roles)),
    ),
  }),

  check({
    rule: 'jwt-roles-string',
    run: forAll(
      (context) =>
        fc.record({ key: someKey(context), some: someRoles.filter(({ roles }) => roles.length > 0) }),
      (context, { key, some: { text } }) =>
        judgeClaims(context, key, withRoles(context, claimsFor(context, 'docfeed-anna'), text)),
    ),
  }),

  check({
    rule: 'jwt-roles-equivalent',
    run: forAll(
      (context) =>
        fc.record({ key: someKey(context), some: someRoles.filter(({ roles }) => roles.length > 0) }),
      async (context, { key: keyName, some: { roles, text } }) => {
        const key = keyNamed(context, keyName);
        const userCtx = async (form: unknown): Promise<unknown> => {
          const claims = withRoles(context, claimsFor(context, 'docfeed-anna'), form);
          const session = await sendToken(context, token(headerFor(key), claims, key));
          const { name, roles } = (session.object()['userCtx'] ?? {}) as { name?: unknown; roles?: unknown };
          return { name, roles: Array.isArray(roles) ? [...(roles as unknown[])].sort() : roles };
        };
        const what = 'Roles in a string give another user context than in an array';
        mustMatch(what, await userCtx(text), equalTo(await userCtx(roles)), '$.userCtx');
      },
    ),
  }),

  check({
    rule: 'jwt-roles-absent',
    run: forAll(
      (context) =>
        fc.record({ key: someKey(context), roles: fc.constantFrom(['docfeed-role'], 'docfeed-role') }),
      async (context, { key, roles }) => {
        const [claim, ...inner] = context.target.auth.jwt.rolesClaim;
        const parts = [...claim!.split('.'), ...inner];
        const similar = { roles, role: roles, groups: roles, scope: roles, [`${claim}x`]: roles };
        const split = parts.length > 1 && inner.length === 0 ? (nested(parts, roles) as object) : {};
        await judgeClaims(context, key, { ...similar, ...split, ...claimsFor(context, 'docfeed-anna') });
      },
    ),
  }),

  check({
    rule: 'jwt-roles-claim-name',
    settings: { [rolesClaimName]: 'docfeed.roles', [rolesClaimPath]: null },
    run: forAll(
      (context) => fc.record({ key: someKey(context), roles: arbitraries.roles, others: arbitraries.roles }),
      async (context, { key, roles, others }) => {
        const { rolesClaim } = context.target.names;
        const claims = { ...claimsFor(context, 'docfeed-anna'), [rolesClaim]: others };
        await judgeClaims(context, key, withRoles(context, claims, roles));
      },
    ),
  }),

  check({
    rule: 'jwt-roles-claim-path',
    settings: { [rolesClaimName]: 'docfeed-name', [rolesClaimPath]: 'docfeed.level.roles\\.list' },
    run: forAll(
      (context) => fc.record({ key: someKey(context), roles: arbitraries.roles, others: arbitraries.roles }),
      async (context, { key, roles, others }) => {
        const { rolesClaim } = context.target.names;
        const claims = {
          ...claimsFor(context, 'docfeed-anna'),
          [rolesClaim]: others,
          'docfeed-name': others,
        };
        await judgeClaims(context, key, withRoles(context, claims, roles));
      },
    ),
  }),
];
