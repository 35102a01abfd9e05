/** What one request may ask of the server. Each limit is a setting. The header's size is the listener's own limit. */
import type { Server } from '@hapi/hapi';
import type { Settings } from '../config/settings.js';
import { httpError } from '../http/errors.js';

/** Requests for changes can stay open without end. */
const feeds: ReadonlySet<string | undefined> = new Set(['getChanges', 'postChanges']);

/** Refuses requests beyond the limits: 413, 414 and 429. */
export function limitRequests(server: Server, settings: Settings): void {
  server.ext('onRequest', ({ raw }, h) => {
    if ((raw.req.url ?? '').length > settings.maxUrlLength) {
      const reason = `The URL must be at most ${settings.maxUrlLength} characters long: send a POST instead.`;
      throw httpError(414, 'uri_too_long', reason);
    }
    return h.continue;
  });

  // Before hapi reads the body: its own limit is this one, which the configuration may have changed.
  server.ext('onPreAuth', ({ route }, h) => {
    if (route.settings.payload) route.settings.payload.maxBytes = settings.maxBodyBytes;
    return h.continue;
  });

  const open = new Map<string, number>();
  server.ext('onPreHandler', ({ route, raw: { req, res } }, h) => {
    const address = req.socket.remoteAddress;
    if (!feeds.has(route.settings.id) || address === undefined || res.closed) return h.continue;
    const others = open.get(address) ?? 0;
    if (others >= settings.maxFeeds) {
      const reason = `A client may have ${settings.maxFeeds} requests for changes open at a time.`;
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
