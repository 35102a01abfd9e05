import test from 'ava';
import { marked } from 'marked';
import { failed, hostile, reportOf, result, sample } from '../testing/sample.js';
import { renderMarkdown } from './markdown.js';

test('shows the counts, the warnings, each violation with its evidence, and undecided and skipped checks', (t) => {
  const text = renderMarkdown(sample);
  t.regex(text, /^# docfeed: 4 of 10 rules checked\n\nChecks: 1 fail, .*2 skipped$/m);
  t.regex(text, /^- 2 rules need jwt-hmac: use --configure$/m);
  t.regex(text, /^> \*\*Warning:\*\* The target has no users database\.$/m);
  t.regex(text, /^\| target \| http:<!-- -->\/\/127\.0\.0\.1:5984\/ \|$/m);
  t.regex(
    text,
    /^\| endpoint \| normal \| eventsource \|\n.*\n\| `GET \/\{db\}\/_changes` \| wrong \| ignored \|$/m,
  );
  t.regex(text, /^- missing: `GET \/_session`\n- there: `GET \/`, `PUT \/\{db\}`, `PUT \/_users\/.*`$/m);
  t.regex(text, /^## fail: `feed-last-seq\/limit` \(MUST\)$/m);
  t.regex(text, /^at +\$\.last_seq$/m);
  t.regex(text, /^expected +2-b$/m);
  t.regex(text, /^replay +npx docfeed check /m);
  t.regex(text, /^\| blocked \| login-cookie \| because login-cookie \| make this work first \|$/m);
  t.regex(
    text,
    /^\| skipped \| jwt-accepts, jwt-alg-bound \| The target does not offer "jwt-hmac"\. \| use --configure \|$/m,
  );
});

test('has no other sections if all checks pass', (t) => {
  const text = renderMarkdown(reportOf([result('root-greeting', 'pass')], { warnings: [] }));
  t.notRegex(text, /^## (?!Endpoints)|Warning/m);
});

test('escapes markup of a hostile target', (t) => {
  const evil = `${hostile} [link](javascript:x) <b> @someone $x$ ~~~ https://a.test/x www.a.test a@b.test`;
  const text = renderMarkdown(
    reportOf(
      [
        { ...failed, counterexample: { ...failed.counterexample, message: evil, actual: evil } },
        result('a-b', 'error', evil),
      ],
      {
        warnings: [evil],
      },
    ),
  );
  const outsideOfCode = text.replace(/^(`{3,})text\n[^]*?\n\1$/gm, '');
  t.notRegex(outsideOfCode, /[<>]script|<b>|\]\(|\*\*bold|@someone|\$x\$|~~~/);
  t.regex(text, /^````text$/m);
  t.notRegex(marked.parse(outsideOfCode, { async: false }), /<a /);
  // GitHub also makes links of what an escape divides, but not of what a comment divides.
  t.notRegex(outsideOfCode, /:(&#47;|\/){2}|www(&#46;|\.)|(&#64;|@)(?!<!-- -->)/);
  const cells = outsideOfCode.split('\n').filter((line) => line.startsWith('| error'));
  t.is(cells[0]?.match(/\|/g)?.length, 5);
});

test('quotes the items of the service document that state a rule, and folds whole sections', (t) => {
  const text = renderMarkdown(reportOf([{ ...failed, source: ['4.7 rule 2', '2.5', '9.9'] }]));
  t.regex(
    text,
    /^> SERVICE 4\.7 rule 2: `since` skips every change up to and including the given sequence\.$/m,
  );
  t.regex(
    text,
    /^<details><summary>SERVICE 2\.5<\/summary>\n\nThe response of the feed .*\n\n\| Field .*\n/m,
  );
  t.false(text.includes('SERVICE 9.9:'));
});
