/** INI files with CouchDB's syntax (SERVICE 5.4 keys 5). */
import test from 'ava';
import { parseIni } from './ini.js';

const settings = (text: string) =>
  parseIni(text).map(({ setting }) => setting && `${setting.section}/${setting.key}:${setting.value}`);

for (const [line, expected] of [
  ['k = v', 'k:v'],
  ['k=v', 'k:v'],
  ['  k  =  v  ', 'k:v'],
  ['k =v', 'k:v'],
  ['k= v', 'k:v'],
  ['k=v=w', 'k:v=w'],
  ['k==v', 'k:=v'],
  ['hmac:a=b = c2VjcmV0==', 'hmac:a=b:c2VjcmV0=='],
  ['hmac:a== = x', 'hmac:a==:x'],
  ['k = a = b', 'k:a = b'],
  ['k = v ; comment', 'k:v'],
  ['k = v\t;comment', 'k:v'],
  ['k = v;w', 'k:v;w'],
  ['k =;', 'k:;'],
  ['k = "v"', 'k:"v"'],
  ['k = true', 'k:true'],
  ['k = #v', 'k:#v'],
  [String.raw`k = -----BEGIN\nabc\n-----END`, String.raw`k:-----BEGIN\nabc\n-----END`],
  ['__proto__ = x', '__proto__:x'],
  ['a.b = x', 'a.b:x'],
  ['k =', 'k:'],
  ['k = ; nothing', 'k:'],
] as const) {
  test(`the line ${JSON.stringify(line)}`, (t) => {
    t.deepEqual(settings(`[s]\n${line}`), [`s/${expected}`]);
  });
}

test('comments and empty lines are ignored, with any line ends', (t) => {
  t.deepEqual(settings('\uFEFF; c\r\n[s] ; c\r\n\r\n  ;k=v\n;[t]\n\t; x\rk = v\r\n'), ['s/k:v']);
});

test('a section ends at the next one, and may be repeated', (t) => {
  t.deepEqual(settings('[a]\nk=1\n[b.c]\nk=2\n[a]\nl=3'), ['a/k:1', 'b.c/k:2', 'a/l:3']);
});

test('invalid lines have a number and no setting', (t) => {
  t.deepEqual(parseIni('k = v\n[s]\nk\n= v\n[t\n[u] x\n[]\n\nl = w'), [
    { number: 1 },
    { number: 3 },
    { number: 4 },
    { number: 5 },
    { number: 6 },
    { number: 7 },
    { number: 9, setting: { section: 's', key: 'l', value: 'w' } },
  ]);
});
