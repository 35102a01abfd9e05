/** Reads the greeting of a URL to detect the service, its dialect and its version. */
import type { Dialect } from '../../../openapi/generated/dialects.js';
import { dialects } from '../../../openapi/generated/dialects.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import { mediaTypeOf } from './obstacles.js';
import { declaredVersion } from './service-version.js';
import type { Exchange, HttpClient } from '../../http/client.js';

export interface Identity {
  greeting: Record<string, unknown>;
  dialect: Dialect;
  /** The service version, if a greeting in one of the dialects declares one. */
  declared: ReturnType<typeof declaredVersion>;
  warnings: string[];
}

/** The URL responds, but not with a greeting. The message starts with a verb whose subject is the URL. */
export class NotThisService extends Error {
  override readonly name = 'NotThisService';
  /** The request for the greeting and its response. */
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/**
 * Reads the greeting (SERVICE 2.1, 4.1).
 *
 * @param wanted overrides the dialect of the greeting.
 * @throws Unreachable if there is no response, NotThisService if the response is not a greeting.
 */
export async function detect(client: HttpClient, node: number, wanted?: Dialect): Promise<Identity> {
  let exchange = await client.request({ path: '/', node });
  // The greeting must not need credentials, but that is for a check to report.
  if (exchange.status === 401) exchange = await client.request({ path: '/', as: 'admin', node });
  const greeting = greetingIn(exchange);
  const detected = dialectOf(greeting);
  return {
    greeting,
    dialect: wanted ?? detected ?? 'couchdb',
    // A compatible server with a greeting of its own has version numbers of its own.
    declared: detected ? declaredVersion(greeting) : {},
    warnings:
      detected || wanted
        ? []
        : ['The greeting has neither "service" nor "couchdb"; the run assumes the couchdb dialect.'],
  };
}

function dialectOf(greeting: Readonly<Record<string, unknown>>): Dialect | undefined {
  return Object.values(dialects).find(({ greeting: key }) => typeof greeting[key] === 'string')?.dialect;
}

function greetingIn(exchange: Exchange): Record<string, unknown> {
  const unexpected = (what: string): NotThisService =>
    new NotThisService(`is not a supported service: ${what}`, exchange);
  const { status, headers, text } = exchange;
  if (status === 401) {
    const problem = 'requires credentials for its greeting: use --admin with valid credentials';
    throw new NotThisService(problem, exchange);
  }
  const location = headers.get('location')?.[0];
  if (status >= 300 && status < 400 && location !== undefined) {
    throw unexpected(`it returns a redirect to ${JSON.stringify(location)}, which docfeed does not follow`);
  }
  if (status !== 200) throw unexpected(`it returns status ${status}`);
  const body = parseJson(text);
  if (body === undefined)
    throw unexpected(`the body is ${/^\s*</.test(text) ? 'HTML' : mediaTypeOf(exchange)}, not JSON`);
  const greeting = asObject(body);
  const lacking = Object.entries({ version: 'string', vendor: 'object' }).filter(
    ([name, type]) => typeof greeting[name] !== type,
  );
  // PouchDB Server, for example, has a greeting key of its own but the other members of a greeting.
  if (!dialectOf(greeting) && lacking.length > 0) {
    const keys = Object.values(dialects).map((names) => JSON.stringify(names.greeting));
    const others = lacking.map(([name, type]) => `no ${type} "${name}"`);
    throw unexpected(`the greeting has no string ${keys.join(' or ')}, and ${others.join(' and ')}`);
  }
  return greeting;
}
