import test from 'ava';
import fc from 'fast-check';
import { sequences } from './sequences.js';

const instance = fc.stringMatching(/^[A-Za-z0-9_-]{16}$/);
const own = 'Instance-of-16_c';
const position = fc.nat(2 ** 31);

test('a sequence has the form <n>-<opaque> and can be decoded', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(instance, position, (of, at) => {
        const sequence = sequences.encode(of, at) as string;
        t.regex(sequence, new RegExp(`^${at}-.+$`));
        t.is(sequences.decode(of, sequence), at);
      }),
    ),
  );
});

test('an invalid sequence is rejected', (t) => {
  for (const text of [
    '',
    '1',
    '-1',
    'now',
    'x-abc',
    '01-abc',
    '1.5-abc',
    '1e3-abc',
    ' 1-abc',
    '1-abcd',
    `1-${own}.`,
    `1-${own}x`,
    '1-',
    '-abc',
  ])
    t.is(sequences.decode(own, text), undefined, text);
  t.is(sequences.decode(own, `7-${own}`), 7);
  t.is(sequences.decode(own, '0'), 0, 'valid for each database');
});

test('a sequence of another database is the start', (t) => {
  t.is(sequences.decode(own, sequences.encode(own.toLowerCase(), 7) as string), 0);
});
