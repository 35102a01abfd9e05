/** Warns if missing access or a proxy limits what a run can verify. */
import type { CheckResult } from '../../../reports/report.js';
import type { TrafficObserver } from '../../http/traffic-observer.js';

/** What a proxy may remove or delay, and the rules that fail then. */
const proxyEffects: Readonly<Record<string, (rule: string) => boolean>> = {
  'the X-Auth headers': (rule) => rule.startsWith('proxy-'),
  'Last-Event-ID': (rule) => rule === 'eventsource-last-event-id',
  'Set-Cookie': (rule) => rule === 'login-cookie' || rule === 'basic-set-cookie',
  'the chunks of a body': (rule) => /^(continuous|eventsource(?!-last-event-id)|heartbeat)-/.test(rule),
};

/** The number of proxies that a warning names. */
const maxVia = 5;

/** @returns an observer whose warnings are one sentence each. */
export function observeCoverage(): TrafficObserver & { warnings(results: readonly CheckResult[]): string[] } {
  let requests = 0;
  let refused = 0;
  const via = new Set<string>();

  return {
    onFinished(exchange) {
      for (const value of exchange.headers.get('via') ?? []) if (via.size < maxVia) via.add(value);
      // These two need no credentials.
      if (!['/', '/_session'].includes(exchange.path)) {
        requests += 1;
        if (exchange.status === 401 || exchange.status === 403) refused += 1;
      }
    },
    warnings(results) {
      const warnings: string[] = [];
      if (requests > 0 && refused === requests) {
        warnings.push(
          `All ${requests} requests to databases and users returned 401 or 403. Use --admin with sufficient permissions.`,
        );
      }
      const suspects = Object.entries(proxyEffects).flatMap(([what, affects]) =>
        results.some(({ rule, outcome }) => affects(rule) && (outcome === 'fail' || outcome === 'warn'))
          ? what
          : [],
      );
      if (via.size > 0 && suspects.length > 0) {
        warnings.push(
          `There is a proxy in front of the target (Via: ${[...via].join(', ')}). It may cause failures by removing ${suspects.join(', ')}.`,
        );
      }
      return warnings;
    },
  };
}
