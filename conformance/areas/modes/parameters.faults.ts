/** Faults in what the parameters change in the modes that wait. */
import type { Fault } from '../../../reference/index.js';
import { changeFeedQuery, ignoreNow, type Query, waitingModes } from '../shared/feeds.faults.js';
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

const ignoredParameters = waitingModes.flatMap((mode) =>
  ignored.map((values): Fault => {
    const [name] = Object.keys(values);
    return {
      id: `${mode}-ignores-${name!.replaceAll('_', '-')}`,
      rule: 'feed-parameters-in-every-mode',
      summary: `The server ignores ${name} in ${mode} mode.`,
      replace: changeFeedQuery(mode, () => values),
    };
  }),
);

/** The rules of filters cover `style`. */
const ignoredWithFilters = ignored
  .filter((values) => !('style' in values))
  .map((values): Fault => {
    const [name] = Object.keys(values);
    return {
      id: `filtered-ignores-${name!.replaceAll('_', '-')}`,
      rule: 'feed-parameters-in-every-mode',
      summary: `The server ignores ${name} in normal mode if the request has a filter.`,
      replace: changeFeedQuery('normal', ({ query }) => (query.filter === undefined ? {} : values)),
    };
  });

const ignoredFromNow = (
  [
    ['longpoll', { style: 'main_only' }],
    ['continuous', { conflicts: false }],
    ['eventsource', { attachments: false }],
  ] as const
).map(([mode, values]): Fault => {
  const [name] = Object.keys(values);
  return {
    id: `${mode}-from-now-ignores-${name!}`,
    rule: 'feed-parameters-in-every-mode',
    summary: `The server ignores ${name} in ${mode} mode if the request has since=now.`,
    replace: changeFeedQuery(mode, ({ query }) => (query.since === 'now' ? values : {})),
  };
});

const filtersOfWinners = waitingModes.map((mode): Fault => ({
  id: `${mode}-filters-winners`,
  rule: 'feed-parameters-in-every-mode',
  summary: `The server ignores style=all_docs in ${mode} mode if the request has a filter.`,
  replace: changeFeedQuery(mode, ({ query }) => (query.filter === undefined ? {} : { style: 'main_only' })),
}));

export const feedParametersFaults: readonly Fault[] = [
  ...faultsOf({
    'feed-parameters-in-every-mode': {
      'since-ignores-conflicts': {
        summary: 'The server ignores conflicts in normal mode if since is neither 0 nor now.',
        replace: changeFeedQuery('normal', ({ query: { since } }) =>
          since === '0' || since === 'now' ? {} : { conflicts: false },
        ),
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
        replace: changeFeedQuery('continuous', ({ method }) =>
          method === 'POST' ? { attachments: false } : {},
        ),
      },
      'eventsource-descending-oldest': {
        summary: 'The server sends the oldest changes in an event stream with descending=true and limit.',
        replace: changeFeedQuery('eventsource', ({ query }) =>
          query.limit === undefined ? {} : { descending: false },
        ),
      },
      'continuous-resumed-ignores-limit': {
        summary: 'The server ignores limit in continuous mode if since is neither 0 nor now.',
        replace: changeFeedQuery('continuous', ({ query: { since } }) =>
          since === '0' || since === 'now' ? {} : { limit: undefined },
        ),
      },
      'longpoll-filtered-ascending': {
        summary: 'The server ignores descending in a long poll with a filter.',
        replace: changeFeedQuery('longpoll', ({ query }) =>
          query.filter === undefined ? {} : { descending: false },
        ),
      },
      'longpoll-awaited-attachments-as-stubs': {
        summary: 'The server ignores attachments for changes that a long poll has waited for.',
        replace: changeOpenFeed('longpoll', ({ database: { position }, renderRow }) => ({
          renderRow: (database, change, options) =>
            renderRow(database, change, {
              ...options,
              query: {
                ...options.query,
                attachments: options.query.attachments && change.position <= position,
              },
            }),
        })),
      },
      'longpoll-awaited-second-without-doc': {
        summary: 'The server includes only the document of the first change that a long poll has waited for.',
        replace: changeOpenFeed('longpoll', ({ database: { position }, renderRow }) => {
          let count = 0;
          return {
            renderRow(database, change, options) {
              const { doc, ...row } = renderRow(database, change, options);
              if (doc === undefined || (change.position > position && (count += 1) > 1)) return row;
              return { ...row, doc };
            },
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
  ...ignoredWithFilters,
  ...ignoredFromNow,
  ...filtersOfWinners,
];
