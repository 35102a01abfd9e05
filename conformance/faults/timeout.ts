/** Faults in the default and the maximum of timeout. */
import { type Fault, httpError } from '../../reference/index.js';
import { asking } from './shared/open-feeds.js';

export const timeoutFaults: readonly Fault[] = [
  {
    id: 'timeout-default-fixed',
    rule: 'timeout-default',
    summary: 'The default timeout of a continuous feed is 60 seconds whatever the configuration says.',
    replace: asking('continuous', ({ query }) =>
      query.timeout === undefined ? { changesTimeout: 60_000 } : {},
    ),
  },
  {
    id: 'timeout-default-halved',
    rule: 'timeout-default',
    summary: 'Without a timeout a long poll ends after half the time of the configuration.',
    replace: asking('longpoll', ({ query, changesTimeout }) =>
      query.timeout === undefined ? { query: { ...query, timeout: changesTimeout / 2 } } : {},
    ),
  },
  {
    id: 'timeout-maximum-fixed',
    rule: 'timeout-maximum',
    summary: 'The timeout of a long poll may be 60 seconds whatever the configuration says.',
    replace: asking('longpoll', ({ query }) =>
      query.timeout === undefined ? {} : { changesTimeout: 60_000 },
    ),
  },
  {
    id: 'timeout-maximum-refused',
    rule: 'timeout-maximum',
    summary: 'A timeout beyond the maximum is refused in continuous mode.',
    replace: asking('continuous', ({ query: { timeout = 0 }, changesTimeout }) => {
      if (timeout > changesTimeout)
        throw httpError(400, 'bad_request', `timeout must not exceed ${changesTimeout}`);
      return {};
    }),
  },
];
