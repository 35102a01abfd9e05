/** Faults in reading session cookies. */
import { type Fault } from '../../reference/index.js';
import { answering, authenticating, cookieValue } from './shared/components.js';

export const cookieFaults: readonly Fault[] = [
  {
    id: 'cookie-only-alone',
    rule: 'cookie-authenticates',
    summary: 'The session cookie is not found behind another cookie.',
    replace: authenticating(
      'cookie',
      (original) => (headers, authentication) =>
        headers.cookie?.startsWith('AuthSession=') ? original(headers, authentication) : undefined,
    ),
  },
  {
    id: 'cookie-without-roles',
    rule: 'cookie-authenticates',
    summary: 'Who comes with a cookie has no roles.',
    replace: authenticating('cookie', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      return identity && { ...identity, user: { ...identity.user, roles: [] } };
    }),
  },
  {
    id: 'cookie-signature-unread-tail',
    rule: 'cookie-tampered',
    summary: 'The last quarter of a signature is not looked at.',
    replace(parts) {
      const issued = new Set<string>();
      const remembering = answering('postSession', (answer) => {
        issued.add(cookieValue(String(answer.headers?.['set-cookie'])) ?? '');
        return answer;
      })(parts);
      return authenticating('cookie', (original) => (headers, authentication) => {
        const value = cookieValue(headers.cookie);
        const looked = (cookie: string): string => cookie.slice(0, -11);
        const same = [...issued].find(
          (cookie) => value?.length === cookie.length && looked(cookie) === looked(value),
        );
        const known = same === undefined ? headers : { ...headers, cookie: `AuthSession=${same}` };
        return original(known, authentication);
      })(remembering);
    },
  },
  {
    id: 'cookie-unsigned',
    rule: 'cookie-tampered',
    summary: 'Whatever user a cookie names is believed.',
    replace: authenticating('cookie', () => (headers, { accounts }) => {
      const name = Buffer.from(cookieValue(headers.cookie) ?? '', 'base64url')
        .toString('utf8')
        .split(':')[0];
      const account = accounts.find(name ?? '');
      return account && { user: { name: account.name, roles: account.roles, authenticatedBy: 'cookie' } };
    }),
  },
];
