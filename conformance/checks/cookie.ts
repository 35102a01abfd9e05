/** The session cookie (SERVICE 5.2). */
import fc from 'fast-check';
import { check, forAll, variantsFor } from '../check.js';
import { decodings, tampered } from './shared/tampering.js';
import { getSession, logIn, mustBeUser, mustBeAnonymous } from './shared/sessions.js';

/** Characters to write into a cookie. */
const replacements = [...'ABCXYZabcxyz0189-_'];

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
      const positions = [...cookie].map((_, position) => position);
      for (const position of variantsFor(context, positions)) {
        const changes = replacements.map((character) => tampered(cookie, position, character));
        const changed = changes.filter((change) => change !== undefined);
        if (changed.length === 0) continue;
        const session = await getSession(context, { as: { cookie: changed[position % changed.length]! } });
        mustBeAnonymous(session, `a cookie with another character ${position + 1} of ${cookie.length}`);
      }
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
