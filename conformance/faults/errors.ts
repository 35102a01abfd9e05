/** Faults in error bodies, and responses that do not match their schema. */
import { type Fault } from '../../reference/index.js';
import { answering, bodyOf } from './shared/components.js';
import { infoOf, isAdmin } from './shared/sessions.js';
import { feeding, type FeedRow } from './shared/feeds.js';

export const errorsFaults: readonly Fault[] = [
  {
    id: 'error-reason-missing',
    rule: 'error-shape',
    summary: 'The error of a conflict with an existing database has no reason.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const { error, reason } = parts.errorBody(boom, dialect);
        return (error === 'file_exists' ? { error } : { error, reason }) as { error: string; reason: string };
      },
    }),
  },
  {
    id: 'error-not-a-string',
    rule: 'error-shape',
    summary: 'The error of a refused login is the status as a number.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const { error, reason } = parts.errorBody(boom, dialect);
        return { error: (error === 'unauthorized' ? 401 : error) as string, reason };
      },
    }),
  },
  {
    id: 'response-user-revision-missing',
    rule: 'response-schema',
    summary: 'The answer to the creation of a user has no revision.',
    replace: answering('putUser', (answer) => ({ ...answer, body: { ...bodyOf(answer), rev: undefined } })),
  },
  {
    id: 'response-login-ok-text',
    rule: 'response-schema',
    summary: 'A login says ok as text.',
    replace: answering('postSession', (answer) => ({ ...answer, body: { ...bodyOf(answer), ok: 'true' } })),
  },
  {
    id: 'response-greeting-vendor-text',
    rule: 'response-schema',
    summary: 'The vendor in the greeting is a text.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: 'docfeed' },
    })),
  },
  {
    id: 'response-session-handlers-text',
    rule: 'response-schema',
    summary: 'To the administrator the handlers are listed in one text.',
    replace: answering('getSession', (answer, context) => {
      const body = bodyOf(answer);
      const authentication_handlers = String(infoOf(body)['authentication_handlers']);
      const info = { ...infoOf(body), authentication_handlers };
      return isAdmin(context) ? { ...answer, body: { ...body, info } } : answer;
    }),
  },
  {
    id: 'response-feed-pending-text',
    rule: 'response-schema',
    summary: 'In the answer to a GET of the feed pending is a text when nothing is pending.',
    replace: feeding(async ({ method, read }) => {
      const feed = await read();
      return method === 'GET' && feed.pending === 0 ? { ...feed, pending: '0' } : feed;
    }),
  },
  {
    id: 'response-feed-changes-bare',
    rule: 'response-schema',
    summary: 'In the answer to a POST to the feed, changes lists bare revisions.',
    replace: feeding(async ({ method, read }) => {
      const feed = await read();
      const bare = (row: FeedRow) => ({ ...row, changes: row.changes.map(({ rev }) => rev) });
      return method === 'POST' ? { ...feed, results: feed.results.map(bare) } : feed;
    }),
  },
];
