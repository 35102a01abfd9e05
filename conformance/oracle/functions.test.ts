/** The source and the model of each function must be equivalent. */
import { runInNewContext } from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { selectorBodies, parameters } from '../arbitraries/filter-scenarios.js';
import { ids } from '../arbitraries/ids.js';
import { bodies } from '../arbitraries/bodies.js';
import { designDocumentHistory, designName, filterFunctions, mapFunctions } from './functions.js';
import { planWrite } from './history.js';
import { emptyTree } from './revisions.js';

/** The design document as a server receives it. */
const design = planWrite(designDocumentHistory.id, emptyTree, designDocumentHistory.writes[0]!)!.document as {
  readonly _id: string;
  readonly language: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, { readonly map: string }>>;
};

test('the design document has the name that requests use', (t) => {
  t.like(design, { _id: '_design/docfeed', language: 'javascript' });
  t.is(designName, 'docfeed');
});

const documents = fc
  .record({
    id: ids,
    body: fc.oneof(selectorBodies, bodies),
    deleted: fc.constantFrom({}, { _deleted: true }),
    attached: fc.constantFrom({}, { _attachments: { 'a.txt': { stub: true } } }),
  })
  .map(({ id, body, deleted, attached }) => ({
    ...body,
    _id: id,
    _rev: '1-a',
    _revisions: { start: 1, ids: ['a'] },
    ...deleted,
    ...attached,
  }));

for (const [name, { passes }] of Object.entries(filterFunctions)) {
  const run = runInNewContext(`(${design.filters[name]})`) as (
    document: unknown,
    request: unknown,
  ) => unknown;
  test(`the model of the filter function ${name} is equivalent to its source`, (t) => {
    fc.assert(
      fc.property(documents, parameters, (document, query) => {
        // Array.isArray also recognizes arrays of another realm.
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
  test(`the model of the map function ${name} is equivalent to its source`, (t) => {
    fc.assert(
      fc.property(documents, (document) => {
        emitted.length = 0;
        run(structuredClone(document));
        t.is(emitted.length > 0, passes(document));
      }),
    );
  });
}
