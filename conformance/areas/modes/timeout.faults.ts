/** Faults in the default and the maximum of `timeout`. */
import { type Fault, httpError } from '../../../reference/index.js';
import type { Replace } from '../shared/components.faults.js';
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

export const timeoutFaults: readonly Fault[] = [
  {
    id: 'timeout-default-fixed',
    rule: 'timeout-default',
    summary:
      'The server ends a continuous feed without timeout after 60 seconds, whatever the configuration is.',
    replace: fixSetting('continuous', ({ timeout }) => timeout === undefined),
  },
  {
    id: 'timeout-default-halved',
    rule: 'timeout-default',
    summary: 'The server ends a long poll without timeout after half of the configured time.',
    replace: changeFeedQuery('longpoll', ({ query: { timeout }, context: { settings } }) =>
      timeout === undefined ? { timeout: settings.changesTimeout / 2 } : {},
    ),
  },
  {
    id: 'timeout-maximum-fixed',
    rule: 'timeout-maximum',
    summary: 'The server limits the timeout of a long poll to 60 seconds, whatever the configuration is.',
    replace: fixSetting('longpoll', ({ timeout }) => timeout !== undefined),
  },
  {
    id: 'timeout-default-fixed-in-eventsource',
    rule: 'timeout-default',
    summary:
      'The server ends an event stream without timeout after 60 seconds, whatever the configuration is.',
    replace: fixSetting('eventsource', ({ timeout }) => timeout === undefined),
  },
  {
    id: 'timeout-maximum-doubled-in-eventsource',
    rule: 'timeout-maximum',
    summary: 'The server limits the timeout of an event stream to twice the maximum.',
    replace: changeSetting(
      'eventsource',
      (ms) => 2 * ms,
      ({ timeout }) => timeout !== undefined,
    ),
  },
  {
    id: 'timeout-maximum-refused',
    rule: 'timeout-maximum',
    summary: 'The server rejects a timeout of a continuous feed that exceeds the maximum.',
    replace: changeFeedQuery('continuous', ({ query: { timeout = 0 }, context: { settings } }) => {
      if (timeout > settings.changesTimeout)
        throw httpError(400, 'bad_request', `timeout must not exceed ${settings.changesTimeout}`);
      return {};
    }),
  },
  {
    id: 'timeout-default-doubled-with-filter',
    rule: 'timeout-default',
    summary: 'The server ends a long poll with a filter and without timeout after twice the configured time.',
    replace: changeSetting(
      'longpoll',
      (ms) => 2 * ms,
      ({ filter, timeout }) => filter !== undefined && timeout === undefined,
    ),
  },
];
