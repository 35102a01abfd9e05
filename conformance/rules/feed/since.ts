/** Positions in the feed: `since` must skip earlier changes and must not lose later ones (SERVICE 4.5, 4.7 rules 2 and 3). */
import fc from 'fast-check';
import {
  allSettledOrThrow,
  Blocked,
  changedIds,
  type CheckDefinition,
  type DatabaseState,
  defineRule,
  equalTo,
  type Feed,
  forAll,
  liveHistories,
  manyChanges,
  must,
  mustMatch,
  onRow,
  play,
  playNew,
  playSharedForFilters,
  pooledDesignStages,
  pooledStages,
  putDocument,
  readFeed,
  readFiltered,
  requestFeed,
  requests,
  type Row,
  type Run,
  scenariosOfEachKind,
  supportedFilters,
  toJson,
  unlessReplaced,
  withQuery,
} from '../../kit.js';
import { aroundRow, rowPicks, sampleRows, type RowsAround } from '../shared/resume.js';
import { mustContainIds, mustHaveSameRows, mustNotContainIds } from '../shared/row-assertions.js';
import { forSharedHistories, forSharedHistory } from '../shared/shared-histories.js';
import { unseen } from '../shared/unseen.js';
import { feedSinceResumeFiltered, filteredByContent, filteredById } from '../shared/filtered-paging.js';

/** In ascending order, since the service document does not define the meaning of `since` in a descending feed. */
const ascending = requests({ descending: undefined });

const limits = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined, freq: 2 });

function unchangedIds(before: DatabaseState, after: DatabaseState): Set<string> {
  const changed = changedIds(before, after);
  return new Set([...before.keys()].filter((id) => !changed.has(id)));
}

/** @param at since when it is known that the row comes before the feed; nothing if it is not */
function mustBeNew(what: string, { id, path }: Row, at: number | undefined): void {
  if (at === undefined) return;
  unlessReplaced(at, () =>
    must(false, what, {
      path: `${path}.id`,
      expected: 'no change that an earlier response had there or before',
      actual: id,
    }),
  );
}

interface Position extends RowsAround {
  readonly row: Row;
  /** The documents that were written after the first request. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Resumes from the seqs of several rows, of the current feed or of one before later writes.
 *
 * @param mode of the current feed. A long poll with existing changes does not wait.
 */
function resumingFromRows(
  verify: (resumed: Feed, position: Position) => void,
  mode: 'normal' | 'longpoll' = 'normal',
): Run {
  return forAll(
    (context) =>
      fc.record({
        history: pooledStages(context),
        /** Whether documents are written between the two requests. */
        resumesLater: mode === 'normal' ? fc.boolean() : fc.constant(false),
        request: ascending,
        limit: limits,
        picks: rowPicks,
      }),
    async (context, { history, resumesLater, request, limit, picks }) => {
      const { database, before, feed, after } = await playSharedForFilters(context, history);
      if (mode === 'longpoll' && after.size === 0) return;
      const first = resumesLater ? feed : await readFeed(database, withQuery(request, { feed: mode, limit }));
      const changed = resumesLater ? changedIds(before, after) : new Set<string>();
      await allSettledOrThrow(
        sampleRows(first.rows, picks).map(async (row) => {
          const resumed = await readFeed(database, withQuery(request, { since: row.seq }));
          verify(resumed, { row, ...aroundRow(first, row), changed });
        }),
      );
    },
  );
}

function mustReturnLater({ ids }: Feed, { row, after, changed }: Position): void {
  mustContainIds('Resuming from the seq of a row loses later changes', ids, [...after, ...changed], row.seq);
}

export const feedCompleteSince: CheckDefinition = {
  optional: ['functions'],
  run: forAll(
    (context) => fc.record({ history: pooledStages(context), request: ascending }),
    async (context, { history, request }) => {
      const { database, before, feed, after } = await playSharedForFilters(context, history);
      const since = feed.lastSeq;
      const { ids } = await readFeed(database, withQuery(request, { since }));
      const what = 'The feed has no row for a document that was changed after since';
      mustContainIds(what, ids, changedIds(before, after), since);
    },
  ),
};

export const feedSinceExcludes = defineRule('feed-since-excludes', {
  rung: 'parameters',
  inTraffic: {
    part: {
      judged:
        'In a database with one copy, no response has a row that an earlier response had at or before `since`.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
    feed: onRow((row, { passed: { database: known }, parameters: { since }, hasOneCopy }) => {
      if (!hasOneCopy || since === undefined || !known?.order.placeOf(since)) return false;
      mustBeNew('The feed returns a row from before since', row, known.order.cameBefore(row, since));
    }),
  },
  checks: {
    'feed-since-excludes': {
      needs: ['single-copy'],
      optional: ['functions'],
      run: resumingFromRows(({ rows }, { row, before, changed }) => {
        const unchanged = new Set(before.filter((id) => !changed.has(id)));
        mustNotContainIds('The feed returns a row from before since', rows, unchanged, row.seq);
      }),
    },

    'feed-since-excludes/last-seq': {
      needs: ['single-copy'],
      optional: ['functions'],
      run: forAll(
        (context) => fc.record({ history: pooledStages(context), request: ascending }),
        async (context, { history, request }) => {
          const { database, before, feed, after } = await playSharedForFilters(context, history);
          const what = 'The feed returns a row from before since';
          const later = await readFeed(database, withQuery(request, { since: feed.lastSeq }));
          mustNotContainIds(what, later.rows, unchangedIds(before, after), feed.lastSeq);
          const { lastSeq: since } = await readFeed(database, request);
          const unwritten = await readFeed(database, withQuery(request, { since }));
          mustNotContainIds(what, unwritten.rows, new Set(after.keys()), since);
        },
      ),
    },

    'feed-since-excludes/many': {
      needs: ['single-copy'],
      run: forSharedHistory(manyChanges, {}, async ({ database }) => {
        const first = await readFeed(database);
        for (const index of [-100, -1]) {
          const row = first.rows.at(index);
          if (!row) throw new Blocked('The feed has too few of many rows (see feed-complete).');
          const { rows } = await readFeed(database, { query: { since: row.seq } });
          const before = new Set(aroundRow(first, row).before);
          mustNotContainIds('The feed returns a row from before since', rows, before, row.seq);
        }
      }),
    },
  },
});

export const feedSinceResume = defineRule('feed-since-resume', {
  rung: 'parameters',
  otherRungs: {
    'feed-since-resume/longpoll': 'modes',
    'feed-since-resume/filtered-by-id': 'filters',
    'feed-since-resume/filtered-by-content': 'filters',
  },
  inTraffic: {
    how: 'by writes',
    part: {
      judged: 'A write that passed has a row in each later feed that resumes before it.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
  },
  checks: {
    'feed-since-resume': {
      optional: ['functions'],
      run: resumingFromRows(mustReturnLater),
    },

    'feed-since-resume/longpoll': {
      optional: ['functions'],
      uses: { query: { feed: 'longpoll' } },
      waits: 'changes',
      run: resumingFromRows(mustReturnLater, 'longpoll'),
    },

    'feed-since-resume/filtered-by-id': filteredById(feedSinceResumeFiltered),

    'feed-since-resume/filtered-by-content': filteredByContent(feedSinceResumeFiltered),
  },
});

export const feedSinceDefault = defineRule('feed-since-default', {
  rung: 'parameters',
  notInTraffic: unseen.twoRequests,
  checks: {
    'feed-since-default': forSharedHistories({ request: requests() }, async ({ database }, { request }) => {
      const { rows } = await readFeed(database, request);
      const zero = await readFeed(database, withQuery(request, { since: 0 }));
      mustHaveSameRows('Without since, the feed does not return the rows of since=0', rows, zero.rows);
    }),
  },
});

export const feedSinceNow = defineRule('feed-since-now', {
  rung: 'parameters',
  otherRungs: {
    'feed-since-now/filtered': 'filters',
  },
  inTraffic: {
    part: {
      judged:
        'In a database with one copy, no response to `since=now` has a row that a response had before the request.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
    feed: onRow((row, { passed: { database: known, passing }, parameters: { isFromNow }, hasOneCopy }) => {
      if (!hasOneCopy || !isFromNow) return false;
      const at = known?.order.cameAt(row);
      const isEarlier = at !== undefined && at < passing.startedAt;
      mustBeNew('A feed with since=now returns existing changes', row, isEarlier ? at : undefined);
    }),
    // One that has no row is judged, too.
    feedEnd: ({ parameters: { isFromNow }, hasOneCopy }) => hasOneCopy && isFromNow,
  },
  checks: {
    'feed-since-now': {
      needs: ['single-copy'],
      run: forAll(
        fc.record({ request: ascending, history: liveHistories }),
        async (context, { history, request }) => {
          const { database, state } = await playNew(context, history.before);
          // A feed that starts too early shows this document, since no later write changes it.
          const before = await putDocument(database, 'last before now', state);
          const now = await readFeed(database, withQuery(request, { since: 'now' }));
          mustMatch('A feed with since=now returns existing changes', now.ids, equalTo([]), '$.results');
          mustMatch(
            'A feed with since=now has existing changes pending',
            now.pending,
            equalTo(0),
            '$.pending',
          );
          const after = await play(database, history.during, before);
          const since = now.lastSeq;
          const { rows, ids } = await readFeed(database, withQuery(request, { since }));
          const lost = 'Resuming from the last_seq of since=now loses later changes';
          mustContainIds(lost, ids, changedIds(before, after), since);
          const repeated = 'Resuming from the last_seq of since=now returns earlier changes';
          mustNotContainIds(repeated, rows, unchangedIds(before, after), since);
        },
        { cases: { default: 6 } },
      ),
    },

    'feed-since-now/filtered': {
      needs: ['single-copy'],
      optional: ['functions'],
      run: forAll(
        (context) =>
          fc.record({
            scenario: scenariosOfEachKind(context.target.has('functions'), pooledDesignStages(context)),
            request: ascending,
          }),
        async (context, { scenario, request }) => {
          const { database } = await playSharedForFilters(context, scenario);
          for (const filter of supportedFilters(context, scenario.filters)) {
            const { ids } = await readFiltered(database, withQuery(request, { since: 'now' }), filter);
            const what = 'A feed with since=now and a filter returns existing changes';
            mustMatch(what, ids, equalTo([]), '$.results');
          }
        },
        { cases: { default: 6 } },
      ),
    },
  },
});

export const feedSeqAnyJson = defineRule('feed-seq-any-json', {
  rung: 'parameters',
  notInTraffic: 'A database may be deleted and created again past the proxy, which ends its seqs.',
  checks: {
    'feed-seq-any-json': forSharedHistories(
      { request: ascending, picks: rowPicks },
      async ({ database }, { request, picks }) => {
        const { rows, lastSeq } = await readFeed(database, request);
        const seqs = [...sampleRows(rows, picks).map(({ seq }) => seq), lastSeq];
        await allSettledOrThrow(
          seqs.map(async (since) => {
            const response = await requestFeed(database, withQuery(request, { since }));
            const isFeed = response.status === 200 && Array.isArray(response.object().results);
            must(isFeed, 'The target does not accept a seq that it has returned as since', {
              path: 'since',
              expected: `a feed since ${toJson(since)}`,
              actual: `${response.status} ${response.text.slice(0, 200)}`,
            });
          }),
        );
      },
    ),
  },
});
