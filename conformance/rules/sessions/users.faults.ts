/** Faults in how users are created and read. */
import { type Components, httpError } from '../../../reference/index.js';
import {
  changeBody,
  combine,
  faultsOf,
  replaceFunction,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';

type PrepareUserDocument = Components['prepareUserDocument'];
type UserDocument = Parameters<PrepareUserDocument>[0];

/** Changes user documents before they are stored. */
const changeStoredUser = (change: (document: UserDocument) => UserDocument): Replace =>
  replaceFunction('prepareUserDocument', (original, document, rules) => original(change(document), rules));

/** Changes user documents when they are read. */
const changeReadUser = (change: (document: JsonObject) => JsonObject): Replace =>
  changeBody('getUser', (body) => (body['type'] === 'user' ? change(body) : body));

/** Accepts some user documents whose id is not the prefix of the dialect followed by the name. */
const acceptUserIds = (isAccepted: (id: string, name: string, prefix: string) => boolean): Replace =>
  replaceFunction('prepareUserDocument', async (original, document, rules) => {
    const { _id: id, name } = document;
    const { userIdPrefix } = rules.dialect;
    if (typeof id !== 'string' || typeof name !== 'string' || !isAccepted(id, name, userIdPrefix)) {
      return original(document, rules);
    }
    return { ...(await original({ ...document, _id: userIdPrefix + name }, rules)), _id: id };
  });

type AccessRequest = Parameters<Components['authorize']>[0];

const allowUserCreation = (isAllowed: (caller: AccessRequest['user']) => boolean): Replace =>
  combine(
    replaceFunction('authorize', (original, request) => {
      if (request.operationId !== 'putUser' || !isAllowed(request.user)) original(request);
    }),
    replaceFunction('checkOwnChange', () => {}),
  );

export const usersFaults = faultsOf({
  'users-create': {
    'users-name-with-at': {
      summary: 'The server creates a user whose name contains an at sign with another password.',
      replace: changeStoredUser((document) => {
        const { name } = document;
        return typeof name === 'string' && name.includes('@') ? { ...document, password: 'lost' } : document;
      }),
    },
    'users-created-with-basic-only': {
      summary: 'The server lets administrators create users only with basic authentication.',
      replace: replaceFunction('authorize', (original, request) => {
        if (request.operationId === 'putUser' && request.user.authenticatedBy === 'cookie')
          throw httpError(403, 'forbidden', 'Use basic authentication.');
        original(request);
      }),
    },
    'users-roles-sorted-out': {
      summary: 'The server stores only the roles of a user that are in lower case.',
      replace: changeStoredUser((document) => {
        const { roles } = document;
        if (!Array.isArray(roles)) return document;
        return { ...document, roles: roles.filter((role) => /^[a-z0-9_-]*$/.test(String(role))) };
      }),
    },
  },
  'users-stored': {
    'users-type-not-kept': {
      summary: 'The server returns user documents without their type.',
      replace: changeReadUser((document) => ({ ...document, type: undefined })),
    },
    'users-roles-cut': {
      summary: 'The server returns user documents with one role at most.',
      replace: changeReadUser((document) => {
        const roles = document['roles'];
        return Array.isArray(roles) ? { ...document, roles: roles.slice(0, 1) as unknown[] } : document;
      }),
    },
  },
  'users-admin-only': {
    'users-created-by-users': {
      summary: 'The server lets every user create users.',
      replace: allowUserCreation(({ name }) => name !== null),
    },
    'users-created-by-nobody': {
      summary: 'The server lets anonymous callers create users.',
      replace: allowUserCreation(({ name }) => name === null),
    },
    'users-created-with-cookie': {
      summary: 'The server lets every user with a session cookie create users.',
      replace: allowUserCreation(({ authenticatedBy }) => authenticatedBy === 'cookie'),
    },
    'users-own-roles': {
      summary: 'The server lets users change the roles in their own document.',
      replace: replaceFunction('checkOwnChange', (original, document, current, user) =>
        original(current ? { ...document, roles: current.roles } : document, current, user),
      ),
    },
    'users-created-by-token': {
      summary: 'The server lets every user with a token create users.',
      replace: allowUserCreation(({ authenticatedBy }) => authenticatedBy === 'jwt'),
    },
  },
  'users-id-form': {
    'users-any-id': {
      summary: 'The server accepts every id of a user document that ends with the name.',
      replace: acceptUserIds((id, name) => id.endsWith(name)),
    },
    'users-longer-prefix': {
      summary: 'The server accepts other text between the prefix and the name in the id of a user document.',
      replace: acceptUserIds((id, name, prefix) => id.startsWith(prefix) && id.endsWith(name)),
    },
    'users-longer-name': {
      summary: 'The server accepts other text after the name in the id of a user document.',
      replace: acceptUserIds((id, name, prefix) => id.startsWith(prefix + name)),
    },
    'users-id-any-case': {
      summary: 'The server ignores case when it compares the id of a user document with the name.',
      replace: acceptUserIds((id, name, prefix) => id.toLowerCase() === (prefix + name).toLowerCase()),
    },
  },
});
