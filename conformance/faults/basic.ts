/** Faults of basic authentication and of the cookie that it sets. */
import { type Fault } from '../../reference/index.js';
import { authenticating, type Headers } from './shared/components.js';

/** The text in a basic header, however malformed, or nothing when there is no such header. */
function basicText(headers: Headers): string | undefined {
  const token = /^Basic +(.*)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : Buffer.from(token, 'base64').toString('utf8');
}

function withBasic(headers: Headers, text: string): Headers {
  return { ...headers, authorization: `Basic ${Buffer.from(text, 'utf8').toString('base64')}` };
}

export const basicFaults: readonly Fault[] = [
  {
    id: 'basic-password-cut-at-colon',
    rule: 'basic-accepts',
    summary: 'A password is read up to its first colon.',
    replace: authenticating('default', (original) => (headers, authentication) => {
      const [name, password] = basicText(headers)?.split(':') ?? [];
      if (name === undefined || password === undefined) return original(headers, authentication);
      return original(withBasic(headers, `${name}:${password}`), authentication);
    }),
  },
  {
    id: 'basic-password-latin1',
    rule: 'basic-accepts',
    summary: 'The credentials are read as Latin-1.',
    replace: authenticating('default', (original) => (headers, authentication) => {
      const text = basicText(headers);
      if (text === undefined) return original(headers, authentication);
      return original(withBasic(headers, Buffer.from(text, 'utf8').toString('latin1')), authentication);
    }),
  },
  {
    id: 'basic-empty-password',
    rule: 'basic-rejects',
    summary: 'An empty password is right for everybody.',
    replace: authenticating('default', (original) => (headers, authentication) => {
      const [name, password] = basicText(headers)?.split(':') ?? [];
      const account = password === '' ? authentication.accounts.find(name ?? '') : undefined;
      if (!account) return original(headers, authentication);
      return { user: { name: account.name, roles: account.roles, authenticatedBy: 'default' } };
    }),
  },
  {
    id: 'basic-unknown-name-believed',
    rule: 'basic-rejects',
    summary: 'A name that nobody has is believed with any password.',
    replace: authenticating('default', (original) => (headers, authentication) => {
      const name = basicText(headers)?.split(':')[0];
      const isKnown = name === undefined || authentication.accounts.find(name) !== undefined;
      if (isKnown) return original(headers, authentication);
      return { user: { name, roles: [], authenticatedBy: 'default' } };
    }),
  },
  {
    id: 'basic-lenient-base64',
    rule: 'basic-rejects',
    summary: 'Characters that base64 does not have are passed over.',
    replace: authenticating('default', (original) => (headers, authentication) => {
      const text = basicText(headers);
      return original(text === undefined ? headers : withBasic(headers, text), authentication);
    }),
  },
  {
    id: 'basic-no-cookie',
    rule: 'basic-set-cookie',
    summary: 'Basic authentication of a user is answered without a cookie.',
    replace: authenticating('default', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      return identity && { user: identity.user };
    }),
  },
  {
    id: 'basic-cookie-without-roles',
    rule: 'basic-set-cookie',
    summary: 'Only users without roles get a cookie from basic authentication.',
    replace: authenticating('default', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      return (
        identity && {
          ...identity,
          setCookie: identity.user.roles.length > 0 ? undefined : identity.setCookie,
        }
      );
    }),
  },
  {
    id: 'basic-cookie-damaged',
    rule: 'basic-cookie-usable',
    summary: 'The cookie of basic authentication is cut short.',
    replace: authenticating('default', (original) => async (headers, authentication) => {
      const identity = await original(headers, authentication);
      const setCookie = identity?.setCookie?.replace(/^(AuthSession=[^;]*)[^;]{4};/, '$1;');
      return identity && { ...identity, setCookie };
    }),
  },
  {
    id: 'basic-cookie-of-the-first',
    rule: 'basic-cookie-usable',
    summary: 'Basic authentication gives everybody the cookie that the first user got.',
    replace: (parts) => {
      let first: string | undefined;
      return authenticating('default', (original) => async (headers, authentication) => {
        const identity = await original(headers, authentication);
        first ??= identity?.setCookie;
        return identity && { ...identity, setCookie: first };
      })(parts);
    },
  },
];
