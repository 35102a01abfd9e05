import test from 'ava';
import { explainTerms } from './glossary.js';

const termsIn = (text: string) => explainTerms(text).map(({ term }) => term);

test('explains the terms that occur, and only those', (t) => {
  const replicated = { kind: 'replicate', parent: 0, hashDigits: [3], deleted: false, body: {} };
  t.deepEqual(termsIn(JSON.stringify(replicated, null, 2)), ['"replicate"', '"parent"', '"hashDigits"']);
  const put = { kind: 'put', leaf: 0, body: {}, keepAttachments: true };
  t.deepEqual(termsIn(JSON.stringify(put, null, 2)), ['"put", "delete"', '"leaf"', '"keepAttachments"']);
  t.deepEqual(termsIn('The row does not list exactly the leaf revisions.'), ['leaf revision']);
  t.deepEqual(termsIn('The status is 404.'), []);
});
