/** Users, databases and documents of the fuzzed server. */

export const admin = { name: 'admin', password: 'the-password-of-the-administrator' };
export const alice = { name: 'alice', password: 'the-password-of-alice', roles: ['cooks'], type: 'user' };
export const totpUser = {
  name: 'totp',
  password: 'the-password-of-totp',
  roles: [],
  type: 'user',
  totp: { key: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
};

export const secrets = { proxy: 'the-secret-of-the-proxy', hmac: 'the-secret-of-tokens' };

/** Texts that must not appear in errors or in the log. */
export const confidential = [admin, alice, totpUser].map(({ password }) => password);

export const databases = ['/_users', '/recipes', '/closed'];

/** By path. */
export const documents: Readonly<Record<string, object>> = {
  '/recipes/_security': { admins: {}, members: { names: [], roles: [] } },
  '/closed/_security': { members: { names: ['nobody'] } },
  '/_users/org.service.user:alice': alice,
  '/_users/org.service.user:totp': totpUser,
  '/recipes/soup': { salt: 1, _attachments: { 'photo.jpg': { content_type: 'image/jpeg', data: 'AAAA' } } },
  '/recipes/stew': {
    salt: 2,
    text: 'x'.repeat(500),
    _attachments: { note: { content_type: 'text/plain', data: 'eHh4' } },
  },
  '/recipes/_design/d': {
    filters: {
      all: 'function (doc, req) { return true; }',
      none: 'function (doc, req) { return false; }',
      throws: 'function (doc, req) { throw { forbidden: "x" }; }',
      broken: 'function (doc',
      reads: 'function (doc, req) { return doc.a.b.c === req.query.x; }',
    },
    views: { v: { map: 'function (doc) { emit(doc._id, doc.salt.length); }' }, w: { map: 5 } },
  },
};
