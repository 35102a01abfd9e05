/**
 * Judges what held only at a second attempt: requests that were sent again, and cases that a lagging copy explains. A few
 * are chance, and the report names them. With more, a pass would say too much: the check is inconclusive.
 */
import type { CheckResult } from '../../reports/report.js';

/** A target may close an idle connection at the moment when a request is sent. */
const mostUnnoticedResends = 1;
const mostResends = 5;

/** The greatest share of the cases of a check that a lagging copy explains, and the number that is always explained. */
const mostLagging = { share: 0.05, cases: 1 };

/** Counts of a run. */
export interface SentRequests {
  readonly requests: number;
  /** How many of them were sent again because there was no complete response, or because of a rate limit. */
  readonly resends: { readonly broken: number; readonly limited: number };
  readonly limit?: LearnedLimit | undefined;
  /** How many requests only something between has answered, and with what, such as `502 from something between`. */
  readonly between?: { readonly count: number; readonly by: string } | undefined;
}

/** A limit on requests, of the target or of a gateway before it. */
export interface LearnedLimit {
  /** The status of a refusal. */
  readonly status: number;
  /** Who has sent it, such as `nginx/1.22.1`. */
  readonly server: string | undefined;
  /** The number of requests in a second that were answered while the limit was felt. */
  readonly perSecond: number;
  /** How long requests waited because of it. */
  readonly heldMs: number;
}

export function judgeSecondChances(
  results: readonly CheckResult[],
  { requests, resends, limit, between }: SentRequests,
): { results: CheckResult[]; warnings: string[] } {
  const resent = `${resends.broken} of ${requests} requests got no complete response, or a 502, 503 or 504, and were sent again`;
  const doubt = ({ outcome, cases, resends: own = 0, lagging = 0 }: CheckResult): string | undefined => {
    if (outcome !== 'pass') return undefined;
    if (own > 0 && resends.broken > mostResends) {
      return `The check passes, but ${own} of its requests had to be sent again. In the run, ${resent}.`;
    }
    if (lagging > Math.max(mostLagging.cases, mostLagging.share * cases)) {
      return `The check passes, but ${lagging} of ${cases} cases held only when they were tried again. That is more often than a copy should lag behind.`;
    }
    return undefined;
  };
  return {
    results: results.map((result) => {
      const reason = doubt(result);
      return reason === undefined ? result : { ...result, outcome: 'inconclusive', reason };
    }),
    warnings: [
      ...(resends.broken > mostUnnoticedResends ? [`${resent}${list(results, 'resends')}.`] : []),
      ...(between ? [`${between.count} of ${requests} requests got ${between.by}.`] : []),
      ...(limit ? [describeLimit(limit, resends.limited)] : []),
      ...(results.some(({ lagging }) => lagging)
        ? [
            `Some cases failed, and held when they were tried again later, as if a copy had lagged behind${list(results, 'lagging')}.`,
          ]
        : []),
    ],
  };
}

function describeLimit({ status, server, perSecond, heldMs }: LearnedLimit, refusals: number): string {
  const by = server === undefined ? '' : `, \`Server: ${server}\``;
  const seconds = Math.round(heldMs / 1000);
  const kept =
    seconds > 0
      ? ` The run kept below the limit, at about ${Math.round(perSecond)} requests a second, and ${seconds} s of its time are those of the limit.`
      : '';
  return `The target, or something before it, limits requests: it answered ${refusals} with ${status}${by}, and got ${refusals === 1 ? 'it' : 'them'} again.${kept}`;
}

function list(results: readonly CheckResult[], count: 'resends' | 'lagging'): string {
  const concerned = results
    .filter((result) => result[count])
    .map((result) => `${result.id} (${result[count]})`);
  return concerned.length === 0 ? '' : `: ${concerned.join(', ')}`;
}
