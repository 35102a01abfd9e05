/** Checks every exchange of a run against the OpenAPI description. */
import type { RecordedExchange } from '../../reports/report.js';
import { aString, objectWith } from '../engine/matchers.js';
import { Blocked, type Difference } from '../engine/outcomes.js';
import { splitPath, type Description } from './description.js';
import { EventReader, LineReader } from './stream-readers.js';
import { beginningOf } from './exchange.js';
import { limitSize } from '../engine/json-data.js';
import { parseJson } from './parse-json.js';
import { type ServerError, ServerErrors } from './server-errors.js';
import type { Exchange } from './client.js';
import type { TrafficObserver } from './traffic-observer.js';

/** A response that violates the description. */
export interface TrafficProblem {
  difference: Difference;
  exchange: RecordedExchange;
  /** Number of exchanges of the run that finished earlier. */
  before: number;
}

/** Number of response bodies that were checked, and the first problems. */
interface BodyStatistics {
  checked: number;
  /** More than one, since the baseline may explain some of them. */
  problems: TrafficProblem[];
}

const maxProblems = 200;

/** How much of a stream is checked, in bytes. The streams of a conforming target are shorter. */
const maxStreamBytes = 1024 * 1024;

/** The result so far, for the checks that evaluate all exchanges of a run. */
export interface Traffic {
  responses(operationId: string): Readonly<BodyStatistics>;
  errorBodies(): Readonly<BodyStatistics>;
  /** The valid requests that the target answered with an internal error. */
  serverErrors(): { readonly checked: number; readonly errors: readonly ServerError[] };
}

const errorBody = objectWith({ error: aString, reason: aString });

/**
 * Creates an observer that collects statistics of response bodies. It also rejects requests that the description does
 * not allow, which is an internal error unless the check marks them as deliberately wrong.
 */
export function recordTraffic(description: Description): Traffic & TrafficObserver {
  const byOperation = new Map<string, BodyStatistics>();
  const errors = noStatistics();
  const serverErrors = new ServerErrors();
  let finished = 0;
  const add = (statistics: BodyStatistics, exchange: Exchange, difference: Difference | undefined): void => {
    statistics.checked += 1;
    if (!difference || statistics.problems.length >= maxProblems) return;
    const { actual } = difference;
    statistics.problems.push({
      difference: { ...difference, actual: limitSize(actual) },
      exchange: exchange.record(),
      before: finished - 1,
    });
  };

  return {
    beforeSend(sent, { deliberatelyWrong, echoesTarget }) {
      const problem = deliberatelyWrong ? undefined : description.requestProblem(sent);
      if (problem === undefined) return;
      if (echoesTarget) throw new Blocked(`A value from the target is invalid in a request: ${problem}.`);
      throw new Error(`Internal error in docfeed, invalid request: ${problem}.`);
    },
    onFinished(exchange) {
      finished += 1;
      serverErrors.add(exchange, finished - 1);
      const judged = judgeBody(description, exchange);
      if (!judged) return;
      const { operation, differences } = judged;
      const statistics = operation === undefined ? errors : (byOperation.get(operation) ?? noStatistics());
      if (operation !== undefined) byOperation.set(operation, statistics);
      for (const difference of differences) add(statistics, exchange, difference);
    },
    responses: (operationId) => byOperation.get(operationId) ?? noStatistics(),
    errorBodies: () => errors,
    serverErrors: () => serverErrors,
  };
}

const noStatistics = (): BodyStatistics => ({ checked: 0, problems: [] });

/** The values of a body that were checked, each with its first difference if it has one. */
interface JudgedBody {
  /** The id of the operation; absent for the body of an error. */
  readonly operation?: string;
  readonly differences: readonly (Difference | undefined)[];
}

/** @returns `undefined` if the description says nothing about the body. */
export function judgeBody(description: Description, exchange: Exchange): JudgedBody | undefined {
  if (exchange.method === 'HEAD') return undefined;
  const { pathname, query } = splitPath(exchange.path);
  const operation = description.operation(exchange.method, pathname);
  if (exchange.status >= 400) {
    if (!exchange.complete && exchange.limit === undefined) return undefined;
    const isDocumented = operation?.documented === true;
    const body = errorBodyOf(exchange, isDocumented && mustBeJson(exchange));
    // Other operations may respond with a list of results, such as that of `_bulk_docs`.
    if (!body || (!isDocumented && Array.isArray(body.value))) return undefined;
    return { differences: [body.error ?? errorBody(body.value, '$')] };
  }
  // The service document does not restrict the responses of operations that it does not show.
  if (exchange.text === '' || !operation?.documented || exchange.request.deliberatelyWrong) return undefined;
  const differences =
    exchange.limit === undefined
      ? valuesOf(exchange, description.framing(operation, query)).map((value) =>
          description.responseDifference(operation, query, exchange.status, value),
        )
      : [tooLong(exchange.limit)];
  return { operation: operation.id, differences };
}

/**
 * Statuses whose body is not that of the operation: the service document does not show the responses to failed
 * authentication (401), and a proxy or the HTTP parser may send the others before the operation receives the request.
 */
const freeStatuses: ReadonlySet<number> = new Set([401, 407, 408, 413, 414, 429, 431, 502, 503, 504]);

/** Whether an error of a documented operation must have a JSON body (SERVICE 7). Only requests of the administrator are certain to authenticate. */
const mustBeJson = ({ status, request }: Exchange): boolean =>
  request.as === 'admin' && !freeStatuses.has(status);

const tooLong = (limit: string): Difference => ({
  path: '$',
  expected: `a body of at most ${limit}`,
  actual: 'a longer one',
});

/** @returns `undefined` for a body that need not be JSON and is not meant as such: neither labelled as JSON nor a JSON object. */
function errorBodyOf(
  exchange: Exchange,
  isRequired: boolean,
): { value?: unknown; error?: Difference } | undefined {
  const isLabelled =
    exchange.text !== '' && /\bjson\b/i.test(exchange.headers.get('content-type')?.[0] ?? '');
  if (exchange.limit !== undefined) {
    return isLabelled || isRequired ? { error: tooLong(exchange.limit) } : undefined;
  }
  const value = parseJson(exchange.text);
  if (value === undefined) {
    return isLabelled || isRequired
      ? { error: { path: '$', expected: 'JSON', actual: exchange.text.slice(0, 200) } }
      : undefined;
  }
  return isLabelled || isRequired || typeof value === 'object' ? { value } : undefined;
}

/** The JSON values of a body. If a check has closed a feed, the values that have arrived count. */
function valuesOf(
  { complete, text, chunks }: Exchange,
  framing: ReturnType<Description['framing']>,
): unknown[] {
  switch (framing) {
    case 'json':
      return complete ? [parseJson(text)] : [];
    case 'lines': {
      const lines = new LineReader();
      const checked = beginningOf(chunks, maxStreamBytes);
      const terminated = checked.flatMap(({ bytes }) => lines.read(bytes));
      return [...terminated, ...(complete && checked.length === chunks.length ? lines.end() : [])]
        .map((line) => line.text)
        .filter((line) => line !== '')
        .map((text) => parseJson(text));
    }
    case 'event-stream': {
      const events = new EventReader();
      return beginningOf(chunks, maxStreamBytes)
        .flatMap(({ bytes }) => events.read(bytes))
        .filter(({ type }) => type === 'message')
        .map(({ data }) => parseJson(data));
    }
  }
}
