/** One defect of a server is one cause, with the name of what is wrong: nothing else fails for it. */
import test from 'ava';
import { findCauses } from '../reports/causes.js';
import { runConformance } from './index.js';
import { defects } from './testing/defects.js';
import { admin, referenceServer } from './testing/reference.js';

interface Expected {
  readonly only: readonly string[];
  /** The ids of the checks that fail. */
  readonly failed: readonly string[];
  /** What the target lacks, or the message of a failure. Without one, nothing is wrong. */
  readonly cause?: string;
  /** The ids of some checks that the cause blocks. */
  readonly blocked?: readonly string[];
}

const ofSelectors = (status: number): Expected => ({
  only: ['filter-doc-ids', 'filter-selector/other-parameters', 'filter-all-docs-skip', 'error-selector-*'],
  failed: ['filter-selector/other-parameters'],
  cause: `\`filter=_selector\` is answered with ${status}`,
  blocked: ['error-selector-missing', 'error-selector-invalid'],
});

const ofSessions = (failed: readonly string[]): Expected => ({
  only: [
    'session-shape/*',
    'basic-accepts',
    'basic-rejects/unknown-user',
    'users-create',
    'users-admin-only/anonymous',
    'proxy-handler-required',
  ],
  failed,
  cause: 'every request is an administrator, whatever its credentials',
  blocked: ['basic-accepts', 'users-create'],
});

const ofRepeats = (failed: readonly string[]): Expected => ({
  only: [
    'feed-one-row{,/**}',
    'feed-{limit,pending,paging,last-seq,descending,seq-interval,since-*}{,/**}',
    'longpoll-behind',
    'continuous-behind',
    'eventsource-limit-timeout/limit',
    'feed-parameters-in-every-mode/!(*waiting*)',
    'filter-doc-ids/escaped',
  ],
  failed,
  cause: 'The feed has several rows for one document',
});

const ofCutFeeds = (): Expected => ({
  only: ['feed-complete{,/many}', 'feed-present-state', 'feed-since-excludes/many', 'filter-doc-ids/many'],
  failed: ['feed-complete/many'],
  cause: 'The feed has no row for some of many documents',
  blocked: ['filter-doc-ids/many'],
});

const ofDeletions = (cause: string): Expected => ({
  only: ['feed-deleted*', 'feed-present-state', 'feed-idempotent', 'feed-live-converges/{normal,continuous}'],
  failed: ['feed-deleted', 'feed-deleted-winner'],
  cause,
  blocked: ['feed-present-state'],
});

const expected: Readonly<Record<keyof typeof defects, Expected>> = {
  'a row that comes twice': ofRepeats(['feed-one-row', 'feed-one-row/filtered-by-content']),
  'the last row comes twice': ofRepeats([
    'feed-one-row',
    'feed-one-row/limit',
    'feed-one-row/filtered-by-content',
  ]),
  'a row that comes twice with a filter': ofRepeats(['feed-one-row/filtered-by-content']),
  'feeds are cut at 100 rows': ofCutFeeds(),
  'feeds are cut at 1,000 rows': ofCutFeeds(),
  'no row is marked as deleted': ofDeletions('The row of a deleted document is not marked as deleted'),
  'each row is marked as deleted': ofDeletions('The row of a live document is marked as deleted'),
  'deleted: false': {
    only: ['feed-deleted*', 'feed-row-shape', 'feed-latest', 'feed-present-state'],
    failed: ['feed-deleted', 'feed-deleted-winner'],
    cause: 'The row of a live document has the member deleted, which must be absent there',
  },
  'no edits of losing leaves': {
    only: ['feed-style-all', 'feed-complete', 'feed-present-state', 'feed-idempotent'],
    failed: [],
  },
  'no selectors (404)': ofSelectors(404),
  'no selectors (400)': ofSelectors(400),
  'no deletion keeps its body': {
    only: ['feed-present-state', 'feed-include-docs', 'feed-deleted*', 'filter-all-docs-doc'],
    failed: [],
  },
  'attachments in _bulk_docs are lost': {
    only: ['feed-attachments', 'feed-att-encoding', 'feed-include-docs'],
    failed: [],
    cause: 'The target does not store an attachment as it was written',
  },
  'a member is lost': {
    only: ['feed-present-state', 'feed-include-docs', 'filter-all-docs-doc'],
    failed: [],
    cause: 'The target does not store a document as it was written',
    blocked: ['feed-present-state', 'feed-include-docs', 'filter-all-docs-doc'],
  },
  'everybody is the administrator': ofSessions(['basic-rejects/unknown-user', 'users-admin-only/anonymous']),
  'everybody has the role of an administrator': ofSessions(['users-admin-only/anonymous']),
  'nobody has a name': ofSessions([
    'session-shape/administrator',
    'session-shape/user',
    'users-admin-only/anonymous',
  ]),
  'everybody is the administrator, in a malformed session': {
    only: ['session-shape/anonymous'],
    failed: ['session-shape/anonymous'],
    cause: 'The anonymous session is malformed',
  },
  'no since but 0': {
    only: [
      'feed-seq-any-json',
      'feed-paging',
      'feed-since-*',
      'feed-live-converges/normal',
      'continuous-limit',
    ],
    failed: ['feed-seq-any-json'],
    cause: '`since` is answered with 400',
    blocked: ['feed-paging', 'feed-live-converges/normal', 'continuous-limit'],
  },
};

for (const [name, { only, failed, cause, blocked = [] }] of Object.entries(expected)) {
  test.serial(`the cause has the right name: ${name}`, async (t) => {
    const { url } = await referenceServer(t, {
      dialect: 'couchdb',
      // Without `proxy`, the target must reject the headers of proxies.
      config: { chttpd_auth: { iterations: '10' }, chttpd: { authentication_handlers: 'cookie, default' } },
      components: defects[name as keyof typeof defects],
    });
    const options = { profile: 'smoke', seed: 1, shrinkMs: 0 } as const;
    const { checks } = await runConformance({ urls: [url], admin, only, ...options });
    const causes = findCauses(checks).map(({ lead }) => lead.obstacle ?? lead.counterexample!.message);
    t.deepEqual(causes, cause === undefined ? [] : [cause]);
    const idsOf = (wanted: string): string[] =>
      checks.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []));
    t.deepEqual(idsOf('fail'), failed);
    for (const id of blocked) t.true(idsOf('blocked').includes(id), id);
    t.deepEqual([...idsOf('inconclusive'), ...idsOf('error')], []);
  });
}
