/** Faults in error bodies, and responses that do not match their schema. */
import type { Fault } from '../../reference/index.js';
import { changeBody, replaceFunction } from './shared/components.js';
import { changeFeed, type FeedRow } from './shared/feeds.js';
import { changeSessionInfo, isAdmin } from './shared/sessions.js';

export const responsesFaults: readonly Fault[] = [
  {
    id: 'error-reason-missing',
    rule: 'error-shape',
    summary: 'The server omits the reason if a database exists already.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return (error === 'file_exists' ? { error } : { error, reason }) as { error: string; reason: string };
    }),
  },
  {
    id: 'error-not-a-string',
    rule: 'error-shape',
    summary: 'The server sends the status as a number in the error of a rejected login.',
    replace: replaceFunction('errorBody', (original, ...request) => {
      const { error, reason } = original(...request);
      return { error: (error === 'unauthorized' ? 401 : error) as string, reason };
    }),
  },
  {
    id: 'response-user-revision-missing',
    rule: 'response-schema',
    summary: 'The server omits the revision from the response to the creation of a user.',
    replace: changeBody('putUser', (body) => ({ ...body, rev: undefined })),
  },
  {
    id: 'response-login-ok-text',
    rule: 'response-schema',
    summary: 'The server sends ok as a string in the response to a login.',
    replace: changeBody('postSession', (body) => ({ ...body, ok: 'true' })),
  },
  {
    id: 'response-greeting-vendor-text',
    rule: 'response-schema',
    summary: 'The server sends the vendor in the greeting as a string.',
    replace: changeBody('getRoot', (body) => ({ ...body, vendor: 'docfeed' })),
  },
  {
    id: 'response-session-handlers-text',
    rule: 'response-schema',
    summary: 'The server sends administrators the list of authentication handlers as one string.',
    replace: changeSessionInfo((info, context) =>
      isAdmin(context) ? { authentication_handlers: String(info.authentication_handlers) } : {},
    ),
  },
  {
    id: 'response-feed-pending-text',
    rule: 'response-schema',
    summary: 'The server responds to GET of the feed with pending as a string if nothing is pending.',
    replace: changeFeed(async ({ method, read }) => {
      const feed = await read();
      return method === 'GET' && feed.pending === 0 ? { ...feed, pending: '0' } : feed;
    }),
  },
  {
    id: 'response-feed-changes-bare',
    rule: 'response-schema',
    summary: 'The server responds to POST of the feed with plain revision strings in changes.',
    replace: changeFeed(async ({ method, read }) => {
      const feed = await read();
      const bare = (row: FeedRow) => ({ ...row, changes: row.changes.map(({ rev }) => rev) });
      return method === 'POST' ? { ...feed, results: feed.results.map(bare) } : feed;
    }),
  },
];
