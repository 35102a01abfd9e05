/** Faults in `last_seq` and `pending` of long polls. */
import type { Fault } from '../../../reference/index.js';
import { positionOf } from '../shared/feeds.faults.js';
import { changeFraming, endAtPresent, moveLastSeq } from '../shared/open-feeds.faults.js';

export const longpollPagingFaults: readonly Fault[] = [
  {
    id: 'longpoll-pending-missing',
    rule: 'feed-shape',
    summary: 'The server omits pending from a long poll if nothing is pending.',
    replace: changeFraming('longpoll', ({ end }) => ({
      end: (values) => (values.pending > 0 ? end(values) : end(values).replace(/,"pending":0/, '')),
    })),
  },
  {
    id: 'longpoll-seq-interval-last-seq-null',
    rule: 'feed-shape',
    summary: 'The server sends null as last_seq in a long poll if the last row has no seq.',
    replace: changeFraming('longpoll', (framing, { options }) => {
      if ((options.query.seq_interval ?? 1) === 1) return {};
      let last: unknown;
      return {
        row(json, seq) {
          last = seq;
          return framing.row(json, seq);
        },
        end: (values) => framing.end(last === null ? { ...values, last_seq: null } : values),
      };
    }),
  },
  {
    id: 'longpoll-pending-one-more',
    rule: 'feed-pending',
    summary: 'The server counts the last row of a long poll as pending.',
    replace: changeFraming('longpoll', ({ end }) => ({
      end: (values) => end({ ...values, pending: values.pending + 1 }),
    })),
  },
  {
    id: 'longpoll-pending-zero',
    rule: 'feed-pending',
    summary: 'The server always sends 0 as pending in a long poll.',
    replace: changeFraming('longpoll', ({ end }) => ({ end: (values) => end({ ...values, pending: 0 }) })),
  },
  {
    id: 'longpoll-last-seq-behind',
    rule: 'feed-last-seq',
    summary: 'The server sends the seq of the change before the last row as last_seq in a long poll.',
    replace: moveLastSeq('longpoll', -1),
  },
  {
    id: 'longpoll-last-seq-of-start',
    rule: 'feed-last-seq',
    summary: 'The server sends the start of a long poll as last_seq if a limit ends it.',
    replace: changeFraming('longpoll', ({ end }, { options: { start } }) => ({
      end: (values) => end(values.pending > 0 ? { ...values, last_seq: start.since } : values),
    })),
  },
  {
    id: 'longpoll-awaited-last-seq-ahead',
    rule: 'feed-last-seq',
    summary:
      'The server sends the last_seq of the whole database in a long poll that has waited, with limit.',
    replace: endAtPresent('longpoll', ({ options: { start }, database }) => {
      const { since } = start;
      return since === 'now' || positionOf(since) >= database.position;
    }),
  },
  {
    id: 'longpoll-descending-last-seq-of-first',
    rule: 'feed-last-seq',
    summary: 'The server sends the seq of the first row as last_seq in a long poll with descending=true.',
    replace: changeFraming('longpoll', (framing, { options }) => {
      if (!options.query.descending) return {};
      let first: Parameters<typeof framing.row>[1] | undefined;
      return {
        row(json, seq) {
          first ??= seq;
          return framing.row(json, seq);
        },
        end: (values) => framing.end({ ...values, last_seq: first ?? values.last_seq }),
      };
    }),
  },
];
