/** Faults in when normal mode responds. */
import { type Fault } from '../../reference/index.js';
import { setTimeout as wait } from 'node:timers/promises';
import { feeding } from './shared/feeds.js';

/** How long a server waits that should not: longer than the check takes to be sure. */
const stallMs = 3000;

export const feedNormalFaults: readonly Fault[] = [
  {
    id: 'normal-waits-with-heartbeat',
    rule: 'normal-immediate',
    summary: 'With heartbeat, an answer without rows is held back.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.heartbeat !== undefined && feed.results.length === 0) await wait(stallMs);
      return feed;
    }),
  },
  {
    id: 'normal-waits-with-now',
    rule: 'normal-immediate',
    summary: 'With since=now and timeout, the answer waits for a change.',
    replace: feeding(async ({ query, read }) => {
      if (query.since === 'now' && query.timeout !== undefined) await wait(stallMs);
      return read();
    }),
  },
];
