/** Faults of long polling. */
import { type Fault } from '../../reference/index.js';
import { EventEmitter } from 'node:events';
import { asking, endingAhead, framed, type Handlers, opening, patient, rowsAs } from './shared/open-feeds.js';
import { positionOf } from './shared/feeds.js';

export const longpollFaults: readonly Fault[] = [
  {
    id: 'longpoll-woken-by-other-database',
    rule: 'longpoll-waits',
    summary: 'A long poll is answered when another database changes.',
    replace(parts) {
      const written = new EventEmitter().setMaxListeners(0);
      const { bulkDocs } = parts.handlers;
      const handlers: Handlers = {
        ...parts.handlers,
        async bulkDocs(request, context) {
          const answer = await bulkDocs(request, context);
          written.emit('write', request.params.db);
          return answer;
        },
      };
      const woken = opening('longpoll', ({ database, stopping }) => {
        const other = new AbortController();
        written.on('write', (name) => name !== database.name && other.abort());
        return { stopping: AbortSignal.any([stopping, other.signal]) };
      });
      return woken({ ...parts, handlers });
    },
  },
  {
    id: 'longpoll-answered-at-heartbeat',
    rule: 'longpoll-waits',
    summary: 'A long poll ends when its first heartbeat is due.',
    replace: opening('longpoll', ({ patience }) => ({ patience: { ...patience, then: 'end' } })),
  },
  {
    id: 'longpoll-sequence-not-awaited',
    rule: 'longpoll-waits',
    summary: 'A long poll waits with since=now only.',
    replace: asking('longpoll', ({ query }) =>
      query.since === 'now' ? {} : { query: { ...query, feed: 'normal' } },
    ),
  },
  {
    id: 'longpoll-deaf-to-deletions',
    rule: 'longpoll-delivers',
    summary: 'A waiting long poll is answered without the row of a deletion.',
    replace: rowsAs(
      'longpoll',
      ({ database: { position } }) =>
        (text, { seq, deleted }) =>
          deleted && positionOf(seq) > position ? '' : text,
    ),
  },
  {
    id: 'longpoll-live-without-doc',
    rule: 'longpoll-delivers',
    summary: 'A long poll that had to wait is answered without documents.',
    replace: opening('longpoll', ({ database: { position }, renderRow }) => ({
      renderRow: (...of) => {
        const { doc, ...row } = renderRow(...of);
        return of[1].position > position || doc === undefined ? row : { ...row, doc };
      },
    })),
  },
  {
    id: 'longpoll-last-seq-ahead',
    rule: 'longpoll-delivers',
    summary: 'The last_seq of a long poll is that of the change after the last one.',
    replace: endingAhead('longpoll'),
  },
  {
    id: 'longpoll-waits-behind',
    rule: 'longpoll-behind',
    summary: 'A long poll that is behind waits for one more change when it has a heartbeat.',
    replace: asking('longpoll', ({ query }) =>
      query.heartbeat === undefined ? {} : { query: { ...query, since: 'now' } },
    ),
  },
  {
    id: 'longpoll-behind-one-row',
    rule: 'longpoll-behind',
    summary: 'A long poll that is behind gives one row.',
    replace: asking('longpoll', ({ query }) => ({ query: { ...query, limit: 1 } })),
  },
  {
    id: 'longpoll-timeout-early',
    rule: 'longpoll-timeout',
    summary: 'A long poll ends a fifth before its timeout.',
    replace: patient('longpoll', 'end', 0.8),
  },
  {
    id: 'longpoll-timeout-late',
    rule: 'longpoll-timeout',
    summary: 'A long poll ends after twenty times its timeout.',
    replace: patient('longpoll', 'end', 20),
  },
  {
    id: 'longpoll-timeout-last-seq-ahead',
    rule: 'longpoll-timeout',
    summary: 'The last_seq of a long poll that timed out is that of the next change.',
    replace: endingAhead('longpoll'),
  },
  {
    id: 'longpoll-timeout-without-last-seq',
    rule: 'longpoll-timeout',
    summary: 'A long poll that timed out has a last_seq of null.',
    replace: framed('longpoll', (framing, { database: { position } }) => ({
      end: (end) => framing.end(positionOf(end.last_seq) === position ? { ...end, last_seq: null } : end),
    })),
  },
];
