/** The session cookie. */
import fc from 'fast-check';
import { check, forAll } from '../check.js';
import { decodings, tampered } from './shared/tampering.js';
import { getSession, logIn, mustBeUser, mustBeAnonymous } from './shared/sessions.js';

export const cookieChecks = [
  check({
    rule: 'cookie-authenticates',
    what: 'alone',
    async run(context) {
      const user = await context.createUser({ roles: ['reader', 'writer'] });
      const { cookie } = await logIn(context, user);
      mustBeUser(user, await getSession(context, { as: { cookie } }), 'The session cookie');
    },
  }),
  check({
    rule: 'cookie-authenticates',
    what: 'among-others',
    async run(context) {
      const user = await context.createUser({ roles: ['reader'] });
      const { cookie } = await logIn(context, user);
      const headers = { Cookie: `theme=dark; AuthSession=${cookie}; lang=en` };
      mustBeUser(user, await getSession(context, { headers }), 'The session cookie among other cookies');
    },
  }),
  check({
    rule: 'cookie-tampered',
    what: 'changed',
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
          mustBeAnonymous(
            await getSession(inner, { as: { cookie: changed } }),
            'A cookie with one changed character',
          );
        },
        { runs: { smoke: 4, default: 150, thorough: 1500 } },
      )(context);
    },
  }),
  check({
    rule: 'cookie-tampered',
    what: 'cut-short',
    async run(context) {
      const { cookie } = await logIn(context, await context.createUser({ roles: ['reader'] }));
      const original = decodings(cookie);
      await forAll(
        fc
          .integer({ min: 1, max: cookie.length - 1 })
          .map((length) => cookie.slice(0, length))
          .filter((cut) => !decodings(cut).some((bytes, index) => bytes === original[index])),
        async (inner, cut) => {
          mustBeAnonymous(await getSession(inner, { as: { cookie: cut } }), 'A cookie that is cut short');
        },
        { runs: { smoke: 2, default: 30, thorough: 200 } },
      )(context);
    },
  }),
];
