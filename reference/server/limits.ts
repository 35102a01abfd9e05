/** Limits for requests. Each is a setting. The HTTP listener itself enforces the limit for headers. */
import type { IncomingMessage } from 'node:http';
import type { Server } from '@hapi/hapi';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';

/** These requests can stay open indefinitely. */
const feedOperations: ReadonlySet<string | undefined> = new Set(['getChanges', 'postChanges']);

/** @throws 414 */
export function checkUrlLength({ url = '' }: IncomingMessage, { maxUrlLength }: Settings): void {
  if (url.length <= maxUrlLength) return;
  const reason = `The URL must be at most ${maxUrlLength} characters long; send a POST instead.`;
  throw httpError(414, 'uri_too_long', reason);
}

/** Rejects larger bodies with 413, and feeds beyond the limit with 429. */
export function limitRequests(server: Server, settings: Settings): void {
  // hapi reads the body after this event. Copying the limit for each request applies changes at runtime.
  server.ext('onPreAuth', ({ route }, h) => {
    if (route.settings.payload) route.settings.payload.maxBytes = settings.maxBodyBytes;
    return h.continue;
  });

  const open = new Map<string, number>();
  server.ext('onPreHandler', ({ route, raw: { req, res } }, h) => {
    const address = req.socket.remoteAddress;
    if (!feedOperations.has(route.settings.id) || address === undefined || res.closed) return h.continue;
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
    return h.continue;
  });
}
