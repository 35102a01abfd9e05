import test from 'ava';
import fc from 'fast-check';
import { Database, storeComponents } from '../store/database.js';
import { loadEngine } from '../store/tables.js';
import { parseDocument } from '../store/parse-document.js';
import { parseShardSequence, formatShardSequence, type SequenceForm } from './shard-positions.js';

const engine = await loadEngine();

function databaseOf(count: number): Database {
  const database = new Database(engine, 'test', storeComponents);
  database.edit(Array.from({ length: count }, (_, n) => parseDocument({ _id: `doc-${n}` })));
  return database;
}

/** Encodes a sequence like a client: strings unchanged, other values as JSON. */
const sent = (sequence: unknown) => (typeof sequence === 'string' ? sequence : JSON.stringify(sequence));

const database = databaseOf(20);
const other = databaseOf(20);
const places = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 });

for (const form of ['string', 'array', 'object'] as const satisfies readonly SequenceForm[])
  test(`a sequence of the form ${form} has a meaning only in its own database: elsewhere it is the start`, (t) => {
    fc.assert(
      fc.property(places, (place) => {
        const text = sent(formatShardSequence(database, place, form));
        t.deepEqual(parseShardSequence(database, text, place.length), place);
        t.is(parseShardSequence(database, text, place.length + 1), undefined);
        const foreign = parseShardSequence(other, text, place.length);
        t.deepEqual(
          foreign,
          place.map(() => 0),
        );
      }),
    );
  });

test('a number is only valid with a single shard', (t) => {
  t.is(formatShardSequence(database, [7], 'number'), 7);
  t.deepEqual(parseShardSequence(database, '7', 1), [7]);
  t.deepEqual(parseShardSequence(database, '20', 1), [20]);
  t.deepEqual(parseShardSequence(database, '21', 1), [0], 'of another database: the start');
  t.is(parseShardSequence(database, '-1', 1), undefined);
  t.is(parseShardSequence(database, '7', 2), undefined);
});

test('0 and update_seq are valid for all shards', (t) => {
  t.deepEqual(parseShardSequence(database, '0', 3), [0, 0, 0]);
  t.deepEqual(parseShardSequence(database, database.sequenceOf(9) as string, 3), [9, 9, 9]);
});

test('anything else is rejected', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      fc.pre(!/^"?0"?$/.test(text.trim()) && !/^[0-9.e+]+$/i.test(text.trim()));
      t.is(parseShardSequence(database, text, 2), undefined);
    }),
  );
});
