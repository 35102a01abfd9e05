/**
 * What a violation looks like: the same unexpected response, the same missing field, the same kind of difference. Reports
 * group violations by these phrases, and know neither requests nor messages. Unlike an obstacle, which is known before a
 * check begins and blocks it, a symptom is derived from a violation and changes no outcome.
 */
import type { Rule } from '../../openapi/generated/rules.js';
import {
  type Counterexample,
  type RecordedExchange,
  type Symptoms,
  violatingExchange,
} from '../../reports/report.js';
import { operationName } from './describe-response.js';

export function symptomsOf(counterexample: Counterexample, rule: Pick<Rule, 'id' | 'area'>): Symptoms {
  const { path = '', exchanges } = counterexample;
  const exchange = violatingExchange(counterexample);
  const isRefusal = path === '$status' && (exchange?.response?.status ?? 0) >= 400;
  const mediaType = /content-type/i.test(path) && exchange ? describeMediaType(exchange) : undefined;
  return {
    ...(isRefusal && { refusal: describeRefusal(exchange!) }),
    ...(mediaType !== undefined && { mediaType }),
    mediaTypes: [...new Set(exchanges.flatMap((each) => describeMediaType(each) ?? []))],
    differences: differencesOf(counterexample, exchange, rule),
  };
}

function differencesOf(
  { message, path, expected, actual }: Counterexample,
  exchange: RecordedExchange | undefined,
  { id, area }: Pick<Rule, 'id' | 'area'>,
): string[] {
  return [
    // Other areas can expect the same, such as `nothing` for a caller who is not authenticated, for other causes.
    ...(path !== undefined && typeof expected === 'string' && expected.includes(' ')
      ? [`the expectation “${generalize(expected)}” for ${generalize(path)} (${area})`]
      : []),
    ...(exchange && isGreeting(exchange) ? ['the greeting'] : []),
    `the rule \`${id}\``,
    `the observation “${generalize(message)}”`,
    ...(isRevision(expected) && isRevision(actual) ? ['another revision than the expected one'] : []),
    ...(path?.startsWith('$.') && actual === undefined && exchange
      ? [
          `no \`${path.slice(2).replaceAll(/\[\d+\]/g, '[*]')}\` in the response to ${describeRequest(exchange, ['feed'])}`,
        ]
      : []),
  ];
}

const isGreeting = ({ request, response }: RecordedExchange): boolean =>
  operationName(request.method, request.path) === 'GET /' && response?.status === 200;

/** Whether the value is a revision, a list of revisions, or a phrase that starts with one. */
function isRevision(value: unknown): boolean {
  const text = Array.isArray(value) ? (value as unknown[])[0] : value;
  return typeof text === 'string' && /^[1-9]\d*-[0-9a-f]{32}(,|$)/.test(text);
}

/** Replaces generated values, so that the same message about other values is equal. */
const generalize = (message: string): string =>
  message.replaceAll(/\{.*\}|\[.*\]|"[^"]*"|\d+/gs, '…').replaceAll(/\/docfeed\S*/g, '/…');

/** @returns the method and path without generated names, with the given parameters. */
function describeRequest(
  { request: { method, path } }: RecordedExchange,
  shownParameters: readonly string[],
): string {
  const [pathname = '', query = ''] = path.split('?');
  const parameters = [...new URLSearchParams(query)]
    .filter(([name]) => shownParameters.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  // GET and POST of the feed have the same meaning.
  const isFeed = pathname.endsWith('/_changes');
  const place = isFeed ? '/{db}/_changes' : `${method} ${pathname.replaceAll(/docfeed-[^/]+/g, '{name}')}`;
  return `\`${place}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}\``;
}

function describeRefusal(exchange: RecordedExchange): string {
  const { status, chunks } = exchange.response!;
  const body = chunks.map(({ text }) => text).join('');
  const error = /"error"\s*:\s*"([^"]{0,80})"/.exec(body)?.[1];
  const answer = [String(status), ...(error === undefined ? [] : [error])].join(' ');
  return `the response ${answer} to ${describeRequest(exchange, ['filter'])}`;
}

/** @returns `undefined` for a response that is an error or has no media type. */
function describeMediaType(exchange: RecordedExchange): string | undefined {
  const { status = 0, headers = {} } = exchange.response ?? {};
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return type === undefined || status >= 400
    ? undefined
    : `the media type ${type.split(';')[0]!} in the response to ${describeRequest(exchange, ['feed'])}`;
}
