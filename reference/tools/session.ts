import { request, type Dispatcher } from 'undici';
import type { Administrator } from '../index.js';

/** The server responds, and refuses the login. */
export class LoginRefused extends Error {}

/**
 * Logs in, so that later requests need no password.
 *
 * @returns the headers of later requests
 * @throws LoginRefused
 */
export async function logIn(
  url: string,
  { name, password }: Administrator,
  dispatcher?: Dispatcher,
): Promise<Record<string, string>> {
  const { statusCode, headers, body } = await request(`${url}/_session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
    ...(dispatcher && { dispatcher }),
  });
  await body.dump();
  if (statusCode !== 200) throw new LoginRefused(`POST /_session: status ${statusCode}`);
  return { cookie: /AuthSession=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '' };
}
