/** Faults in logging in. */
import { type Fault, type Parts } from '../../reference/index.js';
import { answering, authenticating, bodyOf, cookieValue } from './shared/components.js';

type Handlers = Parts['handlers'];

export const loginFaults: readonly Fault[] = [
  {
    id: 'login-roles-cut',
    rule: 'login-result',
    summary: 'A login answers with the first two roles only.',
    replace: answering('postSession', (answer) => {
      const { roles, ...body } = bodyOf(answer);
      return { ...answer, body: { ...body, roles: (roles as string[]).slice(0, 2) } };
    }),
  },
  {
    id: 'login-name-without-end',
    rule: 'login-result',
    summary: 'A login answers with the name up to the first dot, plus or blank.',
    replace: answering('postSession', (answer) => {
      const body = bodyOf(answer);
      return { ...answer, body: { ...body, name: String(body['name']).split(/[.+ ]/)[0] } };
    }),
  },
  {
    id: 'login-cookie-renamed',
    rule: 'login-cookie',
    summary: 'The cookie of a login has another name.',
    replace: answering('postSession', (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'set-cookie': String(answer.headers?.['set-cookie']).replace(/^AuthSession=/, 'Session='),
      },
    })),
  },
  {
    id: 'login-cookie-empty',
    rule: 'login-cookie',
    summary: 'A login sets an empty cookie.',
    replace: answering('postSession', (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'set-cookie': String(answer.headers?.['set-cookie']).replace(/^AuthSession=[^;]*/, 'AuthSession='),
      },
    })),
  },
  {
    id: 'login-refused-with-a-cookie',
    rule: 'login-rejects',
    summary: 'A login with a wrong password is refused, but the refusal carries a good cookie.',
    replace: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        async postSession(request, context) {
          try {
            return await parts.handlers.postSession(request, context);
          } catch (error) {
            const { accounts, cookies } = context.authentication;
            const account = accounts.find(String(request.body.name));
            const { output } = error as { output: { headers: Record<string, string> } };
            if (account) output.headers['set-cookie'] = cookies.issue(account);
            throw error;
          }
        },
      },
    }),
  },
  {
    id: 'login-empty-password',
    rule: 'login-rejects',
    summary: 'An empty password logs in as anybody.',
    replace: (parts) => ({
      ...parts,
      handlers: {
        ...parts.handlers,
        async postSession(request, context) {
          const { accounts, cookies } = context.authentication;
          const account = request.body.password === '' ? accounts.find(String(request.body.name)) : undefined;
          if (!account) return parts.handlers.postSession(request, context);
          const body = { ok: true as const, name: account.name, roles: [...account.roles] };
          return { status: 200, headers: { 'set-cookie': cookies.issue(account) }, body };
        },
      },
    }),
  },
  {
    id: 'login-unknown-name-believed',
    rule: 'login-rejects',
    summary: 'Who logs in under a name that nobody has is taken for a new user of that name.',
    replace: (parts) => {
      const names = new Map<string, string>();
      const believing = authenticating('cookie', (original) => (headers, authentication) => {
        const name = names.get(cookieValue(headers.cookie) ?? '');
        return name === undefined
          ? original(headers, authentication)
          : { user: { name, roles: [], authenticatedBy: 'cookie' } };
      })(parts);
      const handlers: Handlers = {
        ...parts.handlers,
        async postSession(request, context) {
          const name = String(request.body.name);
          if (context.authentication.accounts.find(name)) return parts.handlers.postSession(request, context);
          const value = Buffer.from(name, 'utf8').toString('base64url');
          names.set(value, name);
          const body = { ok: true as const, name, roles: [] };
          return { status: 200, headers: { 'set-cookie': `AuthSession=${value}; Path=/; HttpOnly` }, body };
        },
      };
      return { ...believing, handlers };
    },
  },
];
