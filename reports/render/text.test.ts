import test from 'ava';
import { failed, hostile, reportOf, result, sample } from '../testing/sample.js';
import {
  idsByReason,
  counts,
  expectation,
  findings,
  inline,
  pretty,
  printable,
  replayCommand,
} from './text.js';

test('what cannot be seen is written as an escape', (t) => {
  t.is(printable('a\u001b[31m\u009b2J\u007f'), 'a\\u{1b}[31m\\u{9b}2J\\u{7f}');
  t.is(printable('\u202eabc\u2066\u200b\u2028\ufeff'), '\\u{202e}abc\\u{2066}\\u{200b}\\u{2028}\\u{feff}');
  t.is(printable('\ud800 \ud83d\ude00'), '\\u{d800} \u{1f600}');
  t.is(printable('Grüße, 世界\r\n\t'), 'Grüße, 世界\\r\\n\\t');
  t.is(printable('a\r\nb', '\n'), 'a\\r\nb');
});

test('values are JSON, cut when they are long; a missing one is called nothing', (t) => {
  t.is(inline({ a: [1, 'x'] }), '{"a":[1,"x"]}');
  t.is(inline('text'), '"text"');
  t.is(inline(undefined), 'nothing');
  t.is(inline(null), 'null');
  t.is(inline('x'.repeat(20), 10), `"${'x'.repeat(9)}… (22 characters)`);
  t.is(pretty({ a: 1 }), '{\n  "a": 1\n}');
  t.is(pretty(undefined), 'nothing');
  t.is(expectation('a string'), 'a string');
  t.is(expectation({ oneOf: [1] }), '{"oneOf":[1]}');
});

test('the replay command can be pasted into a shell whatever the token and the URL are', (t) => {
  const command = (url: string, token: string, options?: string[]) =>
    replayCommand(
      { ...sample, suite: { ...sample.suite, options }, target: { ...sample.target, url } },
      token,
    );
  t.is(command('http://a:1/', 'x:7:0:1'), 'docfeed check http://a:1/ --replay x:7:0:1');
  t.is(command('http://a/ http://b/', 'x'), 'docfeed check http://a/ http://b/ --replay x');
  t.is(command('http://a/?x=$(id)', "it's"), `docfeed check 'http://a/?x=$(id)' --replay 'it'\\''s'`);
  t.is(
    command('http://a/', 'x', ['--configure', '--target', 'a b.yaml']),
    `docfeed check http://a/ --configure --target 'a b.yaml' --replay x`,
  );
});

test('findings are one line each and leave out what is not known', (t) => {
  const labels = (changes: object) =>
    findings(sample, { ...failed, counterexample: { message: 'm', exchanges: [], ...changes } }).map(
      ([label]) => label,
    );
  t.deepEqual(labels({}), ['replay', 'script']);
  t.deepEqual(labels({ path: '$.a', expected: 1 }), ['at', 'expected', 'actual', 'replay', 'script']);
  t.deepEqual(findings(sample, result('a-b', 'skipped')), []);
  t.deepEqual(findings(sample, { ...result('a-b', 'fail'), settings: { 'a/b': '1', 'a/c': null } }), [
    ['under', 'a/b = 1, a/c = (no value)'],
  ]);
  const all = findings(sample, failed);
  t.deepEqual(
    all.map(([label]) => label),
    ['at', 'expected', 'actual', 'input', 'replay', 'script'],
  );
  // eslint-disable-next-line no-control-regex -- that there is none is the point
  t.false(all.some(([, text]) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(text)));
});

test('counts name the outcomes that occurred, the most urgent first', (t) => {
  t.is(counts(sample), '1 fail, 1 error, 1 blocked, 1 inconclusive, 1 warn, 1 known, 1 pass, 2 skipped');
  t.is(counts(reportOf([])), 'nothing was checked');
});

test('skipped checks are grouped by reason', (t) => {
  const report = reportOf([
    result('a-a', 'skipped', 'no x'),
    result('b-b', 'skipped', hostile),
    result('c-c', 'skipped', 'no x'),
    result('d-d', 'pass'),
  ]);
  t.deepEqual(idsByReason(report, 'skipped'), [
    ['no x', ['a-a', 'c-c']],
    [printable(hostile), ['b-b']],
  ]);
});
