/** Faults of filters in feeds that wait for changes. */
import { waitingModes } from '../../oracle/allowed-rows.js';
import { ignoreNow } from '../shared/feeds.faults.js';
import { acceptOnly, changeAccepted, hideMember, isDesign, isLive } from '../shared/filters.faults.js';
import { faultsOf, type RuleFault } from '../shared/components.faults.js';
import { unseen } from '../shared/unseen.js';

/** Filters that the server ignores in one mode. */
const forgotten = [
  { mode: 'longpoll', filter: '_selector' },
  { mode: 'longpoll', filter: '_doc_ids' },
  { mode: 'continuous', filter: '_doc_ids' },
  { mode: 'continuous', filter: '_design' },
  { mode: 'eventsource', filter: '_view', notInTraffic: unseen.rare },
  { mode: 'eventsource', filter: '_selector' },
].map(({ mode, filter, ...missed }): RuleFault => ({
  id: `${mode}-without-${filter.slice(1).replace('_', '-')}`,
  rule: 'filter-in-every-mode',
  summary: `The server ignores the filter ${filter} in ${mode} mode.`,
  ...missed,
  replace: changeAccepted((accepted, _, { query }) =>
    query.feed === mode && query.filter === filter ? accepted.map(() => true) : accepted,
  ),
}));

const ignoringNow = waitingModes.map((mode): RuleFault => ({
  id: `${mode}-filtered-now-from-start`,
  rule: 'filter-in-every-mode',
  summary: `The server ignores since=now in a request with a filter in ${mode} mode.`,
  notInTraffic: unseen.position,
  replace: ignoreNow(mode, ({ filter }) => filter !== undefined),
}));

export const filterModesFaults: readonly RuleFault[] = [
  ...faultsOf({
    'filter-in-every-mode': {
      'live-filter-forgotten': {
        summary: 'The server ignores the filter for changes that occur while a feed is open.',
        replace: changeAccepted((accepted, { head }, { openedAt }) =>
          head.position > openedAt ? accepted.map(() => true) : accepted,
        ),
      },
      'live-deleted-hidden': {
        summary: 'The server hides _deleted from functions and selectors in the modes that wait.',
        notInTraffic: unseen.lackingRows,
        replace: hideMember('_deleted', ({ query }) => query.feed !== 'normal'),
      },
      'live-deleted-kept-back': {
        summary: 'The server omits deletions that occur while a feed with a filter is open.',
        notInTraffic: unseen.lackingRows,
        replace: acceptOnly(
          /./,
          (candidate, { openedAt }) => isLive(candidate) || candidate.head.position <= openedAt,
        ),
      },
      'longpoll-ended-by-rejected': {
        summary:
          'The server sends changes of design documents in a long poll although the filter rejects them.',
        replace: changeAccepted((accepted, candidate, { query }) =>
          query.feed === 'longpoll' && isDesign(candidate) ? accepted.map(() => true) : accepted,
        ),
      },
    },
  }),
  ...forgotten,
  ...ignoringNow,
];
