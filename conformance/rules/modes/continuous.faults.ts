/** Faults of continuous mode. */
import { changeFeedQuery, positionOf } from '../shared/feeds.faults.js';
import {
  moveLastSeq,
  changeFraming,
  changeOpenFeed,
  changeReads,
  modeOf,
  changeEachRowText,
  changeEnd,
  changeRowText,
  endAtPresent,
  type Feed,
  limitLifetime,
  scaleWait,
} from '../shared/open-feeds.faults.js';
import { openModeFaults } from '../shared/open-modes.faults.js';
import { faultsOf, type Replace, replaceFunction, type RuleFault } from '../shared/components.faults.js';
import { unseen } from '../shared/unseen.js';

/** The number of open continuous feeds of each database. */
const openFeeds = new WeakMap<object, number>();

type Framing = Parameters<Parameters<typeof changeFraming>[1]>[0];

/** Omits the object with `last_seq` unless `hasEnd`, which gets the number of rows before it. */
const endWithRows = (
  hasEnd: (rows: number, options: Feed['options'], values: Parameters<Framing['end']>[0]) => boolean,
): Replace =>
  changeFraming('continuous', ({ end, row }, { options }) => {
    let rows = 0;
    return {
      row: (...change) => {
        rows += 1;
        return row(...change);
      },
      end: (values) => (hasEnd(rows, options, values) ? end(values) : ''),
    };
  });

export const continuousFaults: readonly RuleFault[] = [
  ...faultsOf({
    'continuous-lines': {
      'continuous-comma': {
        summary: 'The server starts lines with a comma from the second row on.',
        replace: changeFraming('continuous', () => ({ separator: ',' })),
      },
      'continuous-heartbeat-null': {
        summary: 'The server sends a line with null as a heartbeat.',
        notInTraffic: unseen.rare,
        replace: changeFraming('continuous', () => ({ heartbeat: 'null\r\n' })),
      },
      'continuous-rows-without-changes': {
        summary: 'The server omits changes from the row of a deletion.',
        replace: changeEachRowText('continuous', (text, { deleted, changes, ...row }) =>
          deleted ? `${JSON.stringify({ ...row, deleted, rev: changes[0]!.rev })}\r\n` : text,
        ),
      },
    },
    'continuous-crlf': {
      'continuous-crlf-first-lines': {
        summary: 'The server ends lines with LF from the fifth row on.',
        replace: changeRowText('continuous', () => {
          let count = 0;
          return (text) => ((count += 1) > 4 ? text.replace('\r\n', '\n') : text);
        }),
      },
      'continuous-crlf-past-only': {
        summary: 'The server ends the rows of changes that occur while the feed is open with LF.',
        replace: changeEachRowText('continuous', (text, _, isLive) =>
          isLive ? text.replace('\r\n', '\n') : text,
        ),
      },
      'continuous-end-lf': {
        summary: 'The server ends the object with last_seq with LF.',
        replace: changeFraming('continuous', ({ end }) => ({
          end: (values) => end(values).replace('\r\n', '\n'),
        })),
      },
    },
    'continuous-behind': {
      'continuous-begins-now': {
        summary: 'The server omits earlier changes from a continuous feed with a heartbeat.',
        replace: changeFeedQuery(
          'continuous',
          { since: 'now' },
          ({ query }) => query.heartbeat !== undefined,
        ),
      },
      'continuous-ends-when-read': {
        summary: 'The server ends a continuous feed with style=all_docs after the earlier changes.',
        replace: changeOpenFeed('continuous', ({ mode, options }) => ({
          mode: options.query.style === 'all_docs' ? { ...mode, waits: 'for rows' } : mode,
        })),
      },
      'continuous-past-row-held': {
        summary: 'The server holds each row of a continuous feed back until the next row.',
        replace: changeRowText('continuous', () => {
          let held = '';
          return (text) => {
            const sent = held;
            held = text;
            return sent;
          };
        }),
      },
    },
    'continuous-live': {
      'continuous-stops-after-heartbeat': {
        summary: 'The server loses the first row after a heartbeat.',
        replace: changeFraming('continuous', ({ row, heartbeat }) => {
          let isAfterHeartbeat = false;
          return {
            get heartbeat() {
              isAfterHeartbeat = true;
              return heartbeat;
            },
            row: (...change) => {
              const text = isAfterHeartbeat ? '' : row(...change);
              isAfterHeartbeat = false;
              return text;
            },
          };
        }),
      },
      'continuous-forgets-feeds': {
        summary:
          'The server returns new changes to only 20 of the continuous feeds that are open for a database.',
        replace: replaceFunction('openFeed', async (original, feed) => {
          if (modeOf(feed) !== 'continuous') return original(feed);
          const { database } = feed;
          const others = openFeeds.get(database) ?? 0;
          openFeeds.set(database, others + 1);
          const body = await original({ ...feed, ...(others >= 20 && changeReads(feed, () => undefined)) });
          if (!Buffer.isBuffer(body))
            body.once('close', () => openFeeds.set(database, openFeeds.get(database)! - 1));
          return body;
        }),
      },
    },
    'continuous-limit': {
      'continuous-resumed-limit-one-more': {
        summary:
          'The server sends one row more than a limit of two or more in a continuous feed since a seq.',
        replace: changeFeedQuery('continuous', ({ query: { since, limit = 0 } }) =>
          positionOf(since) > 0 && limit > 1 ? { limit: limit + 1 } : {},
        ),
      },
      'continuous-limit-past-only': {
        summary: 'The server ignores limit in a continuous feed if there are fewer earlier changes.',
        notInTraffic: unseen.lackingRows,
        replace: changeOpenFeed('continuous', ({ database, options }) => ({
          options:
            database.countChanges({ after: 0, upTo: database.position }) < options.limit
              ? { ...options, limit: Infinity }
              : options,
        })),
      },
      'continuous-end-without-last-seq': {
        summary: 'The server omits last_seq at the end of a continuous feed.',
        replace: changeFraming('continuous', () => ({
          end: ({ pending }) => `${JSON.stringify({ pending })}\r\n`,
        })),
      },
      'continuous-limit-without-end': {
        summary:
          'The server omits the object with last_seq if the limit ends a continuous feed at its last change.',
        replace: endWithRows((rows, { limit }, { pending }) => rows < limit || pending > 0),
      },
      'continuous-timeout-without-end': {
        summary:
          'The server omits the object with last_seq if the timeout ends a continuous feed with limit.',
        replace: endWithRows((rows, { limit }) => rows >= limit),
      },
      'continuous-last-seq-ahead': {
        summary: 'The server sends the last_seq of the next change at the end of a continuous feed.',
        notInTraffic: unseen.position,
        replace: moveLastSeq('continuous', 1),
      },
      'continuous-last-seq-behind': {
        summary:
          'The server sends the seq of the change before the last row as last_seq at the end of a continuous feed.',
        notInTraffic: unseen.position,
        replace: moveLastSeq('continuous', -1),
      },
      'continuous-last-seq-of-start': {
        summary: 'The server sends the start of a continuous feed as last_seq at its end.',
        replace: changeEnd('continuous', (_, { options: { start } }) => ({ last_seq: start.since })),
      },
      'continuous-filtered-last-seq-ahead': {
        summary:
          'The server sends the last_seq of the whole database at the end of a continuous feed with a filter and limit.',
        notInTraffic: unseen.position,
        replace: endAtPresent('continuous', ({ filter }) => filter !== undefined),
      },
    },
    'continuous-timeout': {
      'continuous-timeout-early': {
        summary: 'The server ends a continuous feed after 80 percent of its timeout.',
        notInTraffic: unseen.slow,
        replace: scaleWait('continuous', 'end', 0.8),
      },
      'continuous-timeout-of-lifetime': {
        summary: 'The server ends a continuous feed after three times its timeout, even if there are rows.',
        notInTraffic: unseen.slow,
        replace: limitLifetime('continuous', 3),
      },
      'continuous-timeout-not-with-limit': {
        summary: 'The server ignores the timeout of a continuous feed with limit.',
        notInTraffic: unseen.slow,
        replace: changeFeedQuery('continuous', { timeout: 60_000 }, ({ query: { limit = 0 } }) => limit > 0),
      },
    },
  }),
  ...openModeFaults('continuous', 'a continuous feed', {
    live: 'continuous-live',
    limit: 'continuous-limit',
    timeout: 'continuous-timeout',
  }),
];
