/** The session cookie (SERVICE 5.2). */
import fc from 'fast-check';
import { check, forAll } from '../check.js';
import { decodings, tampered } from './shared/tampering.js';
import { getSession, logIn, mustBeUser, mustBeAnonymous } from './shared/sessions.js';

export const cookieChecks = [
  check({
    rule: 'cookie-authenticates',
    variant: 'alone',
    async run(context) {
      const user = await context.createUser({ roles: ['reader', 'writer'] });
      const { cookie } = await logIn(context, user);
      mustBeUser(user, await getSession(context, { as: { cookie } }), 'the session cookie');
    },
  }),
  check({
    rule: 'cookie-authenticates',
    variant: 'among-others',
    async run(context) {
      const user = await context.createUser({ roles: ['reader'] });
      const { cookie } = await logIn(context, user);
      const headers = { Cookie: `theme=dark; AuthSession=${cookie}; lang=en` };
      mustBeUser(user, await getSession(context, { headers }), 'the session cookie among other cookies');
    },
  }),
  check({
    rule: 'cookie-tampered',
    variant: 'changed',
    async run(context) {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      const change = fc.record({
        position: fc.noBias(fc.nat(cookie.length - 1)),
        character: fc.constantFrom(...'ABCXYZabcxyz0189-_'),
      });
      await forAll(
        change.filter(({ position, character }) => tampered(cookie, position, character) !== undefined),
        async (inner, { position, character }) => {
          const changed = tampered(cookie, position, character)!;
          const session = await getSession(inner, { as: { cookie: changed } });
          mustBeAnonymous(session, 'a cookie with one changed character');
        },
        { runs: { smoke: 4, default: 150, thorough: 1500 } },
      )(context);
    },
  }),
  check({
    rule: 'cookie-tampered',
    variant: 'cut-short',
    async run(context) {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      const original = decodings(cookie);
      await forAll(
        fc
          .integer({ min: 1, max: cookie.length - 1 })
          .map((length) => cookie.slice(0, length))
          .filter((truncated) => !decodings(truncated).some((content, index) => content === original[index])),
        async (inner, truncated) => {
          mustBeAnonymous(await getSession(inner, { as: { cookie: truncated } }), 'a truncated cookie');
        },
        { runs: { smoke: 2, default: 30, thorough: 200 } },
      )(context);
    },
  }),
];
