/** Faults in the greeting, in error bodies, and in who a caller is taken for. */
import type { Fault, Components } from '../../reference/index.js';
import { feeding, type FeedRow } from './feeding.js';
import {
  answering,
  authenticating,
  basicText,
  bodyOf,
  type Context,
  cookieValue,
  withBasic,
} from './replacing.js';

type Handlers = Components['handlers'];

const isAdmin = ({ user }: Context): boolean => user.roles.includes('_admin');

/** The member of a session that holds facts about authentication. */
const infoOf = (body: Record<string, unknown>): Record<string, unknown> =>
  body['info'] as Record<string, unknown>;

export const identityFaults: readonly Fault[] = [
  {
    id: 'root-uuid-not-hexadecimal',
    rule: 'root-greeting',
    summary: 'The identifier of the server has a letter beyond f.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), uuid: 'server-0123456789abcdef' },
    })),
  },
  {
    id: 'root-version-number',
    rule: 'root-greeting',
    summary: 'To the administrator the version is a number.',
    replace: answering('getRoot', (answer, context) => ({
      ...answer,
      body: isAdmin(context) ? { ...bodyOf(answer), version: 3.4 } : answer.body,
    })),
  },
  {
    id: 'root-vendor-version-missing',
    rule: 'root-vendor',
    summary: 'The vendor has a name and no version.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: { name: 'docfeed' } },
    })),
  },
  {
    id: 'root-vendor-version-number',
    rule: 'root-vendor',
    summary: 'The version of the vendor is a number.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: { ...(bodyOf(answer)['vendor'] as object), version: 1 } },
    })),
  },
  {
    id: 'error-reason-missing',
    rule: 'error-shape',
    summary: 'The error of a conflict with an existing database has no reason.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const { error, reason } = parts.errorBody(boom, dialect);
        return (error === 'file_exists' ? { error } : { error, reason }) as { error: string; reason: string };
      },
    }),
  },
  {
    id: 'error-not-a-string',
    rule: 'error-shape',
    summary: 'The error of a refused login is the status as a number.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const { error, reason } = parts.errorBody(boom, dialect);
        return { error: (error === 'unauthorized' ? 401 : error) as string, reason };
      },
    }),
  },
  {
    id: 'response-user-revision-missing',
    rule: 'response-schema',
    summary: 'The answer to the creation of a user has no revision.',
    replace: answering('putUser', (answer) => ({ ...answer, body: { ...bodyOf(answer), rev: undefined } })),
  },
  {
    id: 'response-login-ok-text',
    rule: 'response-schema',
    summary: 'A login says ok as text.',
    replace: answering('postSession', (answer) => ({ ...answer, body: { ...bodyOf(answer), ok: 'true' } })),
  },
  {
    id: 'response-greeting-vendor-text',
    rule: 'response-schema',
    summary: 'The vendor in the greeting is a text.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: 'docfeed' },
    })),
  },
  {
    id: 'response-session-handlers-text',
    rule: 'response-schema',
    summary: 'To the administrator the handlers are listed in one text.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const authentication_handlers = String(infoOf(body)['authentication_handlers']);
      const info = { ...infoOf(body), authentication_handlers };
      return isAdmin(context) ? { ...answer, body: { ...body, info } } : answer;
    }),
  },
  {
    id: 'response-feed-pending-text',
    rule: 'response-schema',
    summary: 'In the answer to a GET of the feed pending is a text when nothing is pending.',
    replace: feeding(async ({ method, read }) => {
      const feed = await read();
      return method === 'GET' && feed.pending === 0 ? { ...feed, pending: '0' } : feed;
    }),
  },
  {
    id: 'response-feed-changes-bare',
    rule: 'response-schema',
    summary: 'In the answer to a POST to the feed, changes lists bare revisions.',
    replace: feeding(async ({ method, read }) => {
      const feed = await read();
      const bare = (row: FeedRow) => ({ ...row, changes: row.changes.map(({ rev }) => rev) });
      return method === 'POST' ? { ...feed, results: feed.results.map(bare) } : feed;
    }),
  },
  {
    id: 'session-administrator-role-text',
    rule: 'session-shape',
    summary: 'The one role of an administrator is a text.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const userCtx = { ...(body['userCtx'] as object), roles: '_admin' };
      return isAdmin(context) ? { ...answer, body: { ...body, userCtx } } : answer;
    }),
  },
  {
    id: 'session-ok-missing',
    rule: 'session-shape',
    summary: 'The session of a caller who is no administrator lacks ok.',
    replace: answering('getSession', (answer, context) => ({
      ...answer,
      body: isAdmin(context) ? answer.body : { ...bodyOf(answer), ok: undefined },
    })),
  },
  {
    id: 'session-roles-text',
    rule: 'session-shape',
    summary: 'The roles of a caller with more than one are one text.',
    replace: answering('getSession', (answer, { user }) => ({
      ...answer,
      body: {
        ...bodyOf(answer),
        userCtx: { name: user.name, roles: user.roles.length > 1 ? user.roles.join(',') : user.roles },
      },
    })),
  },
  {
    id: 'session-users-database-renamed',
    rule: 'session-info-db',
    summary: 'The session names another users database than the one there is.',
    replace: answering('getSession', (answer) => {
      const body = bodyOf(answer);
      return { ...answer, body: { ...body, info: { ...infoOf(body), authentication_db: 'users' } } };
    }),
  },
  {
    id: 'session-users-database-untold',
    rule: 'session-info-db',
    summary: 'To administrators the session does not name the users database.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const info = { ...infoOf(body), authentication_db: undefined };
      return isAdmin(context) ? { ...answer, body: { ...body, info } } : answer;
    }),
  },
  {
    id: 'session-cookie-named-default',
    rule: 'session-authenticated-by',
    summary: 'Who comes with a cookie is said to come by the default handler.',
    replace: answering('getSession', (answer, { user }) => {
      const body = bodyOf(answer);
      const authenticated = user.authenticatedBy && 'default';
      return { ...answer, body: { ...body, info: { ...infoOf(body), authenticated } } };
    }),
  },
  {
    id: 'session-handler-unlisted',
    rule: 'session-authenticated-by',
    summary: 'Basic authentication is named by a word that is not in the list of handlers.',
    replace: answering('getSession', (answer, { user }) => {
      const body = bodyOf(answer);
      const authenticated = user.authenticatedBy === 'default' ? 'basic' : user.authenticatedBy;
      return { ...answer, body: { ...body, info: { ...infoOf(body), authenticated } } };
    }),
  },
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
  {
    id: 'users-name-with-at',
    rule: 'users-create',
    summary: 'A user whose name holds an at sign is created with a password that nobody knows.',
    replace: (parts) => ({
      ...parts,
      prepareUserDocument(document, rules) {
        const name = document['name'];
        const lost = typeof name === 'string' && name.includes('@') ? { password: 'lost' } : {};
        return parts.prepareUserDocument({ ...document, ...lost }, rules);
      },
    }),
  },
  {
    id: 'users-roles-sorted-out',
    rule: 'users-create',
    summary: 'A user keeps only roles in lower case.',
    replace: (parts) => ({
      ...parts,
      prepareUserDocument(document, rules) {
        const roles = document['roles'];
        if (!Array.isArray(roles)) return parts.prepareUserDocument(document, rules);
        const kept = roles.filter((role) => /^[a-z0-9_-]*$/.test(String(role)));
        return parts.prepareUserDocument({ ...document, roles: kept }, rules);
      },
    }),
  },
  {
    id: 'users-type-not-kept',
    rule: 'users-stored',
    summary: 'The document of a user is read back without its type.',
    replace: answering('getDocument', (answer) => {
      const body = bodyOf(answer);
      return body['type'] === 'user' ? { ...answer, body: { ...body, type: undefined } } : answer;
    }),
  },
  {
    id: 'users-roles-cut',
    rule: 'users-stored',
    summary: 'The document of a user is read back with one role at most.',
    replace: answering('getDocument', (answer) => {
      const body = bodyOf(answer);
      const roles = body['roles'];
      const isUser = body['type'] === 'user' && Array.isArray(roles);
      return isUser ? { ...answer, body: { ...body, roles: (roles as unknown[]).slice(0, 1) } } : answer;
    }),
  },
  {
    id: 'users-created-by-users',
    rule: 'users-admin-only',
    summary: 'Every user can create users.',
    replace: (parts) => ({
      ...parts,
      authorize(request) {
        if (request.operationId !== 'putUser' || request.user.name === null) parts.authorize(request);
      },
      checkOwnChange: () => {},
    }),
  },
  {
    id: 'users-created-by-nobody',
    rule: 'users-admin-only',
    summary: 'Users can be created without credentials.',
    replace: (parts) => ({
      ...parts,
      authorize(request) {
        if (request.operationId !== 'putUser' || request.user.name !== null) parts.authorize(request);
      },
      checkOwnChange: () => {},
    }),
  },
  {
    id: 'users-any-id',
    rule: 'users-id-form',
    summary: 'The id of a user document may be any that ends in the name.',
    replace: (parts) => ({
      ...parts,
      async prepareUserDocument(document, rules) {
        const { _id: id, name } = document;
        if (typeof id !== 'string' || typeof name !== 'string' || !id.endsWith(name)) {
          return parts.prepareUserDocument(document, rules);
        }
        const right = { ...document, _id: rules.dialect.userIdPrefix + name };
        return { ...(await parts.prepareUserDocument(right, rules)), _id: id };
      },
    }),
  },
  {
    id: 'users-longer-prefix',
    rule: 'users-id-form',
    summary: 'Between the prefix and the name of a user there may be more.',
    replace: (parts) => ({
      ...parts,
      async prepareUserDocument(document, rules) {
        const { _id: id, name } = document;
        const { userIdPrefix } = rules.dialect;
        const isLonger =
          typeof id === 'string' &&
          typeof name === 'string' &&
          id.startsWith(userIdPrefix) &&
          id.endsWith(name);
        if (!isLonger) return parts.prepareUserDocument(document, rules);
        const right = { ...document, _id: userIdPrefix + name };
        return { ...(await parts.prepareUserDocument(right, rules)), _id: id };
      },
    }),
  },
];
