import test from 'ava';
import { complete, failed, reportOf, result, sample } from '../testing/sample.js';
import {
  describeEvidence,
  describeRun,
  formatExpected,
  formatSummary,
  inlineJson,
  prettyJson,
  replayCommand,
} from './text.js';

test('formats values as JSON, cuts long values and names missing values', (t) => {
  t.is(inlineJson({ a: [1, 'x'] }), '{"a":[1,"x"]}');
  t.is(inlineJson('text'), '"text"');
  t.is(inlineJson(undefined), 'nothing');
  t.is(inlineJson(null), 'null');
  t.is(inlineJson('x'.repeat(20), 10), `"${'x'.repeat(9)}… (22 characters)`);
  t.is(prettyJson({ a: 1 }), '{\n  "a": 1\n}');
  t.is(prettyJson(undefined), 'nothing');
  t.is(formatExpected('a string'), 'a string');
  t.is(formatExpected({ oneOf: [1] }), '{"oneOf":[1]}');
});

test('quotes the URL and the token of the replay command for the shell', (t) => {
  const command = (url: string, token: string, options?: string[]) =>
    replayCommand(
      { ...sample, suite: { ...sample.suite, options }, target: { ...sample.target, url } },
      token,
    );
  t.is(command('http://a:1/', 'x:7:0:1'), 'npx docfeed check http://a:1/ --replay x:7:0:1');
  t.is(command('http://a/ http://b/', 'x'), 'npx docfeed check http://a/ http://b/ --replay x');
  t.is(command('http://a/?x=$(id)', "it's"), `npx docfeed check 'http://a/?x=$(id)' --replay 'it'"'"'s'`);
  t.is(
    command('http://a/', 'x', ['--configure', '--target', 'a b.yaml']),
    `npx docfeed check http://a/ --configure --target 'a b.yaml' --replay x`,
  );
  const capabilities = [{ name: 'admin', available: true, how: 'the credentials work' }];
  t.regex(
    replayCommand({ ...sample, target: { ...sample.target, capabilities } }, 'x'),
    /^DOCFEED_ADMIN=name:password npx docfeed check /,
  );
});

test('describes evidence in one line for each label, without unknown values', (t) => {
  const labels = (changes: object) =>
    describeEvidence(sample, { ...failed, counterexample: { message: 'm', exchanges: [], ...changes } }).map(
      ([label]) => label,
    );
  t.deepEqual(labels({}), ['replay']);
  t.deepEqual(labels({ path: '$.a', expected: 1 }), ['at', 'expected', 'actual', 'replay']);
  t.deepEqual(describeEvidence(sample, result('a-b', 'skipped')), []);
  t.deepEqual(describeEvidence(sample, { ...result('a-b', 'fail'), settings: { 'a/b': '1', 'a/c': null } }), [
    ['settings', 'a/b = 1, a/c = (no value)'],
  ]);
  const all = describeEvidence(sample, failed);
  t.deepEqual(
    all.map(([label]) => label),
    ['at', 'expected', 'actual', 'events', 'input', '', 'replay'],
  );
  // eslint-disable-next-line no-control-regex -- the test verifies that there are none
  t.false(all.some(([, text]) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(text)));
});

test('the summary has the outcomes that occurred, the most urgent first', (t) => {
  t.is(
    formatSummary(sample),
    '1 fail, 1 error, 1 blocked, 1 inconclusive, 1 warn, 1 known, 1 pass, 2 skipped',
  );
  t.is(formatSummary(reportOf([])), 'nothing was checked');
});

test('the report of a consumer repeats its command', (t) => {
  const ofConsumer = { ...complete, target: { ...complete.target, consumer: ['node', 'a b.js'] } };
  t.regex(replayCommand(ofConsumer, 'token'), /npx docfeed consumer .* --replay token -- node 'a b\.js'$/);
  t.deepEqual(describeRun(ofConsumer)[0], ['consumer', "node 'a b.js'"]);
});
