/** All that a run may change of a target, for comparing before and after. */
import { admin } from '../../testing/reference.js';

/** As a server starts, but that it hashes passwords at once: neither proxies nor tokens count. */
export const plain = { chttpd_auth: { iterations: '10' } };

/** All handlers, and nothing secret to begin with. */
export const everyHandler = {
  ...plain,
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
};

export function adminFetch(url: string, path: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`;
  return fetch(url + path, { headers: { authorization } });
}

/** Configuration, databases and users, byte for byte. */
export async function stateOf(url: string): Promise<{ config: string; databases: string; users: string }> {
  const [config, databases, users] = await Promise.all(
    ['/_node/_local/_config', '/_all_dbs', '/_users/_all_docs'].map(async (path) =>
      (await adminFetch(url, path)).text(),
    ),
  );
  return { config: config!, databases: databases!, users: users! };
}
