/** Faults in what the parameters change in the modes that wait. */
import { waitingModes } from '../../oracle/allowed-rows.js';
import {
  changeFeedQuery,
  ignoreNow,
  type FeedRequest,
  type Mode,
  type Query,
} from '../shared/feeds.faults.js';
import { changeEachRowText, changeOpenFeed, changeRowText } from '../shared/open-feeds.faults.js';
import { faultsOf, type RuleFault } from '../shared/components.faults.js';
import { unseen } from '../shared/unseen.js';

/** A parameter with the value that the server uses instead of that in the request. */
interface Ignored {
  readonly values: Partial<Query>;
  readonly notInTraffic?: string;
  /** By the mode: see {@link RuleFault}. */
  readonly knownIn?: { readonly [mode in Mode]?: readonly string[] };
}

const attachments: Ignored = { values: { attachments: false } };
const conflicts: Ignored = { values: { conflicts: false } };
const style: Ignored = { values: { style: 'main_only' } };

const ignored: readonly Ignored[] = [
  attachments,
  { values: { att_encoding_info: false }, notInTraffic: unseen.stored },
  {
    values: { descending: false },
    notInTraffic: unseen.position,
    // PouchDB Server ignores descending in continuous mode.
    knownIn: { continuous: ['pouchdb-server-4'] },
  },
  { values: { include_docs: false } },
  conflicts,
];

/** @param when what the summary adds if the fault affects only some requests */
const ignoring = (
  idPrefix: string,
  mode: Mode,
  { values, notInTraffic, knownIn }: Ignored,
  when = '',
  isAffected?: (request: FeedRequest) => boolean,
): RuleFault => {
  const name = Object.keys(values)[0]!;
  return {
    id: `${idPrefix}-ignores-${name.replaceAll('_', '-')}`,
    rule: 'feed-parameters-in-every-mode',
    summary: `The server ignores ${name} in ${mode} mode${when}.`,
    ...(notInTraffic !== undefined && { notInTraffic }),
    ...(knownIn?.[mode] && { knownIn: knownIn[mode] }),
    replace: changeFeedQuery(mode, values, isAffected),
  };
};

const isFiltered = ({ query }: FeedRequest): boolean => query.filter !== undefined;
const isFromNow = ({ query }: FeedRequest): boolean => query.since === 'now';
const isResumed = ({ query: { since } }: FeedRequest): boolean => since !== '0' && since !== 'now';

const ignoredParameters: readonly RuleFault[] = [
  ...waitingModes.flatMap((mode) => [...ignored, style].map((parameter) => ignoring(mode, mode, parameter))),
  // The rules of filters cover `style`.
  ...ignored.map((parameter) =>
    ignoring('filtered', 'normal', parameter, ' if the request has a filter', isFiltered),
  ),
  ...(
    [
      ['longpoll', { ...style, notInTraffic: unseen.rare }],
      ['continuous', { ...conflicts, notInTraffic: unseen.rare }],
      ['eventsource', attachments],
    ] as const
  ).map(([mode, parameter]) =>
    ignoring(`${mode}-from-now`, mode, parameter, ' if the request has since=now', isFromNow),
  ),
];

const filtersOfWinners = waitingModes.map((mode): RuleFault => ({
  id: `${mode}-filters-winners`,
  rule: 'feed-parameters-in-every-mode',
  summary: `The server ignores style=all_docs in ${mode} mode if the request has a filter.`,
  replace: changeFeedQuery(mode, { style: 'main_only' }, isFiltered),
}));

export const feedParametersFaults: readonly RuleFault[] = [
  ...faultsOf({
    'feed-parameters-in-every-mode': {
      'since-ignores-conflicts': {
        summary: 'The server ignores conflicts in normal mode if since is neither 0 nor now.',
        notInTraffic: unseen.rare,
        replace: changeFeedQuery('normal', { conflicts: false }, isResumed),
      },
      'filtered-ignores-include-docs-with-heartbeat': {
        summary:
          'The server ignores include_docs in normal mode if the request has a filter and a heartbeat.',
        notInTraffic: unseen.rare,
        replace: changeFeedQuery('normal', ({ query: { filter, heartbeat } }) =>
          filter === undefined || heartbeat === undefined ? {} : { include_docs: false },
        ),
      },
      'since-ignored-with-timeout': {
        summary:
          'The server ignores a since other than 0 and now in a request for normal mode with a timeout.',
        notInTraffic: unseen.position,
        replace: changeFeedQuery('normal', ({ query: { since, timeout } }) =>
          timeout === undefined || since === 'now' ? {} : { since: '0' },
        ),
      },
      'since-now-ignored-with-heartbeat': {
        summary: 'The server ignores since=now in a request for normal mode with a heartbeat.',
        notInTraffic: unseen.position,
        replace: ignoreNow('normal', ({ heartbeat }) => heartbeat !== undefined),
      },
      'continuous-attachments-of-post-ignored': {
        summary: 'The server ignores attachments in POST requests for continuous mode.',
        replace: changeFeedQuery('continuous', { attachments: false }, ({ method }) => method === 'POST'),
      },
      'eventsource-descending-oldest': {
        summary: 'The server sends the oldest changes in an event stream with descending=true and limit.',
        notInTraffic: unseen.position,
        replace: changeFeedQuery('eventsource', ({ query }) =>
          query.limit === undefined ? {} : { descending: false },
        ),
      },
      'continuous-resumed-ignores-limit': {
        summary: 'The server ignores limit in continuous mode if since is neither 0 nor now.',
        // PouchDB Server ignores limit in continuous mode, whatever since is.
        knownIn: ['pouchdb-server-4'],
        replace: changeFeedQuery('continuous', { limit: undefined }, isResumed),
      },
      'longpoll-filtered-ascending': {
        summary: 'The server ignores descending in a long poll with a filter.',
        notInTraffic: unseen.position,
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
        notInTraffic: unseen.rare,
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
        notInTraffic: unseen.rare,
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
