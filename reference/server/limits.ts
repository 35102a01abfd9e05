/** Limits for requests. Each is a setting. The HTTP listener itself enforces the limit for headers. */
import type { IncomingMessage } from 'node:http';
import type { Request } from '@hapi/hapi';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';

/** @throws 414 */
export function checkUrlLength({ url = '' }: IncomingMessage, { maxUrlLength }: Settings): void {
  if (url.length <= maxUrlLength) return;
  const reason = `The URL must be at most ${maxUrlLength} characters long; send a POST instead.`;
  throw httpError(414, 'uri_too_long', reason);
}

/** Creates a function that is called with each request for a feed. It rejects feeds beyond the limit with 429. */
export function feedLimiter(settings: Settings): (request: Request) => void {
  const open = new Map<string, number>();
  return ({ raw: { req, res } }) => {
    const address = req.socket.remoteAddress;
    if (address === undefined || res.closed) return;
    const others = open.get(address) ?? 0;
    if (others >= settings.maxFeeds) {
      const reason = `A client may have at most ${settings.maxFeeds} open changes requests.`;
      throw httpError(429, 'too_many_requests', reason);
    }
    open.set(address, others + 1);
    res.once('close', () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  };
}
