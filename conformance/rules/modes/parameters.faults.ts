/** Faults in what the parameters change in the modes that wait. */
import type { Fault } from '../../../reference/index.js';
import {
  changeFeedQuery,
  ignoreNow,
  waitingModes,
  type FeedRequest,
  type Mode,
  type Query,
} from '../shared/feeds.faults.js';
import { changeEachRowText, changeOpenFeed, changeRowText } from '../shared/open-feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';

/** Parameters with the values that the server uses instead of those in the request. */
const ignored: readonly Partial<Query>[] = [
  { attachments: false },
  { att_encoding_info: false },
  { descending: false },
  { include_docs: false },
  { conflicts: false },
  { style: 'main_only' },
];

/** @param when what the summary adds if the fault affects only some requests */
const ignoring = (
  idPrefix: string,
  mode: Mode,
  values: Partial<Query>,
  when = '',
  isAffected?: (request: FeedRequest) => boolean,
): Fault => {
  const name = Object.keys(values)[0]!;
  return {
    id: `${idPrefix}-ignores-${name.replaceAll('_', '-')}`,
    rule: 'feed-parameters-in-every-mode',
    summary: `The server ignores ${name} in ${mode} mode${when}.`,
    replace: changeFeedQuery(mode, values, isAffected),
  };
};

const isFiltered = ({ query }: FeedRequest): boolean => query.filter !== undefined;
const isFromNow = ({ query }: FeedRequest): boolean => query.since === 'now';
const isResumed = ({ query: { since } }: FeedRequest): boolean => since !== '0' && since !== 'now';

const ignoredParameters: readonly Fault[] = [
  ...waitingModes.flatMap((mode) => ignored.map((values) => ignoring(mode, mode, values))),
  // The rules of filters cover `style`.
  ...ignored
    .filter((values) => !('style' in values))
    .map((values) => ignoring('filtered', 'normal', values, ' if the request has a filter', isFiltered)),
  ...(
    [
      ['longpoll', { style: 'main_only' }],
      ['continuous', { conflicts: false }],
      ['eventsource', { attachments: false }],
    ] as const
  ).map(([mode, values]) =>
    ignoring(`${mode}-from-now`, mode, values, ' if the request has since=now', isFromNow),
  ),
];

const filtersOfWinners = waitingModes.map((mode): Fault => ({
  id: `${mode}-filters-winners`,
  rule: 'feed-parameters-in-every-mode',
  summary: `The server ignores style=all_docs in ${mode} mode if the request has a filter.`,
  replace: changeFeedQuery(mode, { style: 'main_only' }, isFiltered),
}));

export const feedParametersFaults: readonly Fault[] = [
  ...faultsOf({
    'feed-parameters-in-every-mode': {
      'since-ignores-conflicts': {
        summary: 'The server ignores conflicts in normal mode if since is neither 0 nor now.',
        replace: changeFeedQuery('normal', { conflicts: false }, isResumed),
      },
      'filtered-ignores-include-docs-with-heartbeat': {
        summary:
          'The server ignores include_docs in normal mode if the request has a filter and a heartbeat.',
        replace: changeFeedQuery('normal', ({ query: { filter, heartbeat } }) =>
          filter === undefined || heartbeat === undefined ? {} : { include_docs: false },
        ),
      },
      'since-ignored-with-timeout': {
        summary:
          'The server ignores a since other than 0 and now in a request for normal mode with a timeout.',
        replace: changeFeedQuery('normal', ({ query: { since, timeout } }) =>
          timeout === undefined || since === 'now' ? {} : { since: '0' },
        ),
      },
      'since-now-ignored-with-heartbeat': {
        summary: 'The server ignores since=now in a request for normal mode with a heartbeat.',
        replace: ignoreNow('normal', ({ heartbeat }) => heartbeat !== undefined),
      },
      'continuous-attachments-of-post-ignored': {
        summary: 'The server ignores attachments in POST requests for continuous mode.',
        replace: changeFeedQuery('continuous', { attachments: false }, ({ method }) => method === 'POST'),
      },
      'eventsource-descending-oldest': {
        summary: 'The server sends the oldest changes in an event stream with descending=true and limit.',
        replace: changeFeedQuery('eventsource', ({ query }) =>
          query.limit === undefined ? {} : { descending: false },
        ),
      },
      'continuous-resumed-ignores-limit': {
        summary: 'The server ignores limit in continuous mode if since is neither 0 nor now.',
        replace: changeFeedQuery('continuous', { limit: undefined }, isResumed),
      },
      'longpoll-filtered-ascending': {
        summary: 'The server ignores descending in a long poll with a filter.',
        replace: changeFeedQuery('longpoll', { descending: false }, isFiltered),
      },
      'longpoll-awaited-attachments-as-stubs': {
        summary: 'The server ignores attachments for changes that a long poll has waited for.',
        replace: changeOpenFeed('longpoll', ({ database: { position }, rows }) => ({
          rows: rows.with({
            renderRow: (database, change, options) =>
              rows.renderRow(database, change, {
                ...options,
                query: {
                  ...options.query,
                  attachments: options.query.attachments && change.position <= position,
                },
              }),
          }),
        })),
      },
      'longpoll-awaited-second-without-doc': {
        summary: 'The server includes only the document of the first change that a long poll has waited for.',
        replace: changeOpenFeed('longpoll', ({ database: { position }, rows }) => {
          let count = 0;
          return {
            rows: rows.with({
              renderRow(database, change, options) {
                const { doc, ...row } = rows.renderRow(database, change, options);
                if (doc === undefined || (change.position > position && (count += 1) > 1)) return row;
                return { ...row, doc };
              },
            }),
          };
        }),
      },
      'continuous-seq-interval-once': {
        summary: 'The server sends only the seq of the first row in continuous mode with seq_interval.',
        replace: changeRowText('continuous', ({ options }) => {
          const { seq_interval = 1 } = options.query;
          let first = '';
          return (text, row) => {
            if (seq_interval === 1) return text;
            first ||= row.id;
            return row.id === first ? text : `${JSON.stringify({ ...row, seq: null })}\r\n`;
          };
        }),
      },
      'eventsource-live-without-conflicts': {
        summary: 'The server omits conflicts from documents that change while an event stream is open.',
        replace: changeEachRowText('eventsource', (text, { doc, ...row }, isLive) => {
          const { _conflicts, ...rest } = doc ?? {};
          return _conflicts === undefined || !isLive
            ? text
            : text.replace(/^data: .*$/m, () => `data: ${JSON.stringify({ ...row, doc: rest })}`);
        }),
      },
    },
  }),
  ...ignoredParameters,
  ...filtersOfWinners,
];
