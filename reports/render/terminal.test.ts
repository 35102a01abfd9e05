import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { failed, feedReport, hostile, reportOf, result, sample } from '../testing/sample.js';
import { renderTerminal } from './terminal.js';

const plain = { colour: false, reportDir: 'out' };
const verbose = { ...plain, verbose: true };

test('prints the run, the checks that need attention, the skipped checks, the counts and the files', (t) => {
  const warn = { ...failed, id: 'proxy-secret-recommended', outcome: 'warn' as const };
  const text = renderTerminal(reportOf([...sample.checks, { ...warn, counterexample: undefined }]), verbose);
  t.regex(text, /^4 of 10 rules checked\nnot checked: 1 rule error: because feed-limit$/m);
  t.regex(text, /^not checked: 2 rules need jwt-hmac: use --configure$/m);
  t.regex(text, /^target +http:\/\/127\.0\.0\.1:5984\/$/m);
  t.regex(text, /^run +profile default, seed -42, shard 1 of 2$/m);
  t.regex(text, /^warning: The target has no users database\.$/m);
  t.regex(text, /^fail {2}feed-last-seq\/limit {2}MUST\n {2}last_seq is not the seq of the last row$/m);
  t.regex(text, /^ {2}at +\$\.last_seq$/m);
  t.regex(text, /^ {2}expected +2-b$/m);
  t.regex(text, /^ {2}actual +\{"text":/m);
  t.regex(text, /^ {2}input +\{"history":/m);
  t.regex(text, /^ {2}rule +Without a filter `last_seq` is .* \(SERVICE 2\.5\)$/m);
  t.regex(
    text,
    /^ {2}replay +npx docfeed check http:\/\/127\.0\.0\.1:5984\/ --configure --target 'a file.yaml' --replay '/m,
  );
  t.regex(text, /^skipped {2}The target does not offer "jwt-hmac"\. \(jwt-accepts, jwt-alg-bound\)$/m);
  t.regex(text, /^4 of 10 rules checked {2}1 fail, .*2 skipped {2}12\.3 s$/m);
  t.regex(text, /^report +out\/report\.html$/m);
  t.true(text.indexOf('fail  ') < text.indexOf('error  '));
  t.false(text.includes('pass  root-greeting'));
});

test('prints only a few lines if all checks pass', (t) => {
  const suite = { ...sample.suite, rules: 1 };
  const report = reportOf([result('root-greeting', 'pass')], { suite, warnings: [] });
  const lines = renderTerminal(report, { colour: false }).trimEnd().split('\n');
  t.is(lines[0], '1 of 1 rules checked');
  t.is(lines.at(-3), '1 of 1 rules checked  1 pass  12.3 s');
  t.is(lines.at(-1), 'verdict  All checked rules hold.');
  t.true(lines.length <= 13);
});

test('never cuts what is to be copied, such as a long setting', (t) => {
  const handlers = Array.from({ length: 8 }, (_, n) => `{chttpd_auth, handler_${n}_of_many}`).join(', ');
  const remedy = `set "authentication_handlers = ${handlers}" in the section [chttpd] of the target`;
  const names = Array.from(
    { length: 5 },
    (_, n) => `user org.couchdb.user:docfeed-0123abcd-${n}-with-a-long-name`,
  );
  const warning = `The run could not remove: ${names.join(', ')}; use \`docfeed restore\` to try again.`;
  const prose = 'word '.repeat(100).trim();
  const report = reportOf(
    [{ ...result('jwt-accepts', 'skipped', 'The target lacks it.'), missing: 'proxy' }],
    {
      target: { ...sample.target, capabilities: [{ name: 'proxy', available: false, how: 'none', remedy }] },
      warnings: [warning, prose],
    },
  );
  for (const options of [plain, verbose]) {
    const text = renderTerminal(report, options);
    t.true(text.includes(`not checked: 1 rule needs proxy: ${remedy}`), text);
    t.true(text.includes(warning), text);
    t.is(text.includes(prose), options === verbose);
  }
});

test('prints many checks with one reason on one line', (t) => {
  const ids = Array.from({ length: 40 }, (_, index) => `jwt-${index}`);
  const text = renderTerminal(reportOf(ids.map((id) => result(id, 'skipped', 'No keys.'))), verbose);
  t.regex(text, /^skipped {2}No keys\. \(jwt-0, .*jwt-5 and 34 more\)$/m);
});

test('shows the smallest request among checks with one obstacle', (t) => {
  const obstacle = 'POST /{db}/_bulk_docs returns 500';
  const blockedBy = (id: string, body: string, outcome: 'blocked' | 'fail') => ({
    ...result(id, outcome),
    obstacle,
    exchange: {
      request: { method: 'POST', path: '/db/_bulk_docs', headers: {}, body },
      response: { status: 500, headers: {}, chunks: [{ atMs: 1, text: '{"error":"x"}' }] },
    },
  });
  const [long, short] = ['{"docs":[{},{}]}', '{"docs":[]}'];
  for (const outcome of ['blocked', 'fail'] as const) {
    const report = reportOf([blockedBy('a', long, outcome), blockedBy('b', short, outcome)]);
    const text = renderTerminal(report, plain);
    t.regex(
      text,
      /^ {2}request {2}curl -i --data-binary '\{"docs":\[\]\}' .*\n {2}answer {3}500 \{"error":"x"\}$/m,
      outcome,
    );
    t.false(text.includes(long), outcome);
  }
});

test('fills one screen at most, with the obstacle of many checks before single failures', (t) => {
  const missing = 'POST /{db}/_changes is not implemented (404)';
  const blocked = Array.from({ length: 60 }, (_, index) => ({
    ...result(`a-${index}`, 'blocked', `${missing}.`),
    obstacle: missing,
  }));
  const failures = Array.from({ length: 70 }, (_, index) =>
    result(`b-${index}`, 'fail', `Wrong ${'x'.repeat(index)}.`),
  );
  const skipped = Array.from({ length: 50 }, (_, index) => result(`c-${index}`, 'skipped', `No ${index}.`));
  const checks = [...failures, ...blocked, ...skipped];
  const warnings = Array.from(
    { length: 9 },
    (_, index) => `Warning ${index}. ${'A long story. '.repeat(50)}`,
  );
  for (const columns of [undefined, 40, 80, 120]) {
    const text = renderTerminal(reportOf(checks, { warnings }), { ...plain, columns });
    const rows = text
      .trimEnd()
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (columns ?? Infinity))), 0);
    t.true(rows <= 40 && rows > 30, `${columns}: ${rows}`);
    t.regex(text, /^blocked {2}POST \/\{db\}\/_changes is not implemented \(404\):\s+60 checks$/m);
    t.true(text.indexOf('blocked  ') < text.indexOf('fail  '));
    t.notRegex(text, /^skipped /m, 'the head names what is skipped');
    t.regex(text, /^and \d+ more: use --verbose, or open the report$/m);
  }
  const all = renderTerminal(reportOf(checks, { warnings }), verbose);
  t.true(failures.every(({ id }) => all.includes(`fail  ${id}`)) && all.includes('Warning 8.'));
});

test('shows in full what fits, and the rest on one line each', (t) => {
  const text = renderTerminal(reportOf([failed, result('a-a', 'error'), result('b-b', 'known')]), plain);
  t.regex(text, /^fail {2}feed-last-seq\/limit {2}MUST$/m);
  t.true(text.includes('replay'));
});

test('prints a known deviation with its reason and without evidence', (t) => {
  const text = renderTerminal(reportOf([{ ...failed, outcome: 'known', reason: 'issue 1221' }]), plain);
  t.regex(text, /^known {2}issue 1221 \(feed-last-seq\/limit\)$/m);
  t.notRegex(text, /expected/);
});

test('prints the same text with and without colours', (t) => {
  const coloured = renderTerminal(sample, { ...plain, colour: true });
  t.true(coloured.includes('\u001b[31mfail\u001b'));
  t.is(stripVTControlCharacters(coloured), renderTerminal(sample, plain));
});

test('escapes control characters and CI commands of a hostile target', (t) => {
  const report = reportOf([failed, result('a-b', 'error', hostile), result('c-d', 'skipped', hostile)], {
    warnings: [hostile],
    target: { ...sample.target, version: hostile },
  });
  const text = renderTerminal(report, plain);
  t.notRegex(text, /##\w*\[|^\s*::/m);
  // eslint-disable-next-line no-control-regex -- the test verifies that there are none
  t.notRegex(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('prints failures with one cause as one entry', (t) => {
  const text = renderTerminal(feedReport, plain);
  t.regex(
    text,
    /^fail {2}feed-shape {2}MUST\n(?: {2}.*\n)+ {2}also +probably for the same cause: feed-pending$/m,
  );
  t.notRegex(text, /^fail {2}feed-pending/m);
});

test('says once that the run ended early', (t) => {
  const stopped = 'The target stopped responding.';
  const suite = { ...sample.suite, stopped };
  const checks = ['a-a', 'b-b'].map((id) => result(id, 'inconclusive', stopped));
  const text = renderTerminal(reportOf(checks, { suite }), plain);
  t.is(text.split(stopped).length, 2);
  t.regex(text, /^not checked: 2 rules inconclusive: the run ended early$/m);
});

test('wraps statements to the width, and nothing that people copy', (t) => {
  const text = renderTerminal(sample, { ...verbose, columns: 60 });
  t.regex(
    text,
    /^ {2}rule {5}Without a filter `last_seq` is the seq of the\n {11}last row\. \(SERVICE 2\.5\)$/m,
  );
  t.regex(text, /^ {2}replay +npx docfeed check .{60,}$/m);
});

test('colours the expected and the actual value from the first difference', (t) => {
  const counterexample = { ...failed.counterexample, expected: ['1-a', '2-b'], actual: ['1-a', '2-c'] };
  const text = renderTerminal(reportOf([{ ...failed, counterexample }]), { ...plain, colour: true });
  t.true(text.includes('["1-a","2-\u001b[32mb"]\u001b[39m'));
  t.true(text.includes('["1-a","2-\u001b[31mc"]\u001b[39m'));
});

for (const [checks, verdict, next] of [
  [
    [failed, result('feed-last-seq', 'fail')],
    'The target violates 1 rule.',
    'npx docfeed check --explain feed-last-seq/limit --report-dir out',
  ],
  [
    [result('a-a', 'blocked'), result('b-b', 'pass')],
    'The run could not decide: 1 blocked.',
    "npx docfeed check http://127.0.0.1:5984/ --configure --target 'a file.yaml' --only a-a",
  ],
  [[result('a-a', 'skipped')], 'Nothing was checked.', undefined],
  [
    [{ ...result('a-a', 'skipped'), missing: 'jwt-hmac' }, result('b-b', 'pass')],
    'All checked rules hold.',
    '1 rule needs jwt-hmac: use --configure',
  ],
  [
    [result('a-a', 'warn'), result('b-b', 'known'), result('c-c', 'known')],
    'All checked rules hold, except for 1 recommendation and known deviations from 2 rules.',
    undefined,
  ],
] as const) {
  test(`the last lines say the verdict and the next step: ${verdict}`, (t) => {
    const lines = renderTerminal(reportOf([...checks]), plain)
      .trimEnd()
      .split('\n');
    const expected = [`verdict  ${verdict}`, ...(next === undefined ? [] : [`next     ${next}`])];
    t.deepEqual(lines.slice(-expected.length), expected);
  });
}
