/**
 * One-time codes as a second factor (SERVICE 5.5). No check waits for a code to expire: past and future codes are
 * computed relative to the clock of the target.
 */
import fc from 'fast-check';
import {
  type CheckContext,
  type CheckDefinition,
  defineRule,
  equalTo,
  type Exchange,
  forAll,
  must,
  mustMatch,
  objectWith,
  sameElements,
  secondFactorKeys,
  type TestUser,
  variantsFor,
} from '../../kit.js';
import { oneTimeCode, stepSeconds } from '../../play/one-time-codes.js';
import { membersLike } from '../shared/resembling.js';
import { eventually } from '../shared/eventually.js';
import {
  changeUser,
  cookieIn,
  maxCacheMs,
  getSession,
  logIn,
  mustBeAnonymous,
  mustBeUser,
  mustNotLogIn,
  mustNotLogInWith,
  postSession,
  withFreshUsers,
} from '../shared/sessions.js';
import type { UserOptions } from '../../session/scope/test-data.js';
import { putUser } from '../../session/cleanup/user-requests.js';
import { unseen } from '../shared/unseen.js';

const someKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const anotherKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** Keys of other lengths. The service document does not limit the length; a target may refuse one (SERVICE 2.4). */
const otherKeys = [16, 24, 40, 56, 64, 128].map((length) => someKey.repeat(4).slice(0, length));

/** The key of the example in the service document has 32 characters (SERVICE 2.4). */
const keysOfBothLengths = [someKey, otherKeys[0]!];

/**
 * Users with a second factor, in the forms that one may have: keys of any length, roles, names and passwords of any
 * characters, and a key that the document got after its creation.
 */
const userForms: readonly ((context: CheckContext) => Promise<TestUser | undefined>)[] = [
  (context) => context.createUser({ totp: { key: someKey } }),
  ...otherKeys.map((key) => (context: CheckContext) => createIfAllowed(context, { totp: { key } })),
  (context) => context.createUser({ totp: { key: someKey }, roles: ['docfeed-role', 'other'] }),
  (context) =>
    context.createUser({ totp: { key: someKey }, nameEnd: '@example.org é', password: 'pass: wörd' }),
  async (context) => {
    const user = { ...(await context.createUser()), totp: { key: someKey } };
    await logIn(context, user);
    await changeUser(context, user, {});
    return user;
  },
];

/** Creates a user, unless the target refuses the key. */
async function createIfAllowed(context: CheckContext, options: UserOptions): Promise<TestUser | undefined> {
  const user = context.planUser(options);
  const { status } = await context.target.request(putUser(user));
  context.observe(`totp-key-length: ${options.totp!.key.length}`, { status });
  return status < 400 ? user : undefined;
}

/** The time of the target in seconds since 1970, from the Date header of a response. */
async function targetTime(context: CheckContext): Promise<number> {
  const { headers } = await getSession(context);
  const date = Date.parse(headers.get('date')?.[0] ?? '');
  return (Number.isNaN(date) ? Date.now() : date) / 1000;
}

/** A server may accept this number of earlier and later codes, because clocks differ. CouchDB accepts one of each. */
const toleratedSteps = 3;

/** The codes that a server may accept at this time. */
const codesAround = (key: string, time: number): string[] =>
  Array.from({ length: 2 * toleratedSteps + 1 }, (_, index) =>
    oneTimeCode(key, time + (index - toleratedSteps) * stepSeconds),
  );

/** Logs in with the current code. Tries again once, since a code may expire before the target receives it. */
async function logInWithCode(context: CheckContext, user: TestUser, key: string): Promise<Exchange> {
  const logInNow = async (): Promise<Exchange> =>
    postSession(context, user.name, user.password, oneTimeCode(key, await targetTime(context)));
  const first = await logInNow();
  return cookieIn(first) === undefined ? logInNow() : first;
}

/** The cookie of a login that must succeed. */
function mustSetCookie(login: Exchange): string {
  const cookie = cookieIn(login);
  must(cookie !== undefined, 'The response to a login with the current code sets no cookie', {
    path: '$status',
    expected: 'a status below 400, and the cookie AuthSession',
    actual: login.status,
  });
  return cookie;
}

/** A key with another end whose code at this time begins with 0, so that a server that reads a number would lose it. */
function keyWithZero(key: string, time: number): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'];
  const ends = letters.flatMap((first) => letters.map((second) => first + second));
  const keys = ends.map((end) => key.slice(0, -end.length) + end);
  return keys.find((each) => oneTimeCode(each, time).startsWith('0')) ?? key;
}

/** Invalid codes by their description. */
const wrongCodes: Readonly<Record<string, (time: number, key: string) => string | undefined>> = {
  'no code': () => undefined,
  'an empty code': () => '',
  'a code of two minutes ago': (time, key) => oneTimeCode(key, time - 120),
  'a code of five minutes ago': (time, key) => oneTimeCode(key, time - 300),
  'a code of ten minutes ago': (time, key) => oneTimeCode(key, time - 600),
  // One step more than two minutes, since a step may pass until the target receives the code.
  'a code of two and a half minutes from now': (time, key) => oneTimeCode(key, time + 150),
  'a code of five minutes from now': (time, key) => oneTimeCode(key, time + 300),
  'a code of ten minutes from now': (time, key) => oneTimeCode(key, time + 600),
  "the code of another user's key": (time) => oneTimeCode(anotherKey, time),
  'other digits': (time, key) =>
    ['000000', '111111', '222222'].find((code) => !codesAround(key, time).includes(code)),
  'five of the digits': (time, key) => oneTimeCode(key, time).slice(0, 5),
  'the digits of the code and a seventh one': (time, key) => `${oneTimeCode(key, time)}0`,
};

export const totpLogin = defineRule('totp-login', {
  rung: 'tokens',
  notInTraffic: unseen.passwords,
  checks: {
    'totp-login': {
      needs: ['users'],
      run: forAll(
        fc.record({ key: secondFactorKeys }),
        async (context, { key: anyKey }) => {
          const key = keyWithZero(anyKey, await targetTime(context));
          const user = await context.createUser({ totp: { key }, roles: ['docfeed-role'] });
          const login = await logInWithCode(context, user, key);
          mustSetCookie(login);
          mustMatch(
            'The response to a login with a code does not have the name and roles of the user',
            login.object(),
            objectWith({ name: equalTo(user.name), roles: sameElements(user.roles) }),
          );
        },
        { cases: { default: 5, thorough: 30 } },
      ),
    },
  },
});

export const totpTokenRequired = defineRule('totp-token-required', {
  rung: 'tokens',
  notInTraffic: unseen.passwords,
  checks: {
    'totp-token-required': {
      needs: ['users'],
      async run(context) {
        const keys = [someKey, ...otherKeys];
        for (const [index, [how, wrongCode]] of variantsFor(context, Object.entries(wrongCodes)).entries()) {
          // Each code gets a new user, since servers lock an account after a few failures, and another key.
          await context.inScope(async (inner) => {
            const user =
              (await createIfAllowed(inner, { totp: { key: keys[index % keys.length]! } })) ??
              (await inner.createUser({ totp: { key: someKey } }));
            const { key } = user.totp!;
            // Somebody has the other key, so that a server that accepts the code of any user accepts its codes.
            if (how.includes('another user')) await inner.createUser({ totp: { key: anotherKey } });
            const time = await targetTime(inner);
            const code = wrongCode(time, key);
            // One in a hundred thousand wrong codes is valid by chance.
            if (code !== undefined && codesAround(key, time).includes(code)) return;
            const login = await postSession(inner, user.name, user.password, code);
            inner.observe(`totp-refused: ${how}`, { status: login.status });
            await mustNotLogIn(inner, login, how);
          });
        }
      },
    },

    'totp-token-required/each-form': {
      needs: ['users'],
      async run(context) {
        for (const [index, create] of variantsFor(context, userForms).entries()) {
          await context.inScope(async (inner) => {
            const user = await create(inner);
            if (!user) return;
            const { name, password, totp } = user;
            const what = `of a user with a key of ${totp!.key.length} characters`;
            // A server may use a document for a moment after it was changed.
            const login = await eventually(
              () => postSession(inner, name, password),
              (response) => cookieIn(response) === undefined,
              maxCacheMs,
            );
            await mustNotLogIn(inner, login, `no code, ${what}`);
            // Either of the others: passwords are expensive to verify.
            if (index % 2 === 0)
              return mustNotLogIn(
                inner,
                await postSession(inner, name, password, ''),
                `an empty code, ${what}`,
              );
            const session = await getSession(inner, { as: { basic: user } });
            mustBeAnonymous(session, `basic authentication without the second factor, ${what}`);
          });
        }
      },
    },

    'totp-token-required/similar-members': {
      needs: ['users'],
      async run(context) {
        await withFreshUsers(
          context,
          variantsFor(context, membersLike('token')),
          (inner) => inner.createUser({ totp: { key: someKey } }),
          async (inner, { name, password }, member) => {
            const json = { name, password, [member]: oneTimeCode(someKey, await targetTime(inner)) };
            await mustNotLogInWith(inner, json, `the code in the member ${JSON.stringify(member)}`);
          },
        );
      },
    },

    'totp-token-required/after-a-login': {
      needs: ['users'],
      async run(context) {
        for (const key of keysOfBothLengths) {
          const user = await createIfAllowed(context, { totp: { key } });
          if (!user) continue;
          // Each attempt gets a new user, since servers lock an account after a few failures.
          const other = await context.createUser({ totp: { key } });
          for (const each of [user, other]) mustSetCookie(await logInWithCode(context, each, key));
          const login = await postSession(context, user.name, user.password);
          await mustNotLogIn(context, login, 'no code after a login with a code');
          const session = await getSession(context, { as: { basic: other } });
          mustBeAnonymous(session, 'basic authentication after a login with a code');
        }
      },
    },

    'totp-token-required/basic': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ totp: { key: someKey } });
        const session = await getSession(context, { as: { basic: user } });
        mustBeAnonymous(session, 'basic authentication without the second factor');
      },
    },
  },
});

export const loginRejectsWrongPasswordWithCode: CheckDefinition = {
  needs: ['users', 'totp'],
  async run(context) {
    for (const key of keysOfBothLengths) {
      const user = await createIfAllowed(context, { totp: { key } });
      if (!user) continue;
      const code = oneTimeCode(key, await targetTime(context));
      const login = await postSession(context, user.name, `${user.password}x`, code);
      await mustNotLogIn(context, login, 'a wrong password and the current code');
    }
  },
};

export const totpCookie = defineRule('totp-cookie', {
  rung: 'tokens',
  notInTraffic: unseen.passwords,
  checks: {
    'totp-cookie': {
      needs: ['users'],
      async run(context) {
        const user = await context.createUser({ totp: { key: someKey }, roles: ['docfeed-role'] });
        const cookie = mustSetCookie(await logInWithCode(context, user, someKey));
        for (let request = 0; request < 3; request += 1) {
          const session = await getSession(context, { as: { cookie } });
          mustBeUser(user, session, 'the cookie of a login with a code');
        }
      },
    },
  },
});
