/** One-time codes as a second factor (SERVICE 5.5). Old and foreign codes are computed: nothing waits for time to pass. */
import fc from 'fast-check';
import { generateSync } from 'otplib';
import { secondFactorKeys } from '../arbitraries/users.js';
import { Violation } from '../verdict/outcomes.js';
import type { Exchange, TestUser } from '../client/client.js';
import { check, type CheckContext, forAll, variantsFor } from '../check.js';
import { postSession, getSession, cookieIn, mustBeUser, mustBeAnonymous } from './shared/sessions.js';

const stepSeconds = 30;

const someKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const anotherKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The time of the target, which says it in each response; in seconds. */
async function clockOf(context: CheckContext): Promise<number> {
  const { headers } = await getSession(context);
  const told = Date.parse(headers.get('date')?.[0] ?? '');
  return (Number.isNaN(told) ? Date.now() : told) / 1000;
}

function codeOf(key: string, time: number): string {
  return generateSync({ secret: key, epoch: Math.floor(time) });
}

/** The codes that count around a time, with more tolerance than any server should have. */
const codesAround = (key: string, time: number): string[] =>
  [-3, -2, -1, 0, 1, 2, 3].map((step) => codeOf(key, time + step * stepSeconds));

/** A login with the code of now. A code may just have run out when it arrives: then the next one is tried. */
async function logInWithCode(context: CheckContext, user: TestUser, key: string): Promise<Exchange> {
  const first = await logInAt(context, user, key, await clockOf(context));
  if (cookieIn(first) !== undefined) return first;
  const later = await clockOf(context);
  return logInAt(context, user, key, later);
}

const logInAt = (context: CheckContext, user: TestUser, key: string, time: number): Promise<Exchange> =>
  postSession(context, user.name, user.password, codeOf(key, time));

/** The cookie of a successful login. */
function cookieOf(login: Exchange): string {
  const cookie = cookieIn(login);
  if (cookie !== undefined) return cookie;
  throw new Violation('A login with the current code gives no cookie', {
    path: '$status',
    expected: 'a status of success, and the cookie AuthSession',
    actual: login.status,
  });
}

/** What must not do in place of the current code. */
const wrongCodes: Readonly<Record<string, (time: number) => string | undefined>> = {
  'no code': () => undefined,
  'an empty code': () => '',
  'a code of ten minutes ago': (time) => codeOf(someKey, time - 600),
  'a code of ten minutes from now': (time) => codeOf(someKey, time + 600),
  "the code of another user's key": (time) => codeOf(anotherKey, time),
  'other digits': (time) =>
    ['000000', '111111', '222222'].find((code) => !codesAround(someKey, time).includes(code)),
  'five of the digits': (time) => codeOf(someKey, time).slice(0, 5),
};

export const totpChecks = [
  check({
    rule: 'totp-login',
    needs: ['users'],
    run: forAll(
      fc.record({ key: secondFactorKeys }),
      async (context, { key }) => {
        const user = await context.createUser({ totp: { key }, roles: ['docfeed-role'] });
        cookieOf(await logInWithCode(context, user, key));
      },
      { runs: { default: 5, thorough: 30 } },
    ),
  }),

  check({
    rule: 'totp-token-required',
    needs: ['users'],
    async run(context) {
      for (const [how, codeAt] of variantsFor(context, Object.entries(wrongCodes))) {
        // A user for each: servers lock an account after a few failures.
        await context.inScope(async (inner) => {
          const user = await inner.createUser({ totp: { key: someKey } });
          const time = await clockOf(inner);
          const code = codeAt(time);
          // Once in a hundred thousand a foreign code is the right one.
          if (code !== undefined && codesAround(someKey, time).includes(code)) return;
          const login = await postSession(inner, user.name, user.password, code);
          inner.observe(`totp-refused: ${how}`, { status: login.status });
          const cookie = cookieIn(login);
          if (cookie !== undefined)
            mustBeAnonymous(await getSession(inner, { as: { cookie } }), `A login with ${how}`);
        });
      }
    },
  }),
  check({
    rule: 'totp-token-required',
    what: 'basic',
    needs: ['users'],
    async run(context) {
      const user = await context.createUser({ totp: { key: someKey } });
      mustBeAnonymous(
        await getSession(context, { as: { basic: user } }),
        'Basic authentication without the second factor',
      );
    },
  }),

  check({
    rule: 'totp-cookie',
    needs: ['users'],
    async run(context) {
      const user = await context.createUser({ totp: { key: someKey }, roles: ['docfeed-role'] });
      const cookie = cookieOf(await logInWithCode(context, user, someKey));
      for (let request = 0; request < 3; request += 1) {
        mustBeUser(user, await getSession(context, { as: { cookie } }), 'The cookie of a login with a code');
      }
    },
  }),
];
