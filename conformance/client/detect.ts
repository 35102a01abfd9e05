/** What a URL is: such a service at all, and if so which dialect it speaks and which version it declares. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import { dialects } from '../../openapi/generated/dialects.js';
import { parseJson } from './json.js';
import type { Exchange, HttpClient } from './client.js';

export interface Identity {
  greeting: Record<string, unknown>;
  dialect: Dialect;
  /** The service version, when a greeting of one of the dialects declares one. */
  version?: string;
  /** Why what was detected may surprise. */
  warnings: string[];
}

/** The URL answers, but not with a greeting. The message goes on where the URL ends. */
export class NotThisService extends Error {
  override readonly name = 'NotSuchService';
}

/**
 * Reads the greeting (SERVICE 2.1, 4.1).
 *
 * @param wanted the dialect to use whatever the greeting says.
 * @throws Unreachable when there is no answer, NotSuchService when it is not a greeting.
 */
export async function detect(client: HttpClient, node: number, wanted?: Dialect): Promise<Identity> {
  let exchange = await client.request({ path: '/', node });
  // The greeting needs no credentials; whether it asks for them is for the check of that rule to say.
  if (exchange.status === 401) exchange = await client.request({ path: '/', as: 'admin', node });
  const greeting = greetingOf(exchange);
  const spoken = Object.values(dialects).find(({ greeting: key }) => typeof greeting[key] === 'string');
  const version = greeting['version'];
  const warnings =
    spoken || wanted
      ? []
      : ['The greeting has neither "service" nor "couchdb"; the target is taken for a relative of CouchDB.'];
  return {
    greeting,
    dialect: wanted ?? spoken?.dialect ?? 'couchdb',
    // A relative that greets in its own name counts its own versions.
    ...(spoken && typeof version === 'string' ? { version } : {}),
    warnings,
  };
}

function greetingOf(exchange: Exchange): Record<string, unknown> {
  const say = (what: string): NotThisService =>
    new NotThisService(`is not such a service: GET / is answered with ${what}`);
  if (exchange.status === 401) {
    throw new NotThisService('gives its greeting to nobody without credentials: give good ones with --admin');
  }
  const location = exchange.headers.get('location')?.[0];
  if (exchange.status >= 300 && exchange.status < 400 && location !== undefined) {
    throw say(`a redirection to ${JSON.stringify(location)}, which is not followed`);
  }
  if (exchange.status !== 200) throw say(`status ${exchange.status}`);
  const body = parseJson(exchange.text);
  if (body === undefined) throw say(exchange.headers.get('content-type')?.[0] ?? 'no JSON');
  const greeting = body as Record<string, unknown> | null;
  const known = Object.values(dialects).some(({ greeting: key }) => typeof greeting?.[key] === 'string');
  // PouchDB Server, for one, greets with a word of its own, but with the other members of a greeting.
  const related = typeof greeting?.['version'] === 'string' && typeof greeting['vendor'] === 'object';
  if (greeting === null || !(known || related)) throw say('JSON that is no greeting');
  return greeting;
}
