/** Faults in heartbeats. */
import { type Fault, httpError } from '../../reference/index.js';
import { once } from 'node:events';
import { asking, framed, modeOf, patient } from './shared/open-feeds.js';

const beatingAfterFirstRow = framed('continuous', ({ row, heartbeat }) => {
  let begun = false;
  return {
    get heartbeat() {
      return begun ? heartbeat : '';
    },
    row: (change) => {
      begun = true;
      return row(change);
    },
  };
});

export const heartbeatFaults: readonly Fault[] = [
  {
    id: 'heartbeats-only-between-rows',
    rule: 'heartbeat-lines',
    summary: 'A continuous feed has no heartbeat before its first row.',
    replace: beatingAfterFirstRow,
  },
  {
    id: 'headers-with-first-row',
    rule: 'heartbeat-lines',
    summary: 'The headers of a continuous feed come late, with its first row, and no heartbeat before them.',
    replace: (parts) => {
      const { openFeed } = beatingAfterFirstRow(parts);
      return {
        ...parts,
        async openFeed(feed) {
          const body = await openFeed(feed);
          if (modeOf(feed) === 'continuous') await once(body, 'readable');
          return body;
        },
      };
    },
  },
  {
    id: 'heartbeat-not-with-filter',
    rule: 'heartbeat-lines',
    summary: 'A continuous feed with a filter has no heartbeats.',
    replace: framed('continuous', ({ heartbeat }, { filter }) => ({ heartbeat: filter ? '' : heartbeat })),
  },
  {
    id: 'heartbeat-slow',
    rule: 'heartbeat-lines',
    summary: 'A long poll gets a heartbeat every tenth period.',
    replace: patient('longpoll', 'heartbeat', 10),
  },
  {
    id: 'heartbeat-longer-than-timeout',
    rule: 'heartbeat-overrides',
    summary: 'A timeout that is over before the first heartbeat ends a continuous feed.',
    replace: asking('continuous', ({ query }) =>
      query.timeout !== undefined && query.timeout < Number(query.heartbeat)
        ? { query: { ...query, heartbeat: undefined } }
        : {},
    ),
  },
  {
    id: 'heartbeat-forgotten-by-timeout',
    rule: 'heartbeat-overrides',
    summary: 'A timeout that is longer than the period of heartbeats ends a long poll.',
    replace: asking('longpoll', ({ query }) =>
      query.timeout !== undefined && query.timeout > Number(query.heartbeat)
        ? { query: { ...query, heartbeat: undefined } }
        : {},
    ),
  },
  {
    id: 'heartbeat-overridden-in-eventsource',
    rule: 'heartbeat-overrides',
    summary: 'In event source mode the timeout ends a feed with a heartbeat.',
    replace: asking('eventsource', ({ query }) =>
      query.timeout === undefined ? {} : { query: { ...query, heartbeat: undefined } },
    ),
  },
  {
    id: 'heartbeat-true-is-none',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is as good as no heartbeat in a long poll.',
    replace: asking('longpoll', ({ query }) =>
      query.heartbeat === true ? { query: { ...query, heartbeat: undefined } } : {},
    ),
  },
  {
    id: 'heartbeat-true-by-post-only',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is as good as no heartbeat in a continuous feed, unless by POST.',
    replace: asking('continuous', ({ method, query }) =>
      method === 'GET' && query.heartbeat === true ? { query: { ...query, heartbeat: undefined } } : {},
    ),
  },
  {
    id: 'heartbeat-true-refused',
    rule: 'heartbeat-true',
    summary: 'heartbeat=true is refused for an event stream.',
    replace: asking('eventsource', ({ query }) => {
      if (query.heartbeat === true) {
        throw httpError(400, 'bad_request', 'heartbeat must be a number');
      }
      return {};
    }),
  },
  {
    id: 'eventsource-heartbeat-comment',
    rule: 'eventsource-heartbeat',
    summary: 'A heartbeat is a comment, which clients do not see.',
    replace: framed('eventsource', () => ({ heartbeat: ': heartbeat\n\n' })),
  },
  {
    id: 'eventsource-heartbeat-message',
    rule: 'eventsource-heartbeat',
    summary: 'Beside its event, a heartbeat is a message without data.',
    replace: framed('eventsource', ({ heartbeat }) => ({ heartbeat: `data: \n\n${heartbeat}` })),
  },
  {
    id: 'eventsource-heartbeat-slow',
    rule: 'eventsource-heartbeat',
    summary: 'An event stream gets a heartbeat every tenth period.',
    replace: patient('eventsource', 'heartbeat', 10),
  },
];
