/** Reads everything that a run may change on a target, to compare the state before and after. */
import { asAdmin } from '../../testing/reference.js';

/** The default configuration with cheap password hashes: the handlers of proxies and tokens are not active. */
export const plain = { chttpd_auth: { iterations: '10' } };

/** All handlers are active, but there are no secrets and keys. */
export const everyHandler = {
  ...plain,
  chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
};

/** A handler that refuses every request. */
export const refusal = (status: number) => () =>
  Promise.resolve({ status, body: { error: 'refused', reason: 'not here' } });

/** Configuration, databases and users, byte for byte. */
export async function stateOf(url: string): Promise<{ config: string; databases: string; users: string }> {
  const [config, databases, users] = await Promise.all(
    ['/_node/_local/_config', '/_all_dbs', '/_users/_all_docs'].map(
      async (path) => (await asAdmin(url, 'GET', path)).text,
    ),
  );
  return { config: config!, databases: databases!, users: users! };
}
