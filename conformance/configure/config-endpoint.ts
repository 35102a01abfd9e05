/** Settings of a target through its configuration endpoint, `/_node/_local/_config/{section}/{key}`. */
import { Blocked } from '../verdict/outcomes.js';
import { parseJson } from '../client/json.js';
import { sectionAndKey } from '../client/settings.js';
import type { Exchange, HttpClient } from '../client/client.js';

/** CouchDB then changes what counts and leaves its files alone: whatever happens, a restart undoes it. */
const headers = { 'X-Couch-Persist': 'false' };

/** The value, or `null` when there is none. Throws Blocked when the target says neither. */
export async function readSetting(client: HttpClient, node: number, name: string): Promise<string | null> {
  const exchange = await client.request({ path: pathOf(name), node, as: 'admin' });
  if (exchange.status === 404) return null;
  const value: unknown = exchange.status === 200 ? parseJson(exchange.text) : undefined;
  if (typeof value !== 'string') throw new Blocked(`${name} cannot be read: ${said(exchange)}.`);
  return value;
}

/**
 * Gives a setting a value, or takes it away.
 *
 * @returns the value that it has then: where one was taken away, perhaps the initial one.
 * @throws Blocked when the target refuses.
 */
export async function writeSetting(
  client: HttpClient,
  node: number,
  name: string,
  value: string | null,
): Promise<string | null> {
  const path = pathOf(name);
  const exchange = await client.request(
    value === null
      ? { method: 'DELETE', path, node, headers, as: 'admin' }
      : { method: 'PUT', path, node, headers, json: value, as: 'admin' },
  );
  const wasGone = value === null && exchange.status === 404;
  if (exchange.status >= 300 && !wasGone) throw new Blocked(`${name} cannot be set: ${said(exchange)}.`);
  return readSetting(client, node, name);
}

function pathOf(name: string): string {
  const { section, key } = sectionAndKey(name);
  return `/_node/_local/_config/${encodeURIComponent(section)}/${encodeURIComponent(key)}`;
}

/** Without the body, which may repeat a value. */
const said = ({ method, status }: Exchange): string => `${method} is answered with ${status}`;
