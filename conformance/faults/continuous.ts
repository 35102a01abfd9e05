/** Faults of continuous mode. */
import { type Fault } from '../../reference/index.js';
import {
  asking,
  endingAhead,
  framed,
  losingTheLast,
  onlyOnce,
  opening,
  patient,
  rowsAs,
  withoutRestart,
} from './shared/open-feeds.js';
import { positionOf } from './shared/feeds.js';

export const continuousFaults: readonly Fault[] = [
  {
    id: 'continuous-comma',
    rule: 'continuous-lines',
    summary: 'From the second row on, lines begin with a comma.',
    replace: framed('continuous', () => ({ separator: ',' })),
  },
  {
    id: 'continuous-heartbeat-null',
    rule: 'continuous-lines',
    summary: 'A heartbeat is a line with null.',
    replace: framed('continuous', () => ({ heartbeat: 'null\r\n' })),
  },
  {
    id: 'continuous-rows-without-changes',
    rule: 'continuous-lines',
    summary: 'The row of a deletion has no list of changes.',
    replace: rowsAs(
      'continuous',
      () =>
        (text, { deleted, changes, ...row }) =>
          deleted ? `${JSON.stringify({ ...row, deleted, rev: changes[0]!.rev })}\r\n` : text,
    ),
  },
  {
    id: 'continuous-crlf-first-lines',
    rule: 'continuous-crlf',
    summary: 'From the fifth row on, lines end in LF.',
    replace: rowsAs('continuous', () => {
      let count = 0;
      return (text) => ((count += 1) > 4 ? text.replace('\r\n', '\n') : text);
    }),
  },
  {
    id: 'continuous-crlf-past-only',
    rule: 'continuous-crlf',
    summary: 'The rows of changes that come while the feed is open end in LF.',
    replace: rowsAs(
      'continuous',
      ({ database: { position } }) =>
        (text, { seq }) =>
          positionOf(seq) > position ? text.replace('\r\n', '\n') : text,
    ),
  },
  {
    id: 'continuous-begins-now',
    rule: 'continuous-behind',
    summary: 'With a heartbeat, a continuous feed begins with what comes.',
    replace: asking('continuous', ({ query }) =>
      query.heartbeat === undefined ? {} : { query: { ...query, since: 'now' } },
    ),
  },
  {
    id: 'continuous-ends-when-read',
    rule: 'continuous-behind',
    summary: 'With all_docs, a continuous feed ends after the changes that are there already.',
    replace: opening('continuous', ({ mode, options }) => ({
      mode: options.allLeaves ? { ...mode, waits: 'for rows' } : mode,
    })),
  },
  {
    id: 'continuous-past-row-held',
    rule: 'continuous-behind',
    summary: 'A row is sent when the next one is there.',
    replace: rowsAs('continuous', () => {
      let held = '';
      return (text) => {
        const sent = held;
        held = text;
        return sent;
      };
    }),
  },
  {
    id: 'continuous-loses-last-of-several',
    rule: 'continuous-live',
    summary: 'Of several changes that come at once, a continuous feed loses the last.',
    replace: losingTheLast('continuous'),
  },
  {
    id: 'continuous-document-once',
    rule: 'continuous-live',
    summary: 'A continuous feed gives each document once.',
    replace: onlyOnce('continuous'),
  },
  {
    id: 'continuous-deaf-after-heartbeat',
    rule: 'continuous-live',
    summary: 'The first row after a heartbeat is lost.',
    replace: framed('continuous', ({ row, heartbeat }) => {
      let deaf = false;
      return {
        get heartbeat() {
          deaf = true;
          return heartbeat;
        },
        row: (change) => {
          const text = deaf ? '' : row(change);
          deaf = false;
          return text;
        },
      };
    }),
  },
  {
    id: 'continuous-limit-off-by-one',
    rule: 'continuous-limit',
    summary: 'A continuous feed gives one row more than limit.',
    replace: asking('continuous', ({ query }) =>
      query.limit === undefined ? {} : { query: { ...query, limit: query.limit + 1 } },
    ),
  },
  {
    id: 'continuous-limit-past-only',
    rule: 'continuous-limit',
    summary: 'A limit that the changes which are there already do not reach is forgotten.',
    replace: opening('continuous', ({ database, options }) => ({
      options:
        database.countChanges({ after: 0, upTo: database.position }) < options.limit
          ? { ...options, limit: Infinity }
          : options,
    })),
  },
  {
    id: 'continuous-end-without-last-seq',
    rule: 'continuous-limit',
    summary: 'The object at the end of a continuous feed has no last_seq.',
    replace: framed('continuous', () => ({ end: ({ pending }) => `${JSON.stringify({ pending })}\r\n` })),
  },
  {
    id: 'continuous-last-seq-ahead',
    rule: 'continuous-limit',
    summary: 'The last_seq at the end of a continuous feed is that of the change after it.',
    replace: endingAhead('continuous'),
  },
  {
    id: 'continuous-timeout-not-restarted',
    rule: 'continuous-timeout',
    summary: 'The timeout of a continuous feed begins with the feed, and no change puts it off.',
    replace: withoutRestart('continuous'),
  },
  {
    id: 'continuous-timeout-early',
    rule: 'continuous-timeout',
    summary: 'A continuous feed ends a fifth before its timeout.',
    replace: patient('continuous', 'end', 0.8),
  },
  {
    id: 'continuous-timeout-late',
    rule: 'continuous-timeout',
    summary: 'A continuous feed ends after twenty times its timeout.',
    replace: patient('continuous', 'end', 20),
  },
];
