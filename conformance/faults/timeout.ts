/** Faults in the default and the maximum of `timeout`. */
import { type Fault, httpError } from '../../reference/index.js';
import type { Replace } from './shared/components.js';
import { changeFeedQuery, replaceFeedHandlers, type Mode, type Query } from './shared/feeds.js';

/** Ignores the setting `chttpd/changes_timeout` for some requests, and uses 60 seconds. */
const ignoreSetting = (mode: Mode, isAffected: (query: Query) => boolean): Replace =>
  replaceFeedHandlers((original, request) => {
    const { query, context } = request;
    if (query.feed !== mode || !isAffected(query)) return original(request, context);
    return original(request, { ...context, settings: { ...context.settings, changesTimeout: 60_000 } });
  });

export const timeoutFaults: readonly Fault[] = [
  {
    id: 'timeout-default-fixed',
    rule: 'timeout-default',
    summary:
      'The server ends a continuous feed without timeout after 60 seconds, whatever the configuration is.',
    replace: ignoreSetting('continuous', ({ timeout }) => timeout === undefined),
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
    id: 'timeout-default-fixed-in-eventsource',
    rule: 'timeout-default',
    summary:
      'The server ends an event stream without timeout after 60 seconds, whatever the configuration is.',
    replace: ignoreSetting('eventsource', ({ timeout }) => timeout === undefined),
  },
  {
    id: 'timeout-maximum-fixed-in-eventsource',
    rule: 'timeout-maximum',
    summary: 'The server limits the timeout of an event stream to 60 seconds, whatever the configuration is.',
    replace: ignoreSetting('eventsource', ({ timeout }) => timeout !== undefined),
  },
  {
    id: 'timeout-maximum-fixed',
    rule: 'timeout-maximum',
    summary: 'The server limits the timeout of a long poll to 60 seconds, whatever the configuration is.',
    replace: ignoreSetting('longpoll', ({ timeout }) => timeout !== undefined),
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
];
