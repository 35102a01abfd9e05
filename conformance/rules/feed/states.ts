/** Reads of the feed between steps that make documents, functions and the whole database anew (SERVICE 4.7, 4.8). */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import {
  allowedRow,
  asObject,
  Blocked,
  type Body,
  changedIds,
  type CheckContext,
  type DatabaseClient,
  type DatabaseState,
  defineRule,
  emptyState,
  equalTo,
  type Feed,
  feedOf,
  type FeedQuery,
  type FeedRequest,
  forAll,
  type History,
  mustMatch,
  mustRespond,
  newDocument,
  play,
  readWinners,
  requestFeed,
  type Row,
  sameElements,
  Violation,
  withQuery,
  type Write,
} from '../../kit.js';
import { recreate } from '../shared/recreate.js';
import { mustIncludeStored } from '../shared/stored.js';
import { unseen } from '../shared/unseen.js';

/** A request for the feed. `again` repeats the one before, if there is one. */
interface Read {
  readonly kind: 'read';
  readonly again: boolean;
  readonly method: FeedRequest['method'];
  readonly query: Pick<FeedQuery, 'style' | 'include_docs' | 'conflicts'>;
  /** How many received `last_seq`s it goes back; undefined starts at the beginning. */
  readonly back?: number;
  /** Whether the filter function of the design document applies. */
  readonly isFiltered: boolean;
}

type Step =
  | Read
  | { readonly kind: 'write'; readonly history: History }
  /** Puts a filter function that accepts documents of another type than before. */
  | { readonly kind: 'function' }
  /** Deletes the database and creates it again. */
  | { readonly kind: 'recreate' };

const types = ['a', 'b'];
const bodies: fc.Arbitrary<Body> = fc.record({ type: fc.constantFrom(...types), value: fc.nat({ max: 3 }) });

/** Few ids, so that the steps meet again. */
const ids = fc.constantFrom('doc-1', 'doc-2', 'doc-3');

const put: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant('put'),
  leaf: fc.nat({ max: 2 }),
  body: bodies,
});
const remove: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant('delete'),
  leaf: fc.nat({ max: 2 }),
  body: bodies,
});
const branch: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant('replicate'),
  parent: fc.nat({ max: 4 }),
  hashDigits: fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 2 }),
  deleted: fc.boolean(),
  body: bodies,
});

const writes: fc.Arbitrary<readonly Write[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(put) },
  { weight: 3, arbitrary: fc.tuple(remove) },
  { weight: 1, arbitrary: fc.tuple(remove, put) },
  { weight: 2, arbitrary: fc.array(branch, { minLength: 2, maxLength: 4 }) },
);

/** More changes than a server may read at once. */
const manyDocuments: History = Array.from({ length: 110 }, (_, index) => ({
  id: `many-${index}`,
  writes: [
    { kind: 'replicate', parent: 0, hashDigits: [index % 16], deleted: index % 5 === 0, body: { type: 'a' } },
  ],
}));

const read: fc.Arbitrary<Read> = fc.record({
  kind: fc.constant('read'),
  again: fc.boolean(),
  method: fc.constantFrom('GET' as const, 'POST' as const),
  query: fc.record(
    {
      style: fc.constantFrom('main_only' as const, 'all_docs' as const),
      include_docs: fc.boolean(),
      conflicts: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  back: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  isFiltered: fc.nat({ max: 3 }).map((roll) => roll === 3),
});

const written = fc
  .record({ id: ids, writes })
  .map(({ id, writes }): Step => ({ kind: 'write', history: [{ id, writes }] }));

const writing = (id: string, ...kinds: ('put' | 'delete')[]): Step => ({
  kind: 'write',
  history: [{ id, writes: kinds.map((kind) => ({ kind, leaf: 0, body: { type: 'a', value: 0 } })) }],
});

const plainRead = read.map((one): Read => ({ ...one, again: false, isFiltered: false, back: undefined }));

/** Writes, new functions, or a new database, each followed by a read; and many changes between two reads. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.tuple(written, read) },
      {
        weight: 4,
        arbitrary: read.map((one): Step[] => {
          const filtered: Step[] = [{ kind: 'function' }, { ...one, again: false, isFiltered: true }];
          return [...filtered, ...filtered];
        }),
      },
      { weight: 3, arbitrary: fc.tuple(fc.constant<Step>({ kind: 'recreate' }), read) },
      // A deletion that a client has seen, of a document that is made again.
      {
        weight: 3,
        arbitrary: fc
          .tuple(ids, plainRead)
          .map(([id, one]): Step[] => [writing(id, 'put', 'delete'), one, writing(id, 'put'), one]),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(written, plainRead)
          .map(([write, one]): Step[] => [
            write,
            one,
            { kind: 'write', history: manyDocuments },
            { ...one, back: 0 },
          ]),
      },
    ),
    { minLength: 5, maxLength: 9, size: 'max' },
  )
  .map((parts) => parts.flat());

const designId = '_design/states';
const filter = 'states/typed';

/** What a database must show, and what was received from it. */
interface Present {
  readonly state: DatabaseState;
  /** The type that the filter function accepts, if there is one. */
  readonly type?: string;
  /** Each `last_seq` received, with the state at that time. */
  readonly received: readonly { readonly seq: unknown; readonly state: DatabaseState }[];
}

const nothing: Present = { state: emptyState, received: [] };

const setFunction = (
  database: DatabaseClient,
  type: string,
  state: DatabaseState,
): Promise<DatabaseState> => {
  const filters = { typed: `function (doc, req) { return doc.type === '${type}'; }` };
  return play(database, [newDocument(designId, { language: 'javascript', filters })], state);
};

/** The request of a step, and the state that its `since` names. */
interface Planned {
  readonly request: FeedRequest;
  readonly since: DatabaseState;
  readonly isFiltered: boolean;
}

function plan(step: Read, { received, type }: Present): Planned {
  const from = step.back === undefined ? undefined : received.at(-1 - step.back);
  const isFiltered = step.isFiltered && type !== undefined;
  const query = {
    ...step.query,
    // Other rules are about filters with `style=all_docs`.
    ...(isFiltered && { style: undefined }),
    ...(from && { since: from.seq }),
    ...(isFiltered && { filter }),
  };
  return { request: { method: step.method, query }, since: from?.state ?? emptyState, isFiltered };
}

async function mustShow(
  database: DatabaseClient,
  { rows, ids }: Feed,
  { request: { query = {} }, since, isFiltered }: Planned,
  { state, type }: Present,
): Promise<void> {
  const expected = [...changedIds(since, state)].flatMap((id) => {
    const tree = state.get(id)!;
    const passing = (rev: string): boolean => !isFiltered || tree.get(rev)?.body?.['type'] === type;
    const row = allowedRow(id, tree, query);
    const revs = row.revs.filter(passing);
    return revs.length > 0 ? [{ ...row, revs }] : [];
  });
  const present = 'The feed does not show the documents that the database has now';
  // The rule feed-one-row covers a document with several rows.
  mustMatch(present, [...new Set(ids)], sameElements(expected.map(({ id }) => id)), '$.results');
  for (const allowed of expected) {
    const row = rows.findLast(({ id }) => id === allowed.id)!;
    const what = 'The row of a document does not show its present state';
    mustMatch(what, row.revs, sameElements(allowed.revs), `${row.path}.changes`);
    // Any other value says the same as none: see feed-deleted.
    mustMatch(what, row.value.deleted === true, equalTo(allowed.deleted), `${row.path}.deleted`);
    if (allowed.doc) await mustShowDocument(database, row, allowed.doc);
  }
}

/** How long a server may use the function that a design document had before a change, in milliseconds. */
const maxCacheMs = 5_000;

/** Reads the feed, which must show the present state; with a filter function after a moment. */
async function readPresent(database: DatabaseClient, planned: Planned, present: Present): Promise<Feed> {
  const end = performance.now() + (planned.isFiltered ? maxCacheMs : 0);
  for (;;) {
    const response = await requestFeed(database, planned.request);
    mustRespond(response, 200, 'The target rejects a request for the feed');
    const feed = feedOf(response);
    try {
      await mustShow(database, feed, planned, present);
      return feed;
    } catch (error) {
      if (!(error instanceof Violation) || performance.now() > end) throw error;
      await wait(100);
    }
  }
}

async function mustShowDocument(
  database: DatabaseClient,
  row: Row,
  { fields, conflicts }: NonNullable<ReturnType<typeof allowedRow>['doc']>,
): Promise<void> {
  // What a doc has of a deletion is a matter of feed-include-docs; its revision shows that it is the present one.
  if (fields['_deleted'] === true) {
    const what = 'The doc of a row is not the present revision';
    mustMatch(what, asObject(row.value.doc)['_rev'], equalTo(fields['_rev']), `${row.path}.doc._rev`);
  } else {
    await mustIncludeStored(database, row, fields);
  }
  const { _conflicts: listed = [] } = asObject(row.value.doc);
  const what = '_conflicts does not list the present conflicts of a document';
  mustMatch(what, listed, sameElements(conflicts), `${row.path}.doc._conflicts`);
}

async function takeSteps(context: CheckContext, steps: readonly Step[]): Promise<void> {
  const database = await context.createDatabase();
  let present = nothing;
  let last: Planned | undefined;
  for (const [index, step] of steps.entries()) {
    switch (step.kind) {
      case 'write':
      case 'function':
        present = await takeWriting(context, database, step, present);
        break;
      case 'recreate':
        await recreate(database);
        // What was received names positions of the database that is gone.
        present = nothing;
        last = undefined;
        break;
      case 'read': {
        last = step.again && last ? last : plan(step, present);
        let feed: Feed;
        try {
          feed = await readPresent(database, last, present);
        } catch (error) {
          if (error instanceof Violation) await mustShowInNew(context, steps.slice(0, index), last);
          throw error;
        }
        // With a filter, it may name the last row, which earlier changes can follow.
        if (last.isFiltered) break;
        const received = [...present.received, { seq: feed.lastSeq, state: present.state }];
        present = { ...present, received };
      }
    }
  }
}

async function takeWriting(
  context: CheckContext,
  database: DatabaseClient,
  step: Exclude<Step, { kind: 'read' | 'recreate' }>,
  present: Present,
): Promise<Present> {
  if (step.kind === 'write') {
    const state = await play(database, step.history, present.state);
    return { ...present, state: await readWinners(database, state) };
  }
  // Without one, the reads have no filter.
  if (!context.target.has('functions') || !context.target.feed.supports({ query: { filter } }))
    return present;
  const type = present.type === 'a' ? 'b' : 'a';
  return { ...present, state: await setFunction(database, type, present.state), type };
}

/**
 * Takes the steps that wrote to the database in a new one, and then reads it for the first time. If that does not show the
 * documents either, the fault has nothing to do with what was requested before: other rules are about it.
 */
async function mustShowInNew(
  context: CheckContext,
  steps: readonly Step[],
  { request, isFiltered }: Planned,
): Promise<void> {
  const watched = await context.createDatabase();
  const { feedLag, ...unwatched } = watched;
  // Whoever looks whether the feed is behind reads it before.
  const database = feedLag?.isBehind ? watched : unwatched;
  let present = nothing;
  for (const step of steps.slice(steps.findLastIndex(({ kind }) => kind === 'recreate') + 1))
    if (step.kind === 'write' || step.kind === 'function')
      present = await takeWriting(context, database, step, present);
  const whole = { request: withQuery(request, { since: undefined }), since: emptyState, isFiltered };
  try {
    await readPresent(database, whole, present);
  } catch (error) {
    // What refuses each request is a cause of its own.
    if (!(error instanceof Violation) || error.difference.path === '$status') throw error;
    throw new Blocked(
      `Nor does a feed that is read for the first time: ${error.message} (see feed-complete).`,
    );
  }
}

export const feedPresentState = defineRule('feed-present-state', {
  rung: 'feed',
  notInTraffic: unseen.otherWriters,
  checks: {
    'feed-present-state': {
      needs: ['single-copy'],
      optional: ['functions'],
      isLong: true,
      run: forAll(steps, takeSteps, { cases: { smoke: 6, default: 7, thorough: 150 } }),
    },
  },
});
