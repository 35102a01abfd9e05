import test from 'ava';
import { similarNames } from './similar.js';

const names = ['feed-limit', 'feed-last-seq', 'feed-latest', 'feed-since-now', 'login-result'];

test('a typo has one similar name', (t) => {
  t.deepEqual(similarNames('feed-las-seq', names), ['feed-last-seq']);
});

test('a part of several names is similar to each', (t) => {
  t.deepEqual(similarNames('feed-la', names), ['feed-latest', 'feed-last-seq']);
});

test('a name that contains another is similar to it', (t) => {
  t.deepEqual(similarNames('feed-limit/none', names), ['feed-limit']);
});

test('a name that is not close to any other has no similar name', (t) => {
  t.deepEqual(similarNames('nosuchrule', names), []);
  t.deepEqual(similarNames('', names), []);
  t.deepEqual(similarNames('f', names), []);
});
