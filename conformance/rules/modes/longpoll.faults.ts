/** Faults of long polling. */
import { faultsOf } from '../shared/components.faults.js';
import { changeFeedQuery, doubleTimeoutWithFilter, positionOf } from '../shared/feeds.faults.js';
import {
  moveLastSeq,
  changeFraming,
  changeOpenFeed,
  endLongPollsAfter,
  changeEachRowText,
  scaleWait,
} from '../shared/open-feeds.faults.js';
import { unseen } from '../shared/unseen.js';

export const longpollFaults = faultsOf({
  'longpoll-waits': {
    'longpoll-woken-by-other-database': {
      summary: 'The server ends a long poll when another database changes.',
      replace: endLongPollsAfter('bulkDocs', (written, own) => written !== own),
    },
    'longpoll-answered-at-heartbeat': {
      summary: 'The server ends a long poll instead of sending a heartbeat.',
      replace: changeOpenFeed('longpoll', ({ idleTimeout }) => ({
        idleTimeout: { ...idleTimeout, then: 'end' },
      })),
    },
    'longpoll-sequence-not-awaited': {
      summary: 'The server waits for changes in a long poll only with since=now.',
      replace: changeFeedQuery('longpoll', { feed: 'normal' }, ({ query }) => query.since !== 'now'),
    },
  },
  'longpoll-delivers': {
    'longpoll-ignores-deletions': {
      summary: 'The server ends a waiting long poll without the row of a deletion.',
      replace: changeEachRowText('longpoll', (text, { deleted }, isLive) => (deleted && isLive ? '' : text)),
    },
    'longpoll-live-without-doc': {
      summary: 'The server omits the documents of changes that a long poll has waited for.',
      replace: changeOpenFeed('longpoll', ({ database: { position }, rows }) => ({
        rows: rows.with({
          renderRow: (database, change, options) => {
            const { doc, ...row } = rows.renderRow(database, change, options);
            return change.position > position || doc === undefined ? row : { ...row, doc };
          },
        }),
      })),
    },
    'longpoll-last-seq-ahead': {
      summary: 'The server sends the last_seq of the next change in a long poll.',
      replace: moveLastSeq('longpoll', 1),
    },
  },
  'longpoll-behind': {
    'longpoll-waits-behind': {
      summary: 'The server ignores earlier changes in a long poll with a heartbeat.',
      notInTraffic: unseen.rare,
      replace: changeFeedQuery('longpoll', { since: 'now' }, ({ query }) => query.heartbeat !== undefined),
    },
    'longpoll-behind-one-row': {
      summary: 'The server sends one row at most in a long poll.',
      replace: changeFeedQuery('longpoll', { limit: 1 }),
    },
  },
  'longpoll-timeout': {
    'longpoll-timeout-early': {
      summary: 'The server ends a long poll after 80 percent of its timeout.',
      notInTraffic: unseen.slow,
      replace: scaleWait('longpoll', 'end', 0.8),
    },
    'longpoll-timeout-late': {
      summary: 'The server ends a long poll after twice its timeout.',
      notInTraffic: unseen.slow,
      replace: scaleWait('longpoll', 'end', 2),
    },
    'longpoll-timeout-last-seq-ahead': {
      summary: 'The server sends the last_seq of the next change at the timeout of a long poll.',
      replace: moveLastSeq('longpoll', 1),
    },
    'longpoll-timeout-without-last-seq': {
      summary: 'The server sends null as last_seq at the timeout of a long poll.',
      replace: changeFraming('longpoll', (framing, { database: { position } }) => ({
        end: (end) => framing.end(positionOf(end.last_seq) === position ? { ...end, last_seq: null } : end),
      })),
    },
    'longpoll-selected-timeout-early': {
      summary: 'The server ends a long poll with a selector after half of its timeout.',
      notInTraffic: unseen.slow,
      replace: changeFeedQuery('longpoll', ({ query: { filter, timeout } }) =>
        filter === '_selector' && timeout !== undefined ? { timeout: timeout / 2 } : {},
      ),
    },
    'longpoll-filtered-timeout-late': {
      summary: 'The server ends a long poll with a filter after twice its timeout.',
      notInTraffic: unseen.slow,
      replace: doubleTimeoutWithFilter('longpoll'),
    },
  },
});
