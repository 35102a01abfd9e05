/** Faults in `last_seq` and `pending` of long polls. */
import { positionOf } from '../shared/feeds.faults.js';
import {
  changeEnd,
  changeFraming,
  endAtPresent,
  moveLastSeq,
  type Feed,
} from '../shared/open-feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';

/** Whether a feed that is being opened waits, because nothing is after its start. */
const waits = ({ options: { start }, database }: Feed): boolean =>
  start.since === 'now' || positionOf(start.since) >= database.position;

export const longpollPagingFaults = faultsOf({
  'feed-shape': {
    'longpoll-pending-missing': {
      summary: 'The server omits pending from a long poll if nothing is pending.',
      replace: changeFraming('longpoll', ({ end }) => ({
        end: (values) => (values.pending > 0 ? end(values) : end(values).replace(/,"pending":0/, '')),
      })),
    },
    'longpoll-seq-interval-last-seq-null': {
      summary: 'The server sends null as last_seq in a long poll if the last row has no seq.',
      replace: changeEnd('longpoll', (_, { options }, seqs) =>
        (options.query.seq_interval ?? 1) !== 1 && seqs.at(-1) === null ? { last_seq: null } : {},
      ),
    },
  },
  'feed-pending': {
    'longpoll-pending-one-more': {
      summary: 'The server counts the last row of a long poll as pending.',
      replace: changeEnd('longpoll', ({ pending }) => ({ pending: pending + 1 })),
    },
    'longpoll-awaited-pending-one-more': {
      summary: 'The server counts the last row of a long poll that has waited as pending.',
      replace: changeFraming('longpoll', ({ end }, feed) =>
        waits(feed) ? { end: (values) => end({ ...values, pending: values.pending + 1 }) } : {},
      ),
    },
    'longpoll-pending-zero': {
      summary: 'The server always sends 0 as pending in a long poll.',
      replace: changeEnd('longpoll', () => ({ pending: 0 })),
    },
  },
  'feed-last-seq': {
    'longpoll-last-seq-behind': {
      summary: 'The server sends the seq of the change before the last row as last_seq in a long poll.',
      replace: moveLastSeq('longpoll', -1),
    },
    'longpoll-last-seq-of-start': {
      summary: 'The server sends the start of a long poll as last_seq if a limit ends it.',
      replace: changeEnd('longpoll', ({ pending }, { options: { start } }) =>
        pending > 0 ? { last_seq: start.since } : {},
      ),
    },
    'longpoll-awaited-last-seq-ahead': {
      summary:
        'The server sends the last_seq of the whole database in a long poll that has waited, with limit.',
      replace: endAtPresent('longpoll', waits),
    },
    'longpoll-descending-last-seq-of-first': {
      summary: 'The server sends the seq of the first row as last_seq in a long poll with descending=true.',
      replace: changeEnd('longpoll', ({ last_seq }, { options }, seqs) =>
        options.query.descending ? { last_seq: seqs.find((seq) => seq !== null) ?? last_seq } : {},
      ),
    },
  },
});
