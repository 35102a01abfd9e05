/** Faults in creating and reading users. */
import { type Fault } from '../../reference/index.js';
import { answering, bodyOf } from './shared/components.js';

export const usersFaults: readonly Fault[] = [
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
