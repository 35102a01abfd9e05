/** Why a run may have seen less of its target than it looks: what its exchanges show of access and of what lies between. */
import type { CheckResult } from '../../reports/report.js';
import type { TrafficObserver } from '../client/http.js';
import type { Exchange } from '../client/client.js';

export interface Coverage {
  /** One sentence each. */
  warnings(results: readonly CheckResult[]): string[];
}

/** Rules that a proxy breaks by keeping something for itself, by what that is. */
const keptByProxies: Readonly<Record<string, (rule: string) => boolean>> = {
  'the X-Auth headers': (rule) => rule.startsWith('proxy-'),
  'Last-Event-ID': (rule) => rule === 'eventsource-last-event-id',
  'Set-Cookie': (rule) => rule === 'login-cookie' || rule === 'basic-set-cookie',
  'the pieces of chunked bodies': (rule) =>
    /^(continuous|eventsource(?!-last-event-id)|heartbeat)-/.test(rule),
};

/** A body that took at least this long, in milliseconds, shows whether its head came before it was complete. */
const longMs = 500;

export function observeCoverage(): Coverage & TrafficObserver {
  let asked = 0;
  let refused = 0;
  let openFeeds = 0;
  let heldBack = 0;
  const via = new Set<string>();

  return {
    onFinished(exchange) {
      for (const value of exchange.headers.get('via') ?? []) via.add(value);
      // Everybody may see these two.
      if (!['/', '/_session'].includes(exchange.path)) {
        asked += 1;
        if (exchange.status === 401 || exchange.status === 403) refused += 1;
      }
      if (staysOpen(exchange) && exchange.durationMs >= longMs) {
        openFeeds += 1;
        if (exchange.headersAtMs > 0.9 * exchange.durationMs) heldBack += 1;
      }
    },
    warnings(results) {
      const warnings: string[] = [];
      if (asked > 0 && refused === asked) {
        warnings.push(
          `All ${asked} requests to databases and users were refused with 401 or 403: give an --admin that may make them.`,
        );
      }
      if (openFeeds > 1 && heldBack === openFeeds) {
        warnings.push(
          'Feeds that stay open arrived in one piece at their end: the target, or a proxy before it, holds bodies back.',
        );
      }
      const suspects = Object.entries(keptByProxies).flatMap(([what, fits]) =>
        results.some(({ rule, outcome }) => fits(rule) && (outcome === 'fail' || outcome === 'warn'))
          ? what
          : [],
      );
      if (via.size > 0 && suspects.length > 0) {
        warnings.push(
          `A proxy stands before the target (Via: ${[...via].join(', ')}): failures may be its own, if it keeps back ${suspects.join(', ')}.`,
        );
      }
      return warnings;
    },
  };
}

function staysOpen({ path, status }: Exchange): boolean {
  return status === 200 && /[?&]feed=(continuous|eventsource)(&|$)/.test(path);
}
