/** What the rows of a feed say of the documents (SERVICE 2.6, 4.5, 4.7). */
import fc from 'fast-check';
import { histories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import { allowedRow, type AllowedRow, type FeedRequest } from '../model/feed.js';
import type { DatabaseState } from '../model/history.js';
import { readFeed, comparableRow, writtenMembers, type Feed, type Row } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { absent, anObject, equalTo, mustMatch, sameElements, satisfying } from '../verdict/matchers.js';
import { Blocked } from '../verdict/outcomes.js';
import { check, forAll, type Check, type Run } from '../check.js';

/** A property of every feed of a database at rest, over all histories and the given requests. */
function forEveryFeed(
  request: fc.Arbitrary<FeedRequest>,
  judge: (feed: Feed, state: DatabaseState, request: FeedRequest) => void,
): Run {
  return forAll(fc.record({ history: histories, request }), async (context, { history, request }) => {
    const { database, state } = await playNew(context, history);
    judge(await readFeed(database, request.query, request.method), state, request);
  });
}

/**
 * A property of every row. Rows of documents that were never written are left to feed-nothing-extra, documents without
 * a row to feed-complete, and of several rows of one document, which feed-one-row judges, only the last counts.
 */
function forEveryRow(
  request: fc.Arbitrary<FeedRequest>,
  judge: (row: Row, allowed: AllowedRow) => void,
): Run {
  return forEveryFeed(request, ({ rows }, state, { query }) => {
    for (const [id, row] of new Map(rows.map((row) => [row.id, row]))) {
      const tree = state.get(id);
      if (tree) judge(row, allowedRow(id, tree, query));
    }
  });
}

type Doc = Readonly<Record<string, unknown>>;

function docOf({ value, path }: Row): Doc {
  const { doc } = value;
  if (typeof doc === 'object' && doc !== null) return doc as Doc;
  throw new Blocked(`${path} has no doc (see feed-include-docs)`);
}

function deletedMustBe(expected: boolean, { value, path }: Row): void {
  const matcher = expected ? equalTo(true) : absent;
  const what = expected
    ? 'The row of a deleted document does not say so'
    : 'A live document is called deleted';
  mustMatch(what, value.deleted, matcher, `${path}.deleted`);
}

function onlyTheWinner({ revs, path }: Row, { winner }: AllowedRow): void {
  mustMatch('The row does not list the winner alone', revs, equalTo([winner]), `${path}.changes`);
}

export const feedRowsChecks: readonly Check[] = [
  check({
    rule: 'feed-latest',
    run: forEveryRow(requests(), ({ revs, path }, { winner }) => {
      const latest = satisfying(`${winner}, the winning revision`, () => revs.includes(winner));
      mustMatch('The row of a document does not show its latest state', revs, latest, `${path}.changes`);
    }),
  }),

  check({
    rule: 'feed-complete',
    run: forEveryFeed(requests(), ({ ids }, state) => {
      const missing = [...state.keys()].find((id) => !ids.includes(id));
      const complete = satisfying(`a row for ${JSON.stringify(missing)}`, () => missing === undefined);
      mustMatch('A document that was written has no row', ids, complete, '$.results');
    }),
  }),

  check({
    rule: 'feed-nothing-extra',
    run: forAll(
      fc.record({ history: histories, elsewhere: histories, request: requests() }),
      async (context, { history, elsewhere, request }) => {
        // The other database is there to show through, with some ids of this one and some of its own.
        await playNew(context, elsewhere);
        const { database, state } = await playNew(context, history);
        const { rows } = await readFeed(database, request.query, request.method);
        for (const { id, revs, path } of rows) {
          const tree = state.get(id);
          const here = satisfying('the id of a document that was written here', () => tree !== undefined);
          mustMatch('A row is of no document of this database', id, here, `${path}.id`);
          const written = satisfying('revisions that the document has', () =>
            revs.every((rev) => tree!.has(rev)),
          );
          mustMatch('A row shows a revision that was never written', revs, written, `${path}.changes`);
        }
      },
    ),
  }),

  check({
    rule: 'feed-one-row',
    run: forEveryFeed(requests(), ({ rows, ids }) => {
      for (const [index, { id, path }] of rows.entries()) {
        const first = satisfying('an id that no earlier row has', () => ids.indexOf(id) === index);
        mustMatch('A document has more than one row', id, first, `${path}.id`);
      }
    }),
  }),

  check({
    rule: 'feed-deleted',
    // Judged by the revision that the row shows: whether it is the right one is for feed-latest to say.
    run: forEveryFeed(
      fc.oneof(requests({ style: 'main_only' }), requests({ style: undefined })),
      ({ rows }, state) => {
        for (const row of rows) {
          const shown = state.get(row.id)?.get(row.revs[0]!);
          if (shown) deletedMustBe(shown.deleted, row);
        }
      },
    ),
  }),

  check({
    rule: 'feed-deleted-winner',
    run: forEveryRow(requests({ style: 'all_docs' }), (row, { deleted }) => deletedMustBe(deleted, row)),
  }),

  check({ rule: 'feed-style-main', run: forEveryRow(requests({ style: 'main_only' }), onlyTheWinner) }),

  check({
    rule: 'feed-style-main',
    what: 'default',
    run: forEveryRow(requests({ style: undefined }), onlyTheWinner),
  }),

  check({
    rule: 'feed-style-all',
    run: forEveryRow(requests({ style: 'all_docs' }), ({ revs, path }, allowed) => {
      mustMatch(
        'The row does not list exactly the leaves',
        revs,
        sameElements(allowed.revs),
        `${path}.changes`,
      );
    }),
  }),

  check({
    rule: 'feed-include-docs',
    run: forEveryRow(requests({ include_docs: true }), ({ value, path }, allowed) => {
      const what = 'The doc is not the winning revision as it was written';
      mustMatch(what, value.doc, anObject, `${path}.doc`);
      mustMatch(what, writtenMembers(value.doc as Doc), equalTo(allowed.doc!.fields), `${path}.doc`);
    }),
  }),

  check({
    rule: 'feed-include-docs',
    what: 'only-when-asked',
    run: forEveryFeed(
      fc.oneof(requests({ include_docs: false }), requests({ include_docs: undefined })),
      ({ rows }) => {
        for (const { value, path } of rows) {
          mustMatch('A row has a doc without include_docs', value.doc, absent, `${path}.doc`);
        }
      },
    ),
  }),

  check({
    rule: 'feed-conflicts',
    run: forEveryRow(requests({ include_docs: true, conflicts: true }), (row, { doc }) => {
      const listed = docOf(row)._conflicts ?? [];
      const what = '_conflicts does not list exactly the live leaves that lose';
      mustMatch(what, listed, sameElements(doc!.conflicts), `${row.path}.doc._conflicts`);
    }),
  }),

  check({
    rule: 'feed-conflicts',
    what: 'only-when-asked',
    run: forEveryFeed(
      fc.oneof(
        requests({ include_docs: true, conflicts: false }),
        requests({ include_docs: true, conflicts: undefined }),
      ),
      ({ rows }) => {
        for (const row of rows) {
          const { _conflicts: listed } = docOf(row);
          mustMatch('A doc has _conflicts without conflicts', listed, absent, `${row.path}.doc._conflicts`);
        }
      },
    ),
  }),

  check({
    rule: 'feed-conflicts',
    what: 'needs-include-docs',
    run: forAll(
      fc.record({ history: histories, request: requests({ include_docs: undefined, conflicts: true }) }),
      async (context, { history, request: { method, query } }) => {
        const { database } = await playNew(context, history);
        const { rows } = await readFeed(database, query, method);
        const without = await readFeed(database, { ...query, conflicts: undefined }, method);
        const what = 'Without include_docs, conflicts changes the rows';
        mustMatch(what, rows.map(comparableRow), sameElements(without.rows.map(comparableRow)), '$.results');
      },
    ),
  }),
];
