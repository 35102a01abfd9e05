import test from 'ava';
import { complete, failed, feedReport, hostile, reportOf } from '../testing/sample.js';
import { renderIssue } from './issue.js';

const heartbeat = feedReport.checks[0]!;
const { counterexample } = heartbeat;

test('a tracker gets title, versions, commands, expected and actual values, and the rule with its source', (t) => {
  const check = { ...heartbeat, source: ['4.7 rule 2'], counterexample: { ...counterexample!, terms: [] } };
  const text = renderIssue(feedReport, check);
  t.regex(text, /^# The target does not send one heartbeat in every period\n\n## Versions\n/);
  t.deepEqual(text.match(/(?<=^## ).*/gm), [
    'Versions',
    'Commands',
    'Expected',
    'Actual',
    'Rule',
    'Run this case again',
  ]);
  t.regex(text, /^- Server: `\{"couchdb":"Welcome","version":"3\.5\.0",.*\}`$/m);
  t.regex(text, /^- Found by the check `heartbeat-lines` of docfeed 1\.2\.3, profile default, seed -42$/m);
  t.regex(text, /^export DOCFEED_ADMIN=name:password\n\ncurl -i -u "\$DOCFEED_ADMIN" /m);
  t.is(text.match(/^curl /gm)?.length, counterexample!.exchanges.length);
  t.regex(text, /^Without a filter `last_seq` is the seq of the last row\. \(MUST\)$/m);
  t.regex(text, /^> SERVICE 4\.7 rule 2: `since` skips every change/m);
});

test('words that only explain the generated input are left out', (t) => {
  const terms = [
    { term: 'heartbeat', explanation: 'An empty line.' },
    { term: '"hashDigits"', explanation: 'One number for each new revision.' },
  ];
  const text = renderIssue(feedReport, { ...heartbeat, counterexample: { ...counterexample!, terms } });
  t.regex(text, /^## Words\n\n- heartbeat: An empty line\.$/m);
  t.false(text.includes('hashDigits'));
});

test('a consumer is named by its command, and what happened stands in place of requests', (t) => {
  const target = { ...complete.target, consumer: ['node', 'follower.js'] };
  const check = {
    ...failed,
    counterexample: { ...failed.counterexample, exchanges: [], timeline: [{ atMs: 12, text: 'says doc-1' }] },
  };
  const text = renderIssue(reportOf([check], { target }), check);
  t.regex(text, /^- Consumer: `node follower\.js`$/m);
  t.regex(text, /^## What happened\n\n```text\n +12 ms {2}says doc-1$/m);
  t.notRegex(text, /curl|DOCFEED_ADMIN=name:password$/m);
});

test('texts of a hostile target are neither markup nor links', (t) => {
  const message = `${hostile} <b> \`code\` www.evil.test`;
  const check = { ...failed, counterexample: { ...failed.counterexample, message } };
  const outsideOfCode = renderIssue(reportOf([check]), check).replace(
    /^(`{3,})\w+\n[^]*?\n\1$|(`+)(?!`)[^\n]*?[^`]\2(?!`)/gm,
    '',
  );
  t.notRegex(outsideOfCode, /<script|<b>|\*\*bold|www\.|:\/\//);
});
