/** Faults in when normal mode responds. */
import { setTimeout as wait } from 'node:timers/promises';
import { changeFeed } from '../shared/feeds.faults.js';
import { faultsOf } from '../shared/components.faults.js';

/** Longer than the check waits before it fails. */
const delayMs = 3000;

/** Longer than any run waits. */
const neverMs = 600_000;

export const normalFaults = faultsOf({
  'normal-immediate': {
    'normal-waits-with-heartbeat': {
      summary: 'The server delays a response without rows if the request has a heartbeat.',
      replace: changeFeed(async ({ query, read }) => {
        const feed = await read();
        if (query.heartbeat !== undefined && feed.results.length === 0) await wait(delayMs);
        return feed;
      }),
    },
    'normal-waits-when-empty': {
      summary: 'The server delays a response without rows if the request has no parameters.',
      replace: changeFeed(async ({ sent, read }) => {
        const feed = await read();
        if (sent.size === 0 && feed.results.length === 0) await wait(delayMs);
        return feed;
      }),
    },
    'normal-waits-by-post': {
      summary: 'The server delays a response without rows to a POST.',
      replace: changeFeed(async ({ method, read }) => {
        const feed = await read();
        if (method === 'POST' && feed.results.length === 0) await wait(delayMs);
        return feed;
      }),
    },
    'normal-waits-with-filtered-body': {
      summary: 'The server delays the response to a POST with a filter function and a body that has members.',
      replace: changeFeed(async ({ query, body, read }) => {
        if (query.filter?.includes('/') && Object.keys(body ?? {}).length > 0) await wait(delayMs);
        return read();
      }),
    },
    'normal-never-with-docs': {
      summary: 'The server does not answer a POST with include_docs.',
      replace: changeFeed(async ({ method, query, read }) => {
        if (method === 'POST' && query.include_docs) await wait(neverMs, undefined, { ref: false });
        return read();
      }),
    },
    'normal-waits-with-now': {
      summary: 'The server delays the response to since=now if the request has a timeout.',
      replace: changeFeed(async ({ query, read }) => {
        if (query.since === 'now' && query.timeout !== undefined) await wait(delayMs);
        return read();
      }),
    },
  },
});
