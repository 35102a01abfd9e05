/** What a function is said to mean must be what its text does. */
import { runInNewContext } from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { judgedBodies, parameters } from '../arbitraries/filters.js';
import { ids } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/json.js';
import { filterFunctions, mapFunctions } from './functions.js';

const documents = fc
  .tuple(ids, fc.oneof(judgedBodies, bodies))
  .map(([id, body]) => ({ ...body, _id: id, _rev: '1-a' }));

for (const [name, { source, passes }] of Object.entries(filterFunctions)) {
  const run = runInNewContext(`(${source})`) as (document: unknown, request: unknown) => unknown;
  test(`the filter function ${name} means what its text does`, (t) => {
    fc.assert(
      fc.property(documents, parameters, (document, query) => {
        // Arrays of this realm are none of the other by prototype, but by Array.isArray.
        t.is(run(structuredClone(document), { query }), passes(document, query));
      }),
    );
  });
}

for (const [name, { source, passes }] of Object.entries(mapFunctions)) {
  const emitted: unknown[] = [];
  const run = runInNewContext(`(${source})`, { emit: (key: unknown) => emitted.push(key) }) as (
    document: unknown,
  ) => unknown;
  test(`the map function ${name} means what its text does`, (t) => {
    fc.assert(
      fc.property(documents, (document) => {
        emitted.length = 0;
        run(structuredClone(document));
        t.is(emitted.length > 0, passes(document));
      }),
    );
  });
}

test('a map function emits more than once for some documents', (t) => {
  const emitted: unknown[] = [];
  const run = runInNewContext(`(${mapFunctions.twice.source})`, {
    emit: (key: unknown) => emitted.push(key),
  }) as (document: unknown) => void;
  run({ _id: 'a', type: 'a' });
  t.deepEqual(emitted, ['first', 'second']);
});
