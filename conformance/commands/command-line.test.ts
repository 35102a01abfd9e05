import test from 'ava';
import { Refusal } from '../engine/refusal.js';
import { parseCredentials, parseShard, repeatable, wholeNumber } from './command-line.js';

test('a password may contain colons or be empty', (t) => {
  t.deepEqual(parseCredentials('admin:a:b'), { name: 'admin', password: 'a:b' });
  t.deepEqual(parseCredentials('admin:'), { name: 'admin', password: '' });
  t.is(parseCredentials(undefined), undefined);
});

for (const text of ['hush', ':hush', '']) {
  test(`credentials "${text}" are refused without repeating them`, (t) => {
    const error = t.throws(() => parseCredentials(text), { instanceOf: Refusal });
    t.is(error.message, '--admin and DOCFEED_ADMIN must be name:password');
    t.is(error.exitCode, 2);
  });
}

test('a whole number must be in its range', (t) => {
  const parse = wholeNumber(-1, 200);
  t.deepEqual(['-1', '0', '200'].map(parse), [-1, 0, 200]);
  for (const text of ['-2', '201', '1.5', '1e2', '0x1', ' 1', '', 'x', '9'.repeat(400)]) {
    t.throws(() => parse(text), { message: 'It must be a whole number from -1 to 200.' }, text);
  }
});

test('a shard is I/N with I from 1 to N', (t) => {
  t.deepEqual(parseShard('2/4'), { index: 2, count: 4 });
  for (const text of ['3/2', '0/2', '1/0', '1', '1/2/3', '-1/2', 'a/b', '']) {
    t.throws(() => parseShard(text), { message: /^It must be I\/N with I from 1 to N/ }, text);
  }
});

test('a repeatable option collects its values', (t) => {
  t.deepEqual(repeatable('b', repeatable('a')), ['a', 'b']);
});
