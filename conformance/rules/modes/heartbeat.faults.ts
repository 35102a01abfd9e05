/** Faults in heartbeats. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { httpError } from '../../../reference/index.js';
import { combine, faultsOf, replaceFunction, type Replace } from '../shared/components.faults.js';
import { changeFeedQuery, replaceFeedHandlers, type Mode, type Query } from '../shared/feeds.faults.js';
import { abortAfter, changeFraming, modeOf, omitHeartbeats, scaleWait } from '../shared/open-feeds.faults.js';
import { unseen } from '../shared/unseen.js';

const skipHeartbeatsBeforeRows = omitHeartbeats('continuous', ({ hasRows }) => !hasRows);

/** Ignores the heartbeat of some requests for a mode. */
const ignoreHeartbeat = (mode: Mode, isIgnored: (query: Query) => boolean): Replace =>
  changeFeedQuery(mode, { heartbeat: undefined }, ({ query }) => isIgnored(query));

/** Reads heartbeat=true in requests for a mode as a number of milliseconds. */
const readTrueAs = (mode: Mode, heartbeat: number): Replace =>
  changeFeedQuery(mode, { heartbeat }, ({ query }) => query.heartbeat === true);

export const heartbeatFaults = faultsOf({
  'heartbeat-lines': {
    'heartbeats-only-between-rows': {
      summary: 'The server sends no heartbeat before the first row of a continuous feed.',
      notInTraffic: unseen.slow,
      replace: skipHeartbeatsBeforeRows,
    },
    'headers-with-first-row': {
      summary: 'The server sends neither headers nor heartbeats before the first row of a continuous feed.',
      notInTraffic: unseen.slow,
      replace: combine(
        skipHeartbeatsBeforeRows,
        replaceFunction('openFeed', async (original, feed) => {
          const body = await original(feed);
          if (modeOf(feed) === 'continuous') await once(body as Readable, 'readable');
          return body;
        }),
      ),
    },
    'heartbeat-not-with-filter': {
      summary: 'The server sends no heartbeats in a continuous feed with a filter.',
      notInTraffic: unseen.slow,
      replace: changeFraming('continuous', ({ heartbeat }, { filter }) => ({
        heartbeat: filter ? '' : heartbeat,
      })),
    },
    'heartbeat-not-with-function': {
      summary: 'The server sends no heartbeats in a long poll with a filter function.',
      notInTraffic: unseen.rare,
      replace: changeFeedQuery('longpoll', ({ query: { filter = '', heartbeat } }) =>
        heartbeat !== undefined && filter.includes('/') ? { heartbeat: 60_000 } : {},
      ),
    },
    'heartbeat-slow-with-selector': {
      summary: 'The server sends heartbeats of a continuous feed with a selector after twice the interval.',
      notInTraffic: unseen.slow,
      replace: changeFeedQuery('continuous', ({ query: { filter, heartbeat } }) =>
        filter === '_selector' ? { heartbeat: 2 * Number(heartbeat) } : {},
      ),
    },
    'heartbeat-slow': {
      summary: 'The server sends heartbeats of a long poll after twice the requested interval.',
      notInTraffic: unseen.slow,
      replace: scaleWait('longpoll', 'heartbeat', 2),
    },
    'heartbeat-fast': {
      summary: 'The server sends heartbeats of a continuous feed after half of the requested interval.',
      notInTraffic: unseen.slow,
      replace: scaleWait('continuous', 'heartbeat', 0.5),
    },
    'heartbeats-ten': {
      summary: 'The server sends ten heartbeats of a long poll and no more.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('longpoll', ({ heartbeats }) => heartbeats > 10),
    },
    'heartbeat-first-late': {
      summary: 'The server sends the first heartbeat of a long poll after five intervals.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('longpoll', ({ heartbeats }) => heartbeats < 5),
    },
    'heartbeat-late-after-row': {
      summary: 'The server sends the first heartbeat after a row of a continuous feed after five intervals.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('continuous', ({ sinceRow, hasRows }) => hasRows && sinceRow < 5),
    },
    'heartbeat-every-third-missing': {
      summary: 'The server omits every third heartbeat of a continuous feed.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('continuous', ({ heartbeats }) => heartbeats % 3 === 0),
    },
  },
  'heartbeat-overrides': {
    'heartbeat-longer-than-timeout': {
      summary: 'The server ends a continuous feed at a timeout that is shorter than the heartbeat interval.',
      replace: ignoreHeartbeat(
        'continuous',
        ({ timeout = Infinity, heartbeat }) => timeout < Number(heartbeat),
      ),
    },
    'heartbeat-forgotten-by-timeout': {
      summary: 'The server ends a long poll at a timeout that is longer than the heartbeat interval.',
      replace: ignoreHeartbeat('longpoll', ({ timeout = 0, heartbeat }) => timeout > Number(heartbeat)),
    },
    'heartbeat-overridden-in-eventsource': {
      summary: 'The server ends an event stream with a heartbeat at its timeout.',
      replace: ignoreHeartbeat('eventsource', ({ timeout }) => timeout !== undefined),
    },
    'heartbeat-not-with-limit': {
      summary: 'The server ignores the heartbeat of an event stream with limit.',
      replace: ignoreHeartbeat('eventsource', ({ limit }) => limit !== undefined),
    },
    'heartbeat-not-over-default': {
      summary: 'The server ends a feed with a heartbeat at the default timeout.',
      notInTraffic: unseen.slow,
      replace: replaceFeedHandlers((original, request) => {
        const { query, context } = request;
        if (query.feed === 'normal' || query.heartbeat === undefined || query.timeout !== undefined)
          return original(request, context);
        const stopping = abortAfter(context.settings.changesTimeout, context.stopping);
        return original(request, { ...context, stopping });
      }),
    },
  },
  'heartbeat-true': {
    'heartbeat-true-is-none': {
      summary: 'The server ignores heartbeat=true in a long poll.',
      replace: ignoreHeartbeat('longpoll', ({ heartbeat }) => heartbeat === true),
    },
    'heartbeat-true-by-post-only': {
      summary: 'The server ignores heartbeat=true in a GET request for a continuous feed.',
      replace: changeFeedQuery('continuous', ({ method, query: { heartbeat } }) =>
        method === 'GET' && heartbeat === true ? { heartbeat: undefined } : {},
      ),
    },
    'heartbeat-true-refused': {
      summary: 'The server rejects heartbeat=true for an event stream.',
      replace: changeFeedQuery('eventsource', ({ query: { heartbeat } }) => {
        if (heartbeat === true) throw httpError(400, 'bad_request', 'heartbeat must be a number');
        return {};
      }),
    },
    'heartbeat-true-is-a-second': {
      summary: 'The server sends heartbeats of a continuous feed every second for heartbeat=true.',
      notInTraffic: unseen.slow,
      replace: readTrueAs('continuous', 1000),
    },
    'heartbeat-true-is-five-seconds': {
      summary: 'The server sends heartbeats of an event stream every five seconds for heartbeat=true.',
      notInTraffic: unseen.slow,
      replace: readTrueAs('eventsource', 5000),
    },
    'heartbeat-true-is-35-seconds': {
      summary: 'The server sends heartbeats of a long poll every 35 seconds for heartbeat=true.',
      notInTraffic: unseen.slow,
      isSlow: true,
      replace: readTrueAs('longpoll', 35_000),
    },
    'heartbeat-true-is-an-hour': {
      summary: 'The server sends heartbeats of a continuous feed every hour for heartbeat=true.',
      notInTraffic: unseen.slow,
      isSlow: true,
      replace: readTrueAs('continuous', 3_600_000),
    },
  },
  'eventsource-heartbeat': {
    'eventsource-heartbeat-comment': {
      summary: 'The server sends a comment as a heartbeat of an event stream.',
      notInTraffic: unseen.rare,
      replace: changeFraming('eventsource', () => ({ heartbeat: ': heartbeat\n\n' })),
    },
    'eventsource-heartbeat-message': {
      summary: 'The server sends a message without data before each heartbeat of an event stream.',
      notInTraffic: unseen.rare,
      replace: changeFraming('eventsource', ({ heartbeat }) => ({ heartbeat: `data: \n\n${heartbeat}` })),
    },
    'eventsource-heartbeat-not-with-view': {
      summary: 'The server sends no heartbeats in an event stream by POST with a view as filter.',
      notInTraffic: unseen.rare,
      replace: changeFeedQuery('eventsource', ({ method, query: { filter, heartbeat } }) =>
        heartbeat !== undefined && method === 'POST' && filter === '_view' ? { heartbeat: 60_000 } : {},
      ),
    },
    'eventsource-heartbeat-slow': {
      summary: 'The server sends heartbeats of an event stream after twice the requested interval.',
      notInTraffic: unseen.slow,
      replace: scaleWait('eventsource', 'heartbeat', 2),
    },
    'eventsource-heartbeat-fast': {
      summary: 'The server sends heartbeats of an event stream after half of the requested interval.',
      notInTraffic: unseen.slow,
      replace: scaleWait('eventsource', 'heartbeat', 0.5),
    },
    'eventsource-heartbeats-ten': {
      summary: 'The server sends ten heartbeats of an event stream and no more.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('eventsource', ({ heartbeats }) => heartbeats > 10),
    },
    'eventsource-heartbeat-first-late': {
      summary: 'The server sends the first heartbeat of an event stream after five intervals.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('eventsource', ({ heartbeats }) => heartbeats < 5),
    },
    'eventsource-heartbeat-every-third-missing': {
      summary: 'The server omits every third heartbeat of an event stream.',
      notInTraffic: unseen.slow,
      replace: omitHeartbeats('eventsource', ({ heartbeats }) => heartbeats % 3 === 0),
    },
  },
});
