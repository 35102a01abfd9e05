/** A target that means harm: a proxy in front of the reference server that gives responses of its own. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExecutionContext } from 'ava';
import type { RunningServer } from '../../reference/index.js';
import { forward } from '../http/reverse-proxy.js';
import { served } from './server.js';

export interface HostileResponse {
  /** Default: 200. */
  readonly status?: number;
  /** Default: that of JSON. */
  readonly type?: string;
  /** Who answers. */
  readonly server?: string;
  /** Where a redirect leads. */
  readonly location?: string;
  readonly body: string | Iterable<Buffer>;
}

/**
 * @returns what the target answers instead of the server; nothing if the server answers. `no answer`: it leaves the
 * request open. `no connection`: it closes the connection.
 */
type Answer = (request: IncomingMessage) => HostileResponse | 'no answer' | 'no connection' | undefined;

/** Starts a target that stops at the end of the test. @returns its URL */
export async function hostileTarget(
  t: Pick<ExecutionContext, 'teardown'>,
  behind: Pick<RunningServer, 'url'>,
  answer: Answer,
): Promise<string> {
  const target = await served(t, (incoming, response) => {
    const hostile = answer(incoming);
    if (hostile === 'no answer') {
      incoming.resume();
    } else if (hostile === 'no connection') {
      incoming.destroy();
    } else if (hostile) {
      const { status = 200, type = 'application/json', server, location, body } = hostile;
      incoming.resume();
      response.writeHead(status, {
        'Content-Type': type,
        ...(server !== undefined && { server }),
        ...(location !== undefined && { location }),
      });
      // The client may close the connection.
      pipeline(Readable.from(typeof body === 'string' ? [body] : body), response).catch(() => {});
    } else {
      forward(incoming, response, { target: new URL(behind.url) }).catch(() => {});
    }
  });
  return target.url;
}

/** A text of this size, of which only one piece is in memory at a time. */
export function* repeated(text: string, bytes: number): Generator<Buffer> {
  const piece = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}
