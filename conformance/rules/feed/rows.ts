/** What the rows of a feed say about the documents (SERVICE 2.6, 4.5, 4.7). */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  absent,
  allowedRow,
  type AllowedRow,
  asObject,
  awaitRows,
  Blocked,
  type CheckContext,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  documentsIn,
  equalTo,
  type Feed,
  feedModes,
  type FeedQuery,
  type FeedRequest,
  forAll,
  histories,
  type JudgedFeed,
  manyChanges,
  manyLeaves,
  must,
  mustMatch,
  newDocument,
  playNew,
  playShared,
  pooled,
  putDocument,
  putLocalDocument,
  readFeed,
  requestFeed,
  requests,
  type RevisionTree,
  type Row,
  type Run,
  sameElements,
  sharedHistories,
  Skip,
  withLiveFeed,
  withQuery,
  writtenMembers,
  aString,
  anObject,
  objectWith,
  onEnd,
  onRow,
  ownDoc,
  type Passed,
  replacedRev,
  unlessReplaced,
} from '../../kit.js';
import {
  mustBeMarked,
  mustContainIds,
  mustHaveOneRowEach,
  mustHaveSameMembers,
  mustHaveSameRows,
} from '../shared/row-assertions.js';
import { leavesBefore, mustListLeaves } from '../shared/passing-leaves.js';
import { mustIncludeStored } from '../shared/stored.js';
import { forSharedHistories, forSharedHistory } from '../shared/shared-histories.js';
import { feedCompleteSince } from '../feed/since.js';
import { feedLocalDocumentsLongpoll } from '../modes/longpoll.js';
import { unseen } from '../shared/unseen.js';
import { feedOneRowFiltered, filteredByContent, filteredById } from '../shared/filtered-paging.js';

/** A property of the feed of a database that is no longer written to, for all histories. */
function forEveryFeed(
  requests: fc.Arbitrary<FeedRequest>,
  verify: (
    feed: Feed,
    state: DatabaseState,
    request: FeedRequest,
    database: DatabaseClient,
  ) => void | Promise<void>,
): Run {
  return forSharedHistories({ request: requests }, async ({ database, state }, { request }) => {
    await verify(await readFeed(database, request), state, request, database);
  });
}

/**
 * A property of every row. Other rules cover rows of unknown documents (feed-nothing-extra), missing rows
 * (feed-complete) and several rows of a document (feed-one-row), of which this function only uses the last.
 */
function forEveryRow(
  requests: fc.Arbitrary<FeedRequest>,
  verify: (row: Row, allowed: AllowedRow, database: DatabaseClient) => void | Promise<void>,
): Run {
  return forEveryFeed(requests, async ({ rows }, state, { query }, database) => {
    for (const [id, row] of new Map(rows.map((row) => [row.id, row]))) {
      const tree = state.get(id);
      if (tree) await verify(row, allowedRow(id, tree, query), database);
    }
  });
}

function docOf({ value, path }: Row): Readonly<Record<string, unknown>> {
  const { doc } = value;
  if (typeof doc === 'object' && doc !== null) return asObject(doc);
  const problem = 'has no doc (see feed-include-docs)';
  throw new Blocked(`${path} ${problem}.`, { obstacle: `A row ${problem}` });
}

function mustListOnlyWinner({ revs, path }: Row, { winner }: AllowedRow): void {
  const what = 'The row of a document does not list only its winning revision';
  mustMatch(what, revs, equalTo([winner]), `${path}.changes`);
}

const lacksLeaves = 'With style=all_docs, a row does not list exactly the leaf revisions of its document';

function mustListAllLeaves({ revs, path }: Row, allowed: AllowedRow): void {
  mustMatch(lacksLeaves, revs, sameElements(allowed.revs), `${path}.changes`);
}

const wrongConflicts = '_conflicts does not list exactly the conflicts of the document';

function mustListConflicts(row: Row, { doc }: AllowedRow): void {
  const { _conflicts: listed = [] } = docOf(row);
  mustMatch(wrongConflicts, listed, sameElements(doc!.conflicts), `${row.path}.doc._conflicts`);
}

/** The row of a document with many leaf revisions. */
async function readManyLeaves(context: CheckContext, query: FeedQuery): Promise<[Row, AllowedRow]> {
  const { database, state } = await playShared(context, manyLeaves);
  const [[id, tree]] = [...state] as [[string, RevisionTree]];
  const { rows } = await readFeed(database, { query });
  const row = rows.find((row) => row.id === id);
  if (!row) throw new Blocked('The feed has no row for the document (see feed-complete).');
  return [row, allowedRow(id, tree, query)];
}

/** Writes an empty document, which the target may refuse. */
async function isStored(database: DatabaseClient, id: string): Promise<boolean> {
  try {
    return (await putDocument(database, id)).has(id);
  } catch (error) {
    if (error instanceof Blocked) return false;
    throw error;
  }
}

/** Some of them are also the ids of documents. */
const localIds = fc.uniqueArray(fc.constantFrom('doc-1', 'a', '_design', 'é'), { minLength: 1 });

export const feedLatest = defineRule('feed-latest', {
  rung: 'feed',
  notInTraffic: unseen.otherWriters,
  checks: {
    // With style=all_docs, the winning revision is listed among the others whichever wins.
    'feed-latest': forEveryRow(requests({ style: undefined }), ({ revs, path }, { winner }) => {
      must(revs.includes(winner), 'The row of a document does not show its current winning revision', {
        path: `${path}.changes`,
        expected: `${winner}, the winning revision`,
        actual: revs,
      });
    }),
  },
});

export const feedComplete = defineRule('feed-complete', {
  rung: 'feed',
  otherRungs: {
    'feed-complete/many': 'write',
    'feed-complete/users': 'basic',
  },
  inTraffic: {
    how: 'by writes',
    part: {
      judged: 'A write that passed has a row in each later feed that must have one.',
      rest: unseen.otherWriters,
    },
    needs: 'single-copy',
  },
  checks: {
    'feed-complete': forEveryFeed(requests(), ({ ids }, state) => {
      const missing = [...state.keys()].find((id) => !ids.includes(id));
      must(missing === undefined, 'The feed has no row for a document', {
        path: '$.results',
        expected: `a row for ${JSON.stringify(missing)}`,
        actual: ids,
      });
    }),

    // Without `limit`, a response has all rows (SERVICE 8).
    'feed-complete/many': forSharedHistory(manyChanges, {}, async ({ database, state }) => {
      const { ids } = await readFeed(database);
      const received = new Set(ids);
      const missing = [...state.keys()].filter((id) => !received.has(id));
      must(missing.length === 0, 'The feed has no row for some of many documents', {
        path: '$.results',
        expected: `${state.size} rows`,
        actual: `${ids.length} rows, none for ${JSON.stringify(missing.slice(0, 3))}`,
      });
    }),

    // The service document shows no longest id, so the target may refuse these documents.
    'feed-complete/long-ids': {
      needs: ['single-copy'],
      run: async (context) => {
        const { database } = await playNew(context, []);
        const longIds = [256, 1000, 4000].map((length) => 'long-'.padEnd(length, 'id-'));
        const stored: string[] = [];
        for (const id of longIds) if (await isStored(database, id)) stored.push(id);
        if (stored.length === 0) throw new Skip('The target refuses documents with a long id.');
        const { ids } = await readFeed(database);
        mustContainIds('The feed has no row for a document with a long id', ids, stored, 0);
      },
    },

    'feed-complete/users': {
      needs: ['users', 'single-copy'],
      run: async (context) => {
        const database = context.openDatabase('_users');
        // The service document does not show who may read this database.
        const { status } = await requestFeed(database);
        if ([401, 403, 404, 405].includes(status))
          throw new Skip('The target does not show the feed of the users database.');
        const { id } = await context.createUser();
        await awaitRows(database, (rows) => rows.some((row) => row.id === id));
        const { ids } = await readFeed(database);
        mustContainIds('The feed of the users database has no row for a user', ids, [id], 0);
      },
    },

    'feed-complete/since': feedCompleteSince,
  },
});

export const feedLocalDocuments = defineRule('feed-local-documents', {
  rung: 'modes',
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-local-documents': forAll(
      fc.record({ locals: localIds, request: requests(), history: histories }),
      async (context, { history, locals, request }) => {
        const { database } = await playNew(context, history);
        const before = await readFeed(database, request);
        for (const local of locals) await putLocalDocument(database, local);
        const { rows } = await readFeed(database, request);
        mustHaveSameRows('A local document changes the rows of the feed', rows, before.rows);
      },
      { cases: { default: 6 } },
    ),

    'feed-local-documents/longpoll': feedLocalDocumentsLongpoll,
  },
});

export const feedNothingExtra = defineRule('feed-nothing-extra', {
  rung: 'feed',
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-nothing-extra': forAll(
      (context) =>
        fc.record({
          history: pooled(context, sharedHistories),
          elsewhere: pooled(context, sharedHistories, 1),
          request: requests(),
        }),
      async (context, { history, elsewhere, request }) => {
        // Another database, with some ids of this one and some of its own, must not affect this feed.
        await playShared(context, elsewhere);
        const { database, state } = await playShared(context, history);
        const { rows } = await readFeed(database, request);
        for (const { id, revs, path } of rows) {
          const tree = state.get(id);
          must(tree !== undefined, 'The feed has a row for a document that is not in the database', {
            path: `${path}.id`,
            expected: 'the id of a document in this database',
            actual: id,
          });
          must(
            revs.every((rev) => tree.has(rev)),
            'The row of a document lists a revision that was never written',
            { path: `${path}.changes`, expected: 'revisions of the document', actual: revs },
          );
        }
      },
    ),
  },
});

export const feedOneRow = defineRule('feed-one-row', {
  rung: 'feed',
  otherRungs: {
    'feed-one-row/limit': 'parameters',
    'feed-one-row/since': 'parameters',
    'feed-one-row/filtered-by-id': 'filters',
    'feed-one-row/filtered-by-content': 'filters',
  },
  inTraffic: {
    needs: 'single-copy',
    feed: onEnd((_, { hasOneCopy, parameters, rows }) => {
      if (!hasOneCopy || parameters.mode !== 'normal') return false;
      mustHaveOneRowEach(rows);
    }),
  },
  checks: {
    'feed-one-row': forEveryFeed(requests(), ({ sent }) => mustHaveOneRowEach(sent)),

    'feed-one-row/limit': forEveryFeed(
      fc
        .record({ request: requests(), limit: fc.integer({ min: 2, max: 8 }) })
        .map(({ request, limit }) => withQuery(request, { limit })),
      ({ sent }) => mustHaveOneRowEach(sent),
    ),

    'feed-one-row/since': {
      needs: ['single-copy'],
      run: forEveryFeed(requests({ descending: undefined }), async ({ rows }, _, request, database) => {
        const row = rows.find(({ seq }) => seq !== undefined && seq !== null);
        if (row) mustHaveOneRowEach((await readFeed(database, withQuery(request, { since: row.seq }))).sent);
      }),
    },

    'feed-one-row/filtered-by-id': filteredById(feedOneRowFiltered),

    'feed-one-row/filtered-by-content': filteredByContent(feedOneRowFiltered),
  },
});

export const feedDeleted = defineRule('feed-deleted', {
  rung: 'feed',
  inTraffic: {
    part: {
      judged:
        'A row never says `deleted: false`, and agrees with its `doc` if it has one, and with an earlier row or the write of its revision.',
      rest: unseen.stored,
    },
    feed: onRow((row, feed) => {
      const doc = ownDoc(row, feed);
      if (row.value.deleted === false || doc !== undefined) mustBeMarked(row, doc?.['_deleted'] === true);
      const known = feed.passed.database?.changes.lastOf(row.id);
      const { rev, isDeleted, startedAt, endedAt } = known ?? {};
      if (feed.parameters.style !== 'main_only' || rev !== row.revs[0] || isDeleted === undefined) return;
      unlessReplaced(startedAt ?? endedAt!, () => mustBeMarked(row, isDeleted));
    }),
  },
  checks: {
    // Compares with the revision in the row. Whether that is the winning revision is the rule feed-latest.
    'feed-deleted': forEveryFeed(
      fc.oneof(requests({ style: 'main_only' }), requests({ style: undefined })),
      ({ rows }, state) => {
        for (const row of rows) {
          const shown = state.get(row.id)?.get(row.revs[0]!);
          if (shown) mustBeMarked(row, shown.deleted);
        }
      },
    ),
  },
});

export const feedDeletedWinner = defineRule('feed-deleted-winner', {
  rung: 'parameters',
  inTraffic: {
    part: {
      judged:
        'The row of a document is marked as deleted exactly if its `doc` is, where the `doc` must be the winner.',
      rest: unseen.stored,
    },
    feed: onRow((row, { parameters: { style, filter } }) => {
      const { _rev: rev, _deleted: deleted } = asObject(row.value.doc);
      const isShown = typeof rev === 'string' && row.revs.includes(rev);
      if (style !== 'all_docs' || !isShown) return false;
      // The doc may be later than the rest of the row: another leaf may have won since then, if there is one.
      if (deleted === true && (filter !== undefined || row.revs.length > 1)) return false;
      mustBeMarked(row, deleted === true);
    }),
  },
  checks: {
    'feed-deleted-winner': forEveryRow(requests({ style: 'all_docs' }), (row, { deleted }) =>
      mustBeMarked(row, deleted),
    ),
  },
});

export const feedStyleMain = defineRule('feed-style-main', {
  rung: 'parameters',
  inTraffic: {
    part: { judged: 'A row lists one revision.', rest: unseen.stored },
    feed: onRow(({ revs, path }, { parameters }) => {
      if (parameters.style !== 'main_only') return false;
      must(revs.length === 1, 'The row of a document does not list only its winning revision', {
        path: `${path}.changes`,
        expected: 'one revision',
        actual: revs,
      });
    }),
  },
  checks: {
    'feed-style-main': forEveryRow(requests({ style: 'main_only' }), mustListOnlyWinner),

    'feed-style-main/default': forEveryRow(requests({ style: undefined }), mustListOnlyWinner),
  },
});

export const feedStyleAll = defineRule('feed-style-all', {
  rung: 'parameters',
  inTraffic: {
    part: {
      judged:
        'A row lists no revision twice, and, with one copy and no filter, each that earlier and later rows show as a leaf.',
      rest: unseen.stored,
    },
    needs: 'single-copy',
    feed: onRow((row, feed) => {
      const { revs, path } = row;
      const { style, filter } = feed.parameters;
      if (style !== 'all_docs') return false;
      must(new Set(revs).size === revs.length, 'With style=all_docs, a row lists a revision twice', {
        path: `${path}.changes`,
        expected: 'each revision once',
        actual: revs,
      });
      const leaves = filter === undefined ? leavesBefore(row, feed) : undefined;
      const list = { path: `${path}.changes`, listed: revs };
      mustListLeaves(lacksLeaves, row, leaves, list, () => leaves!.at);
    }),
  },
  checks: {
    'feed-style-all': forEveryRow(requests({ style: 'all_docs' }), mustListAllLeaves),

    'feed-style-all/many': async (context) =>
      mustListAllLeaves(...(await readManyLeaves(context, { style: 'all_docs' }))),
  },
});

/**
 * The content of a revision never changes: what a response has of it is what an earlier one had.
 *
 * @param from what showed it before
 * @returns whether it is known
 */
function mustBeAsBefore(
  what: string,
  { passing, database }: Passed,
  { id, document }: { id: string; document: Readonly<Record<string, unknown>> },
  from: readonly ('feed' | 'document')[],
  difference: { path: string; actual: unknown },
): boolean {
  const rev = String(document['_rev']);
  const known = database?.bodyOf(id, rev);
  if (!known || known.from === 'write' || !from.includes(known.from)) return false;
  if ('_deleted' in document || passing.lacksDocuments) return false;
  const isSame = isDeepStrictEqual(writtenMembers(document), known.document);
  unlessReplaced(known.startedAt, () =>
    must(isSame, what, { ...difference, expected: `the content of ${rev}, which never changes` }),
  );
  return true;
}

export const feedIncludeDocs = defineRule('feed-include-docs', {
  rung: 'parameters',
  otherRungs: {
    'feed-include-docs/large': 'modes',
  },
  inTraffic: {
    part: {
      judged:
        'A `doc` is there exactly if it was asked for, and has the id of its row, not a revision that this row has replaced, and the content that other responses have of its revision.',
      rest: unseen.stored,
    },
    feed: onRow((row, feed) => {
      const { value, id, path } = row;
      const { doc } = value;
      const hasDocs = feed.parameters.has('include_docs');
      if (hasDocs === undefined) return false;
      if (!hasDocs) {
        return mustMatch('A row has a doc without include_docs=true', doc, absent, `${path}.doc`);
      }
      const what = 'The doc of a row is not the winning revision as it was written';
      mustMatch(what, doc, anObject, `${path}.doc`);
      mustMatch(what, doc, objectWith({ _id: equalTo(id), _rev: aString }), `${path}.doc`);
      const { _rev: rev } = asObject(doc);
      must(rev !== replacedRev(row, feed), what, {
        path: `${path}.doc._rev`,
        expected: `${row.revs[0]}, which the row lists, and which has replaced it`,
        actual: rev,
      });
      mustBeAsBefore(
        'The doc of a row has another content than an earlier response had of its revision',
        feed.passed,
        { id, document: asObject(doc) },
        ['feed', 'document'],
        { path: `${path}.doc`, actual: doc },
      );
    }),
    response: (passed) => {
      const judged = documentsIn(passed).map((shown) =>
        mustBeAsBefore(
          'A revision has another content than the doc of a row had before',
          passed,
          shown,
          ['feed'],
          // Not the document itself, since evidence may have to be without.
          { path: '$', actual: 'another content' },
        ),
      );
      return judged.includes(true);
    },
  },
  checks: {
    'feed-include-docs': forEveryRow(requests({ include_docs: true }), (row, { doc }, database) =>
      mustIncludeStored(database, row, doc!.fields),
    ),

    // A document that takes many chunks, whose characters may be cut between two of them, in each mode.
    'feed-include-docs/large': {
      waits: 'changes',
      run: async (context) => {
        const body = { text: 'aé漢🔑'.repeat(10_000), last: true };
        const { database, state } = await playNew(context, [newDocument('large', body)]);
        const { fields } = allowedRow('large', state.get('large')!, { include_docs: true }).doc!;
        for (const mode of feedModes) {
          if (!context.target.feed.supports({ query: { feed: mode } })) continue;
          await withLiveFeed(database, { mode, query: { include_docs: true } }, async (feed) => {
            const what = `The ${mode} feed does not return a large document`;
            const isMet = (): boolean => feed.rowArrivals.length > 0;
            await feed.mustMeetInTime(what, { by: feed.sentAt, expected: 'its row', isMet });
            await mustIncludeStored(database, feed.rows[0]!, fields);
          });
        }
      },
    },

    'feed-include-docs/only-when-asked': forEveryFeed(
      fc.oneof(requests({ include_docs: false }), requests({ include_docs: undefined })),
      ({ rows }) => {
        for (const { value, path } of rows) {
          mustMatch('A row has a doc without include_docs=true', value.doc, absent, `${path}.doc`);
        }
      },
    ),
  },
});

/** The conflicts of a doc are the other leaves that are not deleted. Whether a revision is deleted never changes. */
function mustHaveLiveLeaves(row: Row, feed: JudgedFeed): void {
  const { id, revs, path } = row;
  const { passed, parameters, hasOneCopy } = feed;
  const { _rev: winner, _conflicts: conflicts } = asObject(row.value['doc']);
  const known = passed.database;
  if (!known || (conflicts !== undefined && !Array.isArray(conflicts))) return;
  const listed = (conflicts ?? []) as readonly unknown[];
  const list = { path: `${path}.doc._conflicts`, listed };
  const { rev: last, isDeleted, startedAt, endedAt } = known.changes.lastOf(id) ?? {};
  if (isDeleted === true) {
    unlessReplaced(startedAt ?? endedAt!, () =>
      must(!listed.includes(last), wrongConflicts, {
        ...list,
        expected: `not ${last}, which is a deletion`,
        actual: listed,
      }),
    );
  }
  const isOwn = parameters.style === 'all_docs' && hasOneCopy;
  const leaves = isOwn ? { revs, at: passed.passing.seenAt } : leavesBefore(row, feed);
  mustListLeaves(wrongConflicts, row, leaves, list, (rev) =>
    rev === winner ? undefined : known.bodyOf(id, rev)?.startedAt,
  );
}

export const feedConflicts = defineRule('feed-conflicts', {
  rung: 'parameters',
  inTraffic: {
    part: {
      judged:
        '`_conflicts` is there only if it was asked for, lists neither the revision of its `doc` nor the deletion that was written last, and, with one copy, has each other leaf that earlier and later rows show and that is known not to be deleted.',
      rest: unseen.stored,
    },
    needs: 'single-copy',
    feed: onRow((row, feed) => {
      const { value, path } = row;
      const { parameters } = feed;
      const hasDocs = parameters.has('include_docs');
      const hasConflicts = parameters.has('conflicts');
      if (hasDocs === undefined || hasConflicts === undefined) return false;
      if (!hasDocs || !hasConflicts) {
        const what = 'A row has _conflicts without include_docs=true and conflicts=true';
        mustMatch(what, value['_conflicts'], absent, `${path}._conflicts`);
      }
      if (!hasDocs) return hasConflicts;
      const { _rev: winner, _conflicts: listed } = asObject(value['doc']);
      if (!hasConflicts) {
        mustMatch('A doc has _conflicts without conflicts=true', listed, absent, `${path}.doc._conflicts`);
      } else {
        must(
          !Array.isArray(listed) || !listed.includes(winner),
          'A doc lists its own revision in _conflicts',
          {
            path: `${path}.doc._conflicts`,
            expected: 'other revisions',
            actual: listed,
          },
        );
        mustHaveLiveLeaves(row, feed);
      }
    }),
  },
  checks: {
    'feed-conflicts': forEveryRow(requests({ include_docs: true, conflicts: true }), mustListConflicts),

    'feed-conflicts/many': async (context) =>
      mustListConflicts(...(await readManyLeaves(context, { include_docs: true, conflicts: true }))),

    'feed-conflicts/only-when-asked': forEveryFeed(
      fc.oneof(
        requests({ include_docs: true, conflicts: false }),
        requests({ include_docs: true, conflicts: undefined }),
      ),
      ({ rows }) => {
        for (const row of rows) {
          const { _conflicts: listed } = docOf(row);
          const what = 'A doc has _conflicts without conflicts=true';
          mustMatch(what, listed, absent, `${row.path}.doc._conflicts`);
        }
      },
    ),

    'feed-conflicts/needs-include-docs': forSharedHistories(
      { request: requests({ include_docs: undefined, conflicts: true }) },
      async ({ database }, { request }) => {
        const { rows } = await readFeed(database, request);
        const without = await readFeed(database, withQuery(request, { conflicts: undefined }));
        mustHaveSameMembers('Without include_docs, conflicts=true changes the rows', rows, without.rows);
      },
    ),
  },
});
