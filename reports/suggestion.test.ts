import test from 'ava';
import { suggestion } from './suggestion.js';

const names = ['login-result', 'login-cookie', 'feed-pending', 'feed-pending/filtered', 'feed-*'];

test('suggests a name with a typo, or the beginning of the given one', (t) => {
  t.is(suggestion('login-cokie', names), '; did you mean login-cookie?');
  t.is(suggestion('login-result/x', names), '; did you mean login-result?');
});

test('suggests names that contain the given one, nearest first', (t) => {
  t.is(suggestion('pending', names), '; did you mean feed-pending or feed-pending/filtered?');
});

test('suggests at most three names', (t) => {
  t.is(suggestion('aaab', ['aaaa', 'aaac', 'aaad', 'aaae']), '; did you mean aaaa, aaac, or aaad?');
});

test('suggests nothing if no name is near', (t) => {
  for (const name of ['nosuchrule', '', 'e', '**']) t.is(suggestion(name, names), '', name);
  t.is(suggestion('feed', []), '');
});
