/** Faults in the default and the maximum of `timeout`. */
import { faultsOf, type Replace } from '../shared/components.faults.js';
import { changeFeedQuery, replaceFeedHandlers, type Mode, type Query } from '../shared/feeds.faults.js';

/** Uses another value of the setting `chttpd/changes_timeout` for some requests. */
const changeSetting = (
  mode: Mode,
  change: (ms: number) => number,
  isAffected: (query: Query) => boolean,
): Replace =>
  replaceFeedHandlers((original, request) => {
    const { query, context } = request;
    if (query.feed !== mode || !isAffected(query)) return original(request, context);
    const { settings } = context;
    const changesTimeout = change(settings.changesTimeout);
    return original(request, { ...context, settings: { ...settings, changesTimeout } });
  });

const fixSetting = (mode: Mode, isAffected: (query: Query) => boolean): Replace =>
  changeSetting(mode, () => 60_000, isAffected);

export const timeoutFaults = faultsOf({
  'timeout-default': {
    'timeout-default-fixed': {
      summary:
        'The server ends a continuous feed without timeout after 60 seconds, whatever the configuration is.',
      replace: fixSetting('continuous', ({ timeout }) => timeout === undefined),
    },
    'timeout-default-halved': {
      summary: 'The server ends a long poll without timeout after half of the configured time.',
      replace: changeFeedQuery('longpoll', ({ query: { timeout }, context: { settings } }) =>
        timeout === undefined ? { timeout: settings.changesTimeout / 2 } : {},
      ),
    },
    'timeout-default-fixed-in-eventsource': {
      summary:
        'The server ends an event stream without timeout after 60 seconds, whatever the configuration is.',
      replace: fixSetting('eventsource', ({ timeout }) => timeout === undefined),
    },
    'timeout-default-doubled-with-filter': {
      summary:
        'The server ends a long poll with a filter and without timeout after twice the configured time.',
      replace: changeSetting(
        'longpoll',
        (ms) => 2 * ms,
        ({ filter, timeout }) => filter !== undefined && timeout === undefined,
      ),
    },
  },
  'timeout-maximum': {
    'timeout-maximum-overflow': {
      summary: 'The server ends a continuous feed at once if its timeout does not fit into 31 bits.',
      replace: changeFeedQuery('continuous', ({ query: { timeout = 0 } }) =>
        timeout >= 2 ** 31 ? { timeout: 1 } : {},
      ),
    },
    'timeout-maximum-five-seconds': {
      summary: 'The server ends an event stream with a timeout of more than the maximum after five seconds.',
      replace: changeFeedQuery('eventsource', ({ query: { timeout = 0 }, context: { settings } }) =>
        timeout > settings.changesTimeout ? { timeout: 5000 } : {},
      ),
    },
    'timeout-maximum-an-hour': {
      summary: 'The server limits the timeout of a long poll to an hour.',
      isSlow: true,
      replace: changeSetting(
        'longpoll',
        () => 3_600_000,
        ({ timeout }) => timeout !== undefined,
      ),
    },
  },
});
