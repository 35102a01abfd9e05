/** Faults that a continuous feed and an event stream can have. */
import type { RuleId } from '../../../openapi/generated/rules.js';
import { faultsOf, type RuleFault } from './components.faults.js';
import { changeFeedQuery, doubleTimeoutWithFilter, ignoreNow } from './feeds.faults.js';
import {
  limitLifetime,
  loseAfter,
  loseLastOfSeveral,
  neverEndAfterLimitWithFilter,
  scaleWait,
  sendEachDocumentOnce,
} from './open-feeds.faults.js';
import { unseen } from './unseen.js';

/**
 * @param feed what the summaries call a feed of the mode.
 * @param rules the rules of the mode about live changes, `limit` and `timeout`.
 */
export const openModeFaults = (
  mode: 'continuous' | 'eventsource',
  feed: string,
  rules: Readonly<Record<'live' | 'limit' | 'timeout', RuleId>>,
): readonly RuleFault[] => [
  ...faultsOf({
    [rules.live]: {
      [`${mode}-loses-last-of-several`]: {
        summary: `The server loses the last of several changes that occur at once in ${feed}.`,
        replace: loseLastOfSeveral(mode),
      },
      [`${mode}-100-at-once`]: {
        summary: `The server loses all but 100 of the changes that occur at once in ${feed}.`,
        replace: loseAfter(mode, 100),
      },
      [`${mode}-document-once`]: {
        summary: `The server sends each document only once in ${feed}.`,
        replace: sendEachDocumentOnce(mode),
      },
      [`${mode}-now-from-start`]: {
        summary: `The server ignores since=now in ${feed} with include_docs.`,
        replace: ignoreNow(mode, ({ include_docs }) => include_docs === true),
      },
    },
  }),
  ...faultsOf({
    [rules.limit]: {
      [`${mode}-limit-off-by-one`]: {
        summary: `The server sends one row more than limit in ${feed}.`,
        replace: changeFeedQuery(mode, ({ query: { limit } }) =>
          limit === undefined ? {} : { limit: limit + 1 },
        ),
      },
      [`${mode}-limit-one-less`]: {
        summary: `The server sends one row less than a limit of two or more in ${feed}.`,
        notInTraffic: unseen.lackingRows,
        replace: changeFeedQuery(mode, ({ query: { limit = 0 } }) => (limit > 1 ? { limit: limit - 1 } : {})),
      },
      [`${mode}-filtered-limit-endless`]: {
        summary: `The server does not end ${feed} with a filter after a limit of two or more.`,
        notInTraffic: unseen.lackingRows,
        replace: neverEndAfterLimitWithFilter(mode),
      },
    },
  }),
  ...faultsOf({
    [rules.timeout]: {
      [`${mode}-timeout-not-restarted`]: {
        summary: `The server does not restart the timeout of ${feed} after a row.`,
        notInTraffic: unseen.slow,
        replace: limitLifetime(mode, 1),
      },
      [`${mode}-timeout-late`]: {
        summary: `The server ends ${feed} after twice its timeout.`,
        notInTraffic: unseen.slow,
        replace: scaleWait(mode, 'end', 2),
      },
      [`${mode}-filtered-by-post-timeout-late`]: {
        summary: `The server ends ${feed} by POST with a filter function after twice its timeout.`,
        notInTraffic: unseen.rare,
        replace: changeFeedQuery(mode, ({ method, query: { filter = '', timeout } }) =>
          method === 'POST' && filter.includes('/') && timeout !== undefined ? { timeout: 2 * timeout } : {},
        ),
      },
      [`${mode}-filtered-timeout-late`]: {
        summary: `The server ends ${feed} with a filter after twice its timeout.`,
        notInTraffic: unseen.slow,
        replace: doubleTimeoutWithFilter(mode),
      },
    },
  }),
];
