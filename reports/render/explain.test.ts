import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { complete, failed, feedReport, reportOf, result, sample } from '../testing/sample.js';
import { renderExplanation } from './explain.js';

const plain = { colour: false, reportDir: 'out' };
const heartbeat = feedReport.checks[0]!;

test('explains a violation with its rule, writes, request and timeline to scale', (t) => {
  const text = renderExplanation(feedReport, heartbeat, plain);
  t.regex(text, /^fail {2}heartbeat-lines {2}The target does not send one heartbeat in every period\n/);
  t.regex(text, /^Rule heartbeat-lines \(MUST, SERVICE 2\.5\)\n {2}Without a filter `last_seq` is /m);
  t.regex(text, /^ {2}expected 100 ms between two heartbeats$/m);
  t.regex(
    text,
    /^What the check wrote\n {2}1 {2}doc-0 {2}create {5}1-a {2}\{"n":1\}\n {2}2 {2}doc-0 {2}replicate {2}1-b {2}\{\}\n {2}3 {2}doc-0 {2}delete {5}2-c {2}\{\}$/m,
  );
  t.regex(text, /^ {2}curl -i -N --max-time 2 .*feed=continuous&heartbeat=100'$/m);
  const timeline = text.slice(text.indexOf('Timeline of the continuous feed\n')).split('\n').slice(1);
  const marks = timeline
    .slice(0, timeline.indexOf(''))
    .map((line) => /^ +(\S+ ms) +(─*)(\S) +(.*)$/.exec(line)!);
  t.deepEqual(
    marks.map(([, at, , mark, what]) => `${at} ${mark} ${what}`),
    [
      '100 ms · heartbeat due (heartbeat=100)',
      '110 ms w write of doc-0',
      '110 ms | heartbeat or empty line',
      '130 ms ● row of doc-0',
      '230 ms ! heartbeat due (heartbeat=100), missed',
      '330 ms ! heartbeat due (heartbeat=100), missed',
      '400 ms ] the feed was still open',
    ],
  );
  const positions = marks.map(([, , line]) => line!.length);
  t.deepEqual(positions, [7, 8, 8, 9, 17, 24, 29]);
});

test('a long timeline of a consumer keeps what docfeed did and the first error before its end', (t) => {
  const rows = Array.from({ length: 100 }, (_, index) => `gets the row of doc-${index}`);
  const kinds = {
    write: 'step',
    start: 'step',
    'GET /db/_changes': 'traffic',
    'stderr: refused': 'error',
    ...Object.fromEntries(rows.map((row) => [row, 'traffic' as const])),
    'stderr: again': 'error',
    kill: 'step',
  } as const;
  const timeline = Object.entries(kinds).map(([text, kind], atMs) => ({ atMs, text, kind }));
  const counterexample = { ...failed.counterexample, timeline };
  const text = renderExplanation(complete, { ...failed, counterexample }, plain);
  const lines = text.slice(text.indexOf('\nTimeline\n')).split('\n').slice(2);
  t.deepEqual(
    lines.slice(0, 5).map((line) => line.trim()),
    [
      '0 ms  write',
      '1 ms  start',
      '3 ms  stderr: refused',
      '88 more events in between; see report.html',
      '91 ms  gets the row of doc-87',
    ],
  );
  t.is(lines.slice(0, lines.indexOf('')).at(-1)!.trim(), '105 ms  kill');
});

test('shows what a later request returned, unless the feed was open', (t) => {
  const text = renderExplanation(feedReport, feedReport.checks[1]!, plain);
  t.regex(
    text,
    /^What a later request returned\n {2}curl .*_changes\?since=0'\n {2}200 \{"results":\[\],"last_seq":7\}$/m,
  );
  t.notRegex(renderExplanation(feedReport, heartbeat, plain), /a later request/);
});

test('explains why a target was not judged, with the request and what to do', (t) => {
  const { exchange } = complete.checks[0]!;
  const report = reportOf([{ ...result('login-cookie', 'blocked'), exchange }, ...sample.checks]);
  const text = renderExplanation(report, report.checks[0]!, plain);
  t.regex(text, /^What the check found\n {2}because login-cookie\n {2}To do: make this work first\n/m);
  t.regex(text, /^Request that prevents the check\n {2}curl .*\n {2}200 \{"results":/m);
  for (const check of report.checks.filter(({ outcome }) => !['pass', 'fail', 'warn'].includes(outcome))) {
    t.true(renderExplanation(report, check, plain).includes(`  ${check.reason}\n  To do: `), check.id);
  }
});

test('shows the smallest request of what the target lacks before that of the check', (t) => {
  const exchange = {
    request: { method: 'GET', path: '/db/_changes?feed=longpoll', headers: {} },
    response: { status: 200, headers: {}, chunks: [{ atMs: 1, text: '{"results":[]}\n' }] },
  };
  const check = { ...failed, obstacle: '`feed=longpoll` is ignored', exchange };
  const text = renderExplanation(reportOf([check]), check, plain);
  t.regex(
    text,
    /^Smallest request that shows the cause: `feed=longpoll` is ignored\n {2}curl -i 'http.*_changes\?feed=longpoll'\n {2}200 \{"results":\[\]\}\n\nRequest that shows the violation\n/m,
  );
});

test('explains the same with colours, within the width, and without control characters of the target', (t) => {
  const report = reportOf([failed]);
  const text = renderExplanation(report, failed, plain);
  t.is(stripVTControlCharacters(renderExplanation(report, failed, { ...plain, colour: true })), text);
  // eslint-disable-next-line no-control-regex -- the test verifies that there are none
  t.notRegex(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  const rule = renderExplanation(report, failed, { ...plain, columns: 50 });
  t.regex(rule, /^ {2}Without a filter `last_seq` is the seq of the\n {2}last row\.$/m);
});

test('quotes the items of the service document that state a rule, but no whole sections', (t) => {
  const text = renderExplanation(
    feedReport,
    { ...heartbeat, source: ['4.7 rule 2', '2.5', '9.9 rule 1'] },
    plain,
  );
  t.regex(
    text,
    /^SERVICE 4\.7 rule 2\n {2}`since` skips every change up to and including the given sequence\.$/m,
  );
  t.false(/^SERVICE (2\.5|9\.9)/m.test(text));
});
