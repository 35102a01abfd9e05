/**
 * The parts of the service that a target does not have at all. Each is one cause, however many checks need it: what it
 * explains blocks a check, and only the rules that the part is about fail. This file says what follows from each and sends
 * nothing; `probe-obstacles.ts` finds them.
 */
import { parse } from 'lossless-json';
import type { Capability, RuleId } from '../../../openapi/generated/rules.js';
import { bodyOf, type Counterexample, type RecordedExchange } from '../../../reports/report.js';
import type { Blocked } from '../../engine/outcomes.js';
import type { Exchange, TargetRequest } from '../../http/client.js';
import type { Unanswered } from '../../http/unanswered.js';
import { describeResponse, operationName } from '../../http/describe-response.js';
import { asObject, feedObject, parseJson } from '../../http/parse-json.js';
import { internalError } from '../../http/server-errors.js';
import { isMissing } from './capabilities.js';
import { parameterOf, type ProbedPart, probedParts } from './feed-parts.js';
import { type FeedLack, type FeedPart, meaningful } from './service-version.js';

export interface Obstacle {
  /** Such as `POST /{db}/_changes is not implemented (404)`. */
  readonly name: string;
  /** The smallest exchange that shows it, if there is one. */
  readonly shownBy?: RecordedExchange | undefined;
  /** The rules that a target without this part breaks in any case: their checks fail. Those of all others are blocked. */
  readonly breaks: readonly RuleId[];
  /** What differs in the exchange that shows it, if the status is not what does. */
  readonly difference?: Pick<Counterexample, 'path' | 'expected' | 'actual'>;
  /** Whether a request is in vain, since only a response that arrives in parts could be judged. */
  readonly prevents?: (request: TargetRequest) => boolean;
  /** If the part is an endpoint, its response, as {@link describeResponse} names it. */
  readonly response?: string;
  /** The parameters of the feed that the target ignores, or parameters with a value: `feed=longpoll`. */
  readonly ignored?: readonly string[];
  /** The rules that a target has broken in the exchange that shows it, even if no check meets it in a generated case. */
  readonly proves?: readonly RuleId[];
  /** The capabilities that cannot be probed without it. */
  readonly hides?: readonly Capability[];
  /** What is lacking of the feed, and the rules that each part breaks. Requests do without it. */
  readonly lacks?: readonly (FeedPart & Pick<FeedLack, 'breaks'>)[];
  /**
   * Whether the response is as it is for lack of this part.
   *
   * @param content what the check wrote to the database of the request, as far as it is known, and what differs in the
   * response
   */
  readonly explains: (exchange: RecordedExchange, content: Content) => boolean;
}

type Content = Pick<Counterexample, 'trees' | 'writes' | 'path' | 'actual'>;

/** @returns the first obstacle that explains the response. */
export const obstacleTo = (
  obstacles: readonly Obstacle[],
  exchange: RecordedExchange | undefined,
  content: Content = {},
): Obstacle | undefined => exchange && obstacles.find(({ explains }) => explains(exchange, content));

/** What no request should have, since the target lacks it. */
export const feedLacks = ({ name: finding, shownBy, lacks = [] }: Obstacle): FeedLack[] =>
  lacks.map((part) => ({ ...part, finding, shownBy }));

export const feedOperations = ['GET /{db}/_changes', 'POST /{db}/_changes'];

export function missingEndpoint(exchange: Exchange): Obstacle {
  const { request, status } = exchange;
  const response = describeResponse({ ...request, status });
  const operation = operationName(request.method ?? 'GET', request.path);
  return {
    shownBy: exchange.record(),
    name: `${operation} is not implemented (${status})`,
    breaks: [],
    ...(operation === feedOperations[1] && { lacks: [{ in: 'method', name: 'POST', breaks: [] }] }),
    response,
    explains: ({ request, response: given }) =>
      given !== undefined && describeResponse({ ...request, status: given.status }) === response,
  };
}

/** What to do where the target creates no databases by `PUT /{db}`. */
export const waysWithoutCreation =
  '`databases` in the target file says how to create them, `--database NAME` uses one that exists, `docfeed proxy` and `check --read-only` need none';

/** The target refuses to create databases. */
export function withoutDatabases(exchange: Exchange): Obstacle {
  const { request, status } = exchange;
  const response = describeResponse({ ...request, status });
  const asAdmin = request.as === 'admin' && (status === 401 || status === 403) ? 'use --admin; or ' : '';
  return {
    shownBy: exchange.record(),
    name: `databases cannot be created (${response}${redirectOf(exchange)}): ${asAdmin}${waysWithoutCreation}`,
    breaks: [],
    hides: needDatabase,
    ...(isMissing(exchange) && { response }),
    explains: ({ request, response: given }) =>
      given !== undefined && describeResponse({ ...request, status: given.status }) === response,
  };
}

/** There is no database, and no response that says why. */
export const withoutProbeDatabase = ({ message, obstacle = message, shownBy }: Blocked): Obstacle => ({
  shownBy,
  name: obstacle,
  breaks: [],
  hides: needDatabase,
  explains: () => false,
});

/** Capabilities whose probes write to a database. */
const needDatabase: readonly Capability[] = ['functions', 'attachments', 'total-order'];

/** Where a response leads. A redirect other than to the same path with a slash is not followed. */
const redirectOf = ({ status, headers }: Exchange): string => {
  const [location] = headers.get('location') ?? [];
  return status >= 300 && status < 400 && location !== undefined ? `, a redirect to ${location}` : '';
};

/** Such as a proxy that answers everything with a page for a login. */
export function sameResponse(exchange: Exchange): Obstacle {
  const { status, text } = exchange;
  return {
    shownBy: exchange.record(),
    name: `requests of all kinds get the same response (${status}, ${mediaTypeOf(exchange)})`,
    breaks: ['response-schema'],
    explains: (exchange) => exchange.response?.status === status && bodyOf(exchange) === text,
  };
}

/** @param ignored modes that the target answers like the normal one. */
export function notJson(exchanges: readonly [Exchange, ...Exchange[]], ignored: readonly string[]): Obstacle {
  const operations = exchanges.map(operationOf);
  const [first] = exchanges;
  const where = [placeOfError(first.text), mediaTypeOf(first)];
  const bodies = operations.length === 1 ? 'body of' : 'bodies of';
  const are = operations.length === 1 ? 'is' : 'are';
  return {
    shownBy: first.record(),
    name: `the ${bodies} ${listOf(operations)} ${are} not JSON (${where.join(', ')})`,
    breaks: operations.includes(feedOperations[0]!) ? ['feed-shape'] : ['response-schema'],
    explains: (exchange) =>
      operations.includes(recordedOperation(exchange)) &&
      isLikeNormal(exchange, ignored) &&
      !exchange.response!.truncated &&
      parseJson(bodyOf(exchange)) === undefined,
  };
}

/** Where a text stops being JSON, such as `line 1, column 214`. */
function placeOfError(text: string): string {
  try {
    parse(text);
    return 'too long';
  } catch (error) {
    const position = Number(/at position (\d+)/.exec(String(error))?.[1] ?? 0);
    const lines = text.slice(0, position).split('\n');
    return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  }
}

export const feedWithoutRows = (exchange: Exchange, ignored: readonly string[]): Obstacle => ({
  shownBy: exchange.record(),
  name: 'GET /{db}/_changes returns no array "results"',
  breaks: ['feed-shape'],
  explains: (exchange) =>
    feedOperations.includes(recordedOperation(exchange)) &&
    isLikeNormal(exchange, ignored) &&
    !feedObject(parseJson(bodyOf(exchange))).results,
});

/**
 * Who the target says that a caller is then shows nothing of the credentials. What else is wrong with a session, such as
 * its shape, is not explained.
 *
 * @param exchange `GET /_session` without credentials
 */
export function everybodyIsAdministrator(exchange: Exchange): Obstacle {
  const { name } = userContextOf(exchange);
  return {
    shownBy: exchange.record(),
    name: 'every request is an administrator, whatever its credentials',
    breaks: ['users-admin-only', 'basic-rejects', 'login-rejects', 'session-shape'],
    explains: (other, { path = '', actual }) => {
      switch (recordedOperation(other)) {
        case 'GET /_session':
          if (path === '$.userCtx.name') return actual === name;
          if (path.startsWith('$.userCtx.roles')) return [actual].flat().includes(administratorRole);
          return path === '$.info.authenticated';
        case 'POST /_session':
          // The roles that a user has got from a caller who must not give any.
          return path === '$.roles' && Array.isArray(actual);
        default:
          return false;
      }
    },
  };
}

const administratorRole = '_admin';

/** Whether it is the session of an administrator. */
export function showsAdministrator(session: Exchange): boolean {
  const { roles } = userContextOf(session);
  return session.status === 200 && Array.isArray(roles) && roles.includes(administratorRole);
}

const userContextOf = ({ text }: Exchange): Readonly<Record<string, unknown>> =>
  asObject(asObject(parseJson(text))['userCtx']);

const partOf = (parameter: string): ProbedPart | undefined =>
  probedParts.find(({ name }) => name === parameter);

/** What breaks when the target ignores a parameter of the feed, or one of its values, or refuses it. */
function brokenBy(parameter: string, isIgnored: boolean): readonly RuleId[] {
  const { rule, brokenByIgnoring } = partOf(parameter) ?? {};
  return (isIgnored ? brokenByIgnoring : undefined) ?? (rule === undefined ? [] : [rule]);
}

export function ignoredParameters(exchange: Exchange, ignored: readonly string[]): Obstacle {
  const lacks = ignored.flatMap((parameter) => partsOf(parameter, brokenBy(parameter, true)));
  return {
    shownBy: exchange.record(),
    ignored,
    name: `${listOf(ignored.map((parameter) => `\`${parameter}\``))} ${ignored.length === 1 ? 'is' : 'are'} ignored`,
    breaks: ignored.flatMap((parameter) => brokenBy(parameter, true)),
    lacks,
    // What a response has more than it may, or less. Checks of modes see it themselves.
    proves: lacks.flatMap(({ name, breaks }) => (name === 'feed' ? [] : breaks)),
    explains: (exchange) => hasParameter(exchange, ignored),
  };
}

/** Whether a request without it means something else, so that it cannot do without. */
const isMeaningful = (parameter: string): boolean => meaningful.includes(parameterOf(parameter).name);

function partsOf(parameter: string, breaks: readonly RuleId[]): NonNullable<Obstacle['lacks']> {
  return [
    { in: 'query', ...parameterOf(parameter), breaks },
    ...(partOf(parameter)?.dependents ?? []).map((dependent) => ({
      in: 'query' as const,
      name: dependent,
      breaks,
    })),
  ];
}

/** @param exchange a valid request with the parameter, which the target answers with an error. */
export function refusedParameter(exchange: Exchange, parameter: string): Obstacle {
  const breaks = [...brokenBy(parameter, false), ...brokenByStatus(exchange)];
  return {
    shownBy: exchange.record(),
    name: `\`${parameter}\` is answered with ${exchange.status}`,
    breaks,
    lacks: partsOf(parameter, breaks),
    explains: (other) => hasParameter(other, [parameter]) && other.response?.status === exchange.status,
  };
}

/** @param exchange a feed that has several rows of a document. */
export const repeatedRows = (exchange: Exchange, name: string, id: string): Obstacle => ({
  shownBy: exchange.record(),
  name,
  breaks: ['feed-one-row'],
  proves: ['feed-one-row'],
  difference: { path: '$.results', expected: `one row of ${JSON.stringify(id)}`, actual: 'two rows' },
  explains: () => false,
});

/** A valid request with the parameter gets no response. @param breaks the rules that say so */
export function unansweredParameter(
  { obstacle: problem, shownBy }: Unanswered,
  parameter: string,
  breaks = brokenBy(parameter, false),
): Obstacle {
  return {
    shownBy,
    name: `\`${parameter}\` is not answered`,
    breaks,
    difference: { path: 'the response', expected: 'a response', actual: problem },
    lacks: partsOf(parameter, breaks),
    explains: (other) => hasParameter(other, [parameter]) && other.response === undefined,
  };
}

/** The filter is there, but not in these modes. @param exchange a valid request with the filter in the first of them */
export function refusedInModes(exchange: Exchange, filter: string, modes: readonly string[]): Obstacle {
  const breaks: readonly RuleId[] = ['filter-in-every-mode'];
  return {
    shownBy: exchange.record(),
    name: `\`filter=${filter}\` is answered with ${exchange.status} in the ${modes.length === 1 ? 'mode' : 'modes'} ${listOf(modes)}`,
    breaks,
    lacks: modes.map((mode) => ({
      in: 'query',
      name: 'filter',
      value: filter,
      beside: [{ name: 'feed', value: mode }],
      breaks,
    })),
    explains: (other) =>
      hasParameter(other, [`filter=${filter}`]) &&
      hasParameter(
        other,
        modes.map((mode) => `feed=${mode}`),
      ) &&
      other.response?.status === exchange.status,
  };
}

/**
 * The target takes each of these parameters, but not all together. The last of them counts as lacking beside the others.
 *
 * @param exchange a valid request with them, which the target answers with an error
 */
export function refusedTogether(exchange: Exchange, parameters: readonly string[]): Obstacle {
  const lacking = parameters.findLast((parameter) => !isMeaningful(parameter)) ?? parameters.at(-1)!;
  const others = parameters.filter((parameter) => parameter !== lacking);
  const breaks = [
    ...parameters.flatMap((parameter) => brokenBy(parameter, false)),
    ...brokenByStatus(exchange),
  ];
  return {
    shownBy: exchange.record(),
    name: `${listOf([...others, lacking].map((parameter) => `\`${parameter}\``))} together are answered with ${exchange.status}`,
    breaks,
    lacks: [{ in: 'query', ...parameterOf(lacking), beside: others.map(parameterOf), breaks }],
    proves: brokenBy(lacking, false),
    explains: (other) =>
      parameters.every((parameter) => hasParameter(other, [parameter])) &&
      other.response?.status === exchange.status,
  };
}

/** @param stream a feed that has sent its rows at once, and has ended some time later. */
export function heldBack(stream: Exchange): Obstacle {
  const [server] = stream.headers.get('server') ?? [];
  const by = server === undefined ? '' : ` (\`Server: ${server}\`)`;
  const isStream = (feed: unknown, heartbeat: unknown): boolean =>
    feed === 'continuous' || feed === 'eventsource' || (feed === 'longpoll' && heartbeat !== undefined);
  return {
    shownBy: stream.record(),
    name: `responses are held back until they end: something between buffers them${by}; for nginx \`proxy_buffering off\``,
    breaks: ['continuous-live'],
    proves: ['continuous-live'],
    difference: {
      path: 'the arrival of the rows',
      expected: 'at once',
      actual: `after ${Math.round(stream.chunks.at(-1)?.atMs ?? 0)} ms, when the response ended`,
    },
    prevents: ({ query = {} }) => isStream(query['feed'], query['heartbeat']),
    explains: (other) => {
      const query = queryOf(other);
      const isFeed = feedOperations.includes(recordedOperation(other));
      return isFeed && isStream(query.get('feed'), query.get('heartbeat') ?? undefined);
    },
  };
}

/** No valid request gets an internal error. */
const brokenByStatus = ({ status }: Exchange): readonly RuleId[] =>
  status === internalError ? ['response-schema'] : [];

/** Such as `text/html`, or `no Content-Type`. */
export const mediaTypeOf = ({ headers }: Exchange): string =>
  headers.get('content-type')?.[0]?.split(';')[0] ?? 'no Content-Type';

export const operationOf = ({ request: { method = 'GET', path } }: Exchange): string =>
  operationName(method, path);

const recordedOperation = ({ request: { method, path } }: RecordedExchange): string =>
  operationName(method, path);

/** Whether it is a request for the feed with one of these parameters, or of these values of parameters. */
const hasParameter = (exchange: RecordedExchange, parameters: readonly string[]): boolean =>
  feedOperations.includes(recordedOperation(exchange)) &&
  [...queryOf(exchange)].some(
    ([name, value]) => parameters.includes(name) || parameters.includes(`${name}=${value}`),
  );

const queryOf = ({ request: { path } }: RecordedExchange): URLSearchParams =>
  new URLSearchParams(path.split('?')[1]);

const isSuccess = ({ response }: RecordedExchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300;

/** Whether a response that succeeds has the form of one of normal mode. */
function isLikeNormal(exchange: RecordedExchange, ignored: readonly string[]): boolean {
  const mode = queryOf(exchange).get('feed') ?? 'normal';
  return isSuccess(exchange) && ['normal', 'longpoll', ...ignored].includes(mode);
}

/** Such as `a, b and c`. */
const listOf = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);
