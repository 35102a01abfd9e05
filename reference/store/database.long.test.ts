import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { Database, storeComponents } from './database.js';
import { expectedLeaves, type Arrival } from '../testing/leaves.js';
import { winningRevision } from './revisions.js';
import { loadEngine } from './tables.js';
import { parseDocument, withRevisions } from './parse-document.js';

const engine = await loadEngine();
const open = (components = storeComponents) => new Database(engine, 'test', components);
const everything = { rows: 10_000, characters: Infinity };

const put = (database: Database, id: string, members: object = {}) =>
  database.edit([parseDocument({ _id: id, ...members })])[0]!;
const replicate = (database: Database, id: string, start: number, hashes: string, members: object = {}) =>
  database.replicate([
    withRevisions(parseDocument({ _id: id, _revisions: { start, ids: [...hashes] }, ...members })),
  ]);
const stubOf = (id: string) => parseDocument({ _id: id, _attachments: { text: { stub: true } } });
const leaves = (database: Database, id: string) => database.find(id)!.leaves;
const feed = (database: Database) =>
  database.changes({ after: 0, upTo: database.position }, false, true, everything);

/** A simple model of the database. */
class Expected {
  readonly arrivals = new Map<string, readonly Arrival[]>();
  readonly order: string[] = [];

  add(id: string, path: string[], deleted: boolean): void {
    const before = this.arrivals.get(id) ?? [];
    const known = new Set(before.flatMap((arrival) => arrival.path));
    const isNew = !before.some((arrival) => arrival.path[0] === path[0]);
    this.arrivals.set(id, [...before, { path, deleted }]);
    if (!isNew && path.every((revision) => known.has(revision))) return;
    const at = this.order.indexOf(id);
    if (at >= 0) this.order.splice(at, 1);
    this.order.push(id);
  }

  leaves(id: string) {
    return expectedLeaves(this.arrivals.get(id)!);
  }
}

function childOf(parent: string | undefined, letter: string): string {
  const [generation, hash] = parent?.split('-') ?? ['0', ''];
  return `${Number(generation) + 1}-${letter}${hash!}`;
}

type Step = { id: string; deleted: boolean } & (
  { kind: 'edit'; leaf: number } | { kind: 'stale' } | { kind: 'replicate'; from: number; hashes: string }
);
const id = fc.constantFrom('a', 'b', 'c');
const deleted = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), id, deleted, leaf: fc.nat(5) }),
  fc.record({ kind: fc.constant('stale' as const), id, deleted }),
  fc.record({
    kind: fc.constant('replicate' as const),
    id,
    deleted,
    from: fc.nat(5),
    hashes: fc.stringMatching(/^[xyz]{1,3}$/),
  }),
);

test('after any history, leaf revisions, order, counts and documents are correct', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const database = open();
        const expected = new Expected();
        for (const [n, step] of steps.entries()) {
          const head = database.find(step.id);
          const all = head
            ? [head.leaves.winner, ...head.leaves.conflicts, ...head.leaves.deletedConflicts]
            : [];
          if (step.kind === 'edit') {
            const parent = all[step.leaf % all.length];
            const result = put(database, step.id, { n, _rev: parent, _deleted: step.deleted });
            t.is(result.error, undefined);
            if (result.error === undefined)
              expected.add(step.id, parent ? [result.rev, parent] : [result.rev], step.deleted);
          } else if (step.kind === 'stale') {
            t.is(put(database, step.id, { n, _rev: '1-neverwas' }).error, 'conflict');
          } else {
            // A chain of replicated revisions that starts at an existing revision or at none. As on real
            // servers, the hash of a revision depends on its parent.
            const base = all.length > 0 && step.from > 0 ? all[step.from % all.length] : undefined;
            const path = base ? [base] : [];
            for (const letter of step.hashes) path.unshift(childOf(path[0], letter));
            const [_rev] = path;
            const start = Number(_rev!.split('-')[0]);
            const ids = path.map((revision) => revision.slice(revision.indexOf('-') + 1));
            const document = {
              _id: step.id,
              n,
              _deleted: step.deleted,
              _revisions: { start, ids },
            };
            database.replicate([withRevisions(parseDocument(document))]);
            expected.add(step.id, path, step.deleted);
            t.truthy(database.revision(database.find(step.id)!, _rev!));
          }
        }
        for (const id of expected.arrivals.keys()) t.deepEqual(leaves(database, id), expected.leaves(id));
        t.deepEqual(
          feed(database).map(({ id }) => id),
          expected.order,
        );
        const dead = expected.order.filter((id) => expected.leaves(id).deleted);
        t.is(database.deletedCount, dead.length);
        t.is(database.documentCount, expected.order.length - dead.length);
        const listed = database.documents({}, { descending: false, skip: 0, bodies: false }, everything);
        t.deepEqual(
          listed.map(({ id }) => id),
          expected.order.filter((id) => !dead.includes(id)).sort(),
        );
        database.close();
      }),
      { numRuns: 100 },
    ),
  );
});

test('a write that fails halfway changes nothing', (t) => {
  let calls = 0;
  const database = open({
    ...storeComponents,
    winningRevision: (leaves) => {
      if (++calls === 3) throw new Error('out of order');
      return winningRevision(leaves);
    },
  });
  put(database, 'before');
  let emitted = 0;
  database.events.on('change', () => emitted++);
  t.throws(() => database.edit([parseDocument({ _id: 'x' }), parseDocument({ _id: 'y' })]), {
    message: 'out of order',
  });
  t.is(emitted, 0);
  t.is(database.position, 1);
  t.is(database.documentCount, 1);
  t.is(database.countChanges({ after: 0, upTo: 10 }), 1);
  put(database, 'x');
  t.is(database.documentCount, 2);
  t.is(database.countChanges({ after: 0, upTo: 10 }), 2);
  t.deepEqual(
    feed(database).map(({ id }) => id),
    ['before', 'x'],
  );
});

test('replicating a known revision is not a change', (t) => {
  const database = open();
  let emitted = 0;
  database.events.on('change', () => emitted++);
  replicate(database, 'a', 3, 'cb', { n: 1 });
  replicate(database, 'a', 3, 'cb', { n: 2, _deleted: true });
  replicate(database, 'a', 3, 'c', { n: 3 });
  t.is(emitted, 1);
  t.is(database.position, 1);
  t.is(feed(database)[0]!.body, '{"n":1}');

  replicate(database, 'a', 3, 'cba', { n: 4 });
  t.is(database.position, 2, 'more of its past is a change');
  t.is(feed(database)[0]!.body, '{"n":1}');
  t.false(leaves(database, 'a').deleted);

  replicate(database, 'a', 2, 'ba', { n: 5 });
  t.is(database.revision(database.find('a')!, '2-b')!.body, '{"n":5}', 'the content of an ancestor is kept');
  t.is(leaves(database, 'a').winner, '3-c');
});

test('a revision with two different ancestries is listed once', (t) => {
  const database = open();
  replicate(database, 'a', 2, 'xp');
  replicate(database, 'a', 2, 'xq');
  replicate(database, 'a', 3, 'zyr');
  t.deepEqual(leaves(database, 'a'), {
    winner: '3-z',
    deleted: false,
    conflicts: ['2-x'],
    deletedConflicts: [],
  });
});

test('changes are counted correctly for any range', (t) => {
  const database = open();
  const ids = Array.from({ length: 2500 }, (_, n) => `doc-${n}`);
  database.edit(ids.map((id) => parseDocument({ _id: id })));
  const again = ids.filter((_, n) => n % 3 === 0);
  database.edit(again.map((id) => parseDocument({ _id: id, _rev: leaves(database, id).winner })));
  const positions = feed(database).map(({ position }) => position);
  t.is(database.position, 2500 + again.length);
  const position = fc.nat(database.position);
  t.notThrows(() =>
    fc.assert(
      fc.property(position, position, (one, other) => {
        const [after, upTo] = one < other ? [one, other] : [other, one];
        const counted = positions.filter((position) => position > after && position <= upTo).length;
        t.is(database.countChanges({ after, upTo }), counted);
      }),
    ),
  );
});

test('a batch ends at its number of rows or its size', (t) => {
  const database = open();
  database.edit(['a', 'b', 'c', 'd'].map((id) => parseDocument({ _id: id, text: 'x'.repeat(100) })));
  const positions = { after: 0, upTo: 4 };
  const ids = (bodies: boolean, rows: number, characters: number) =>
    database.changes(positions, false, bodies, { rows, characters }).map(({ id }) => id);
  t.deepEqual(ids(true, 3, Infinity), ['a', 'b', 'c']);
  t.deepEqual(ids(true, 10, 150), ['a', 'b']);
  t.deepEqual(ids(true, 10, 1), ['a']);
  t.deepEqual(ids(false, 10, 1), ['a', 'b', 'c', 'd']);
});

test('a sequence of another database is the start', (t) => {
  const [one, other] = [open(), open()];
  put(one, 'a');
  put(other, 'a');
  const sequence = one.sequenceOf(1) as string;
  t.is(one.positionOf(sequence), 1);
  t.is(other.positionOf(sequence), 0);
  t.is(one.positionOf(one.sequenceOf(2) as string), 0, 'after the latest change');
});

test('a reused database has no data of the closed one', (t) => {
  let database = open();
  const look = () => ({
    feed: feed(database),
    position: database.position,
    counts: [database.documentCount, database.deletedCount, database.countChanges({ after: 0, upTo: 9 })],
    security: database.security,
    checkpoint: database.local.find('checkpoint'),
  });
  const before = look();
  for (let round = 0; round < 3; round += 1) {
    put(database, 'a', { _attachments: { text: { content_type: 'text/plain', data: 'YQ==' } } });
    t.is(feed(database)[0]!.key, 1);
    put(database, 'b', { _deleted: true });
    database.local.put('checkpoint', 0, '{}');
    database.security = { admins: {}, members: { names: ['anna'] } };
    t.throws(() => database.edit([parseDocument({ _id: 'c' }), stubOf('d')]), { message: /stub/ });
    database.close();
    database = open();
    t.deepEqual(look(), before);
  }
});

test('methods of a closed database throw 404', (t) => {
  const database = open();
  let closed = 0;
  database.events.on('close', () => closed++);
  database.close();
  t.is(closed, 1);
  t.throws(() => database.position, { message: 'Database does not exist.' });
  t.throws(() => put(database, 'a'), { message: 'Database does not exist.' });
});

test('the version of the design documents grows with each write to one of them, and no other', (t) => {
  const database = open();
  const writes: [string, () => unknown, boolean][] = [
    ['document', () => put(database, 'soup'), false],
    ['new', () => put(database, '_design/app'), true],
    ['replicated', () => replicate(database, '_design/app', 1, 'b'), true],
    [
      'deleted',
      () => put(database, '_design/app', { _deleted: true, _rev: leaves(database, '_design/app').winner }),
      true,
    ],
    ['local document', () => database.local.put('app', 0, '{}'), false],
  ];
  for (const [name, write, grows] of writes) {
    const before = database.designVersion;
    write();
    t.is(database.designVersion > before, grows, name);
  }
});

test('many updates remove the content of revisions that are not leaves', async (t) => {
  const database = open();
  const ids = Array.from({ length: 100 }, (_, n) => `document-${n}`);
  const put = (rounds: number) => {
    for (let round = 0; round < rounds; round++)
      database.edit(
        ids.map((id) => parseDocument({ _id: id, _rev: database.find(id)?.leaves.winner, round })),
      );
  };
  const stored = () => database.revisions(database.find('document-7')!).size;
  put(100);
  t.is(stored(), 100);
  put(1);
  // The first documents are compacted before the write returns. They fit into one slice.
  t.is(stored(), 1);
  put(2);
  await setImmediate();
  t.is(stored(), 3);
});

test('more databases than SQLite has open keep their content', (t) => {
  const databases = Array.from({ length: 1100 }, () => open());
  for (const [number, database] of databases.entries()) put(database, `only-${number}`);
  for (const [number, database] of databases.entries()) {
    t.is(feed(database)[0]?.id, `only-${number}`);
    database.close();
  }
});

test('what SQLite throws is always an error', (t) => {
  const sqlite = engine.open();
  const statement = sqlite.statement('SELECT 1');
  sqlite.close();
  for (const use of [() => statement.get(), () => statement.run(), () => [...statement.rows()]])
    t.throws(use, { instanceOf: Error, message: 'sql.js: Statement closed' });
});
