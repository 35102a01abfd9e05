/** Tells a judge of traffic what a client of docfeed itself sends and gets, as if it had passed a proxy. */
import type { SentExchange } from '../../http/client.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';
import type { PassingEvent, RequestHead, ResponseHead, Tap } from '../tapped-proxy.js';

type Ended = Pick<SentExchange, 'request'>;

export function tellPassing(tap: Tap): TrafficObserver {
  let count = 0;
  /** The number of each open exchange, by its request. */
  const open = new Map<object, number>();
  const tell = ({ request }: Ended, kind: PassingEvent['kind'], bytes = Buffer.alloc(0)): void => {
    const exchange = open.get(request);
    if (exchange !== undefined) tap.onEvent({ kind, exchange, at: performance.now(), bytes });
  };
  const tellHead = (exchange: Ended, kind: 'request' | 'response', head: RequestHead | ResponseHead): void =>
    tell(exchange, kind, Buffer.from(JSON.stringify(head)));
  const end = (exchange: Ended, kind: 'end' | 'break'): void => {
    tell(exchange, kind);
    open.delete(exchange.request);
  };
  return {
    onSent(exchange, { method, path, headers, body }) {
      count += 1;
      open.set(exchange.request, count);
      // Which of its connections the client uses is not known.
      tellHead(exchange, 'request', {
        connection: count,
        method,
        path,
        rawHeaders: Object.entries(headers).flat(),
      });
      if (body !== undefined) tell(exchange, 'upload', Buffer.from(body));
      tell(exchange, 'sent');
    },
    onHead: (exchange, { status, rawHeaders }) =>
      tellHead(exchange, 'response', { status, rawHeaders: rawHeaders.flat() }),
    onChunk: (exchange, bytes) => tell(exchange, 'chunk', Buffer.from(bytes)),
    onFinished: (exchange) => end(exchange, exchange.complete ? 'end' : 'break'),
    onFailed: (exchange) => end(exchange, 'break'),
  };
}
