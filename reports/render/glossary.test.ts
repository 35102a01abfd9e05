import test from 'ava';
import { explainTerms } from './glossary.js';

const termsIn = (text: string) => explainTerms(text).map(([term]) => term);

test('explains the terms that occur, and only those', (t) => {
  const graft = { kind: 'graft', from: 0, ranks: [3], deleted: false, body: {} };
  t.deepEqual(termsIn(JSON.stringify(graft, null, 2)), ['"graft"', '"from"', '"ranks"']);
  const put = { kind: 'put', leaf: 0, body: {}, keeps: true };
  t.deepEqual(termsIn(JSON.stringify(put, null, 2)), ['"put", "delete"', '"leaf"', '"keeps"']);
  t.deepEqual(termsIn('The row does not list exactly the leaf revisions.'), ['leaf revision']);
  t.deepEqual(termsIn('The status is 404.'), []);
});
