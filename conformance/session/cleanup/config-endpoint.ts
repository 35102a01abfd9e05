/** Reads and writes settings with the configuration endpoint, `/_node/_local/_config/{section}/{key}`. */
import { Blocked } from '../../engine/outcomes.js';
import { isUnsupported } from '../probe/capabilities.js';
import { parseJson } from '../../http/parse-json.js';
import { sectionAndKey } from '../settings/settings.js';
import type { Exchange, HttpClient } from '../../http/client.js';

/** Makes CouchDB change the setting in memory only, so that a restart undoes the change. */
const headers = { 'X-Couch-Persist': 'false' };

/**
 * @returns the value, or `null` if there is none.
 * @throws Blocked if the target refuses.
 */
export async function readSetting(client: HttpClient, node: number, name: string): Promise<string | null> {
  const exchange = await client.request({ path: pathOf(name), node, as: 'admin' });
  if (exchange.status === 404) return null;
  const value: unknown = exchange.status === 200 ? parseJson(exchange.text) : undefined;
  if (typeof value !== 'string') {
    throw new Blocked(`Cannot read ${name}: ${statusText(exchange)}.`, {
      isUnsupported: isUnsupported(exchange),
    });
  }
  return value;
}

/**
 * Sets a value, or removes it if `value` is `null`.
 *
 * @returns the resulting value, which may be a default after a removal.
 * @throws Blocked if the target refuses.
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
  const hadNoValue = value === null && exchange.status === 404;
  if (exchange.status >= 300 && !hadNoValue) {
    throw new Blocked(`Cannot set ${name}: ${statusText(exchange)}.`, {
      isUnsupported: isUnsupported(exchange),
    });
  }
  return readSetting(client, node, name);
}

function pathOf(name: string): string {
  const { section, key } = sectionAndKey(name);
  return `/_node/_local/_config/${encodeURIComponent(section)}/${encodeURIComponent(key)}`;
}

/** Leaves out the body, which may repeat a secret value. */
const statusText = ({ method, status }: Exchange): string => `${method} returns ${status}`;
