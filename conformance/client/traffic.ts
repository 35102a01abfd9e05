/** Holds every exchange of a run against the description, and says whose fault a difference is. */
import type { RecordedExchange } from '../../reports/report.js';
import { aString, objectWith } from '../verdict/matchers.js';
import { Blocked, type Difference } from '../verdict/outcomes.js';
import { splitPath, type Description } from './description.js';
import { EventReader, LineReader } from './stream-readers.js';
import type { TrafficObserver } from './http.js';
import { parseJson } from './json.js';
import type { Exchange } from './client.js';

/** A response that the target should not have given. */
export interface TrafficProblem {
  difference: Difference;
  exchange: RecordedExchange;
  /** How many exchanges of the run had ended before. */
  before: number;
}

/** What the exchanges of a run have shown so far, for the checks that judge all of them. */
export interface Traffic {
  /** How many bodies of this operation were judged, and the first that does not fit. */
  responses(operationId: string): { judged: number; problem?: TrafficProblem };
  errorBodies(): { judged: number; problem?: TrafficProblem };
}

interface Tally {
  judged: number;
  problem?: TrafficProblem;
}

const errorBody = objectWith({ error: aString, reason: aString });

/**
 * @returns the collected facts, and the witness that collects them. The witness refuses a request that the
 * description does not have: that is the kit's fault, unless the check says that it means to be wrong.
 */
export function recordTraffic(description: Description): Traffic & TrafficObserver {
  const byOperation = new Map<string, Tally>();
  const errors: Tally = { judged: 0 };
  let count = 0;
  const note = (tally: Tally, exchange: Exchange, difference: Difference | undefined): void => {
    tally.judged += 1;
    if (difference) tally.problem ??= { difference, exchange: exchange.record(), before: count - 1 };
  };

  return {
    beforeSend(request, ask) {
      if (ask.deliberatelyWrong) return;
      const objection = description.requestProblem(request);
      if (objection === undefined) return;
      if (ask.echoesTarget)
        throw new Blocked(`The target gave what cannot be sent back to it: ${objection}.`);
      throw new Error(`The kit sent what it must not: ${objection}.`);
    },
    onFinished(exchange) {
      count += 1;
      if (exchange.method === 'HEAD' || exchange.text === '') return;
      if (exchange.status >= 400) {
        if (!exchange.complete) return;
        const body = jsonOf(exchange);
        if (body) note(errors, exchange, body.error ?? errorBody(body.value, '$'));
        return;
      }
      const { pathname, query } = splitPath(exchange.path);
      const operation = description.operation(exchange.method, pathname);
      // What the service document does not show, the target may answer as it likes.
      if (!operation?.documented || exchange.request.deliberatelyWrong) return;
      const tally = byOperation.get(operation.id) ?? { judged: 0 };
      byOperation.set(operation.id, tally);
      for (const value of valuesOf(exchange, description.framing(operation, query))) {
        const difference = description.responseDifference(operation, query, exchange.status, value);
        note(tally, exchange, difference);
      }
    },
    responses: (operationId) => byOperation.get(operationId) ?? { judged: 0 },
    errorBodies: () => errors,
  };
}

/** The body of an error if it is meant as JSON: labelled so, or an object whatever its label. */
function jsonOf(exchange: Exchange): { value?: unknown; error?: Difference } | undefined {
  const value = parseJson(exchange.text);
  const labelled = /\bjson\b/i.test(exchange.headers.get('content-type')?.[0] ?? '');
  if (value === undefined) {
    return labelled
      ? { error: { path: '$', expected: 'JSON', actual: exchange.text.slice(0, 200) } }
      : undefined;
  }
  return labelled || typeof value === 'object' ? { value } : undefined;
}

/** The JSON values of a body. A feed is judged as far as it has arrived: the check may have closed it. */
function valuesOf(
  { complete, text, chunks }: Exchange,
  framing: ReturnType<Description['framing']>,
): unknown[] {
  switch (framing) {
    case 'json':
      return complete ? [parseJson(text)] : [];
    case 'lines': {
      const lines = new LineReader();
      const whole = chunks.flatMap(({ bytes }) => lines.read(bytes));
      return [...whole, ...(complete ? lines.end() : [])]
        .map((line) => line.text)
        .filter((line) => line !== '')
        .map(parseJson);
    }
    case 'event-stream': {
      const events = new EventReader();
      const all = chunks.flatMap(({ bytes }) => events.read(bytes));
      return all.filter(({ type }) => type === 'message').map(({ data }) => parseJson(data));
    }
  }
}
