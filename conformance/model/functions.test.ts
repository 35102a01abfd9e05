/** What a function is said to mean must be what its text in the design document does. */
import { runInNewContext } from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { selectorBodies, parameters } from '../arbitraries/filters.js';
import { ids } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/json.js';
import { filterFunctions, functionsLife, functionsOf, mapFunctions } from './functions.js';
import { planWrite } from './history.js';
import { emptyTree } from './revisions.js';

/** As a server gets it. */
const design = planWrite(functionsLife.id, emptyTree, functionsLife.writes[0]!)!.document as {
  readonly _id: string;
  readonly language: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, { readonly map: string }>>;
};

test('requests name the functions by their design document', (t) => {
  t.like(design, { _id: '_design/docfeed', language: 'javascript' });
  t.is(functionsOf, 'docfeed');
});

const documents = fc
  .tuple(ids, fc.oneof(selectorBodies, bodies))
  .map(([id, body]) => ({ ...body, _id: id, _rev: '1-a' }));

for (const [name, { passes }] of Object.entries(filterFunctions)) {
  const run = runInNewContext(`(${design.filters[name]})`) as (
    document: unknown,
    request: unknown,
  ) => unknown;
  test(`the filter function ${name} means what its text does`, (t) => {
    fc.assert(
      fc.property(documents, parameters, (document, query) => {
        // Arrays of this realm are none of the other by prototype, but by Array.isArray.
        t.is(run(structuredClone(document), { query }), passes(document, query));
      }),
    );
  });
}

for (const [name, { passes }] of Object.entries(mapFunctions)) {
  const emitted: unknown[] = [];
  const run = runInNewContext(`(${design.views[name]?.map})`, {
    emit: (key: unknown) => emitted.push(key),
  }) as (document: unknown) => unknown;
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
