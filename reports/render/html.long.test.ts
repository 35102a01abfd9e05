import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Report } from '../report.js';
import { accessibilityProblems } from '../testing/accessibility.js';
import { openFile, requireBrowser } from '../testing/browser.js';
import { emptyFolder } from '../testing/folder.js';
import { failed, feedReport, hostile, reportOf, result, sample } from '../testing/sample.js';
import { renderPages } from '../tools/results.js';
import { writeOutputFile } from '../write.js';
import { renderHtml } from './html.js';
import { escapeInvisible } from '../escape.js';

test.before(requireBrowser);

const published = renderPages();

async function open(t: ExecutionContext, report: Report, options?: Parameters<typeof openFile>[2]) {
  const file = join(await emptyFolder(t), 'report.html');
  await writeOutputFile(file, renderHtml(report));
  return openFile(t, file, options);
}

test('shows the verdict, coverage, causes, gaps and areas first', async (t) => {
  const { page, problems } = await open(t, sample);
  t.is(await page.title(), 'docfeed: http://127.0.0.1:5984/');
  t.is(await page.locator('h1').innerText(), 'The target violates 1 rule.');
  t.regex(
    await page.locator('.verdict').innerText(),
    /^4 of 10 rules checked on http:\/\/127\.0\.0\.1:5984\/$/m,
  );
  t.deepEqual(await page.locator('.causes li').allInnerTexts(), [
    'last_seq is not the seq of the last row\nfeed-last-seq/limit',
    'because proxy-secret-recommended\nproxy-secret-recommended',
  ]);
  t.deepEqual(await page.locator('#unchecked + ul > li').allInnerTexts(), [
    '1 rule error: because feed-limit',
    'To do: this is a defect of docfeed: file an issue with report.json.',
    '1 rule blocked: because login-cookie',
    'To do: make this work first.',
    '1 rule inconclusive: because continuous-timeout',
    'To do: run again while the target and this machine have nothing else to do.',
    '2 rules need jwt-hmac: use --configure',
    '1 rule not selected',
  ]);
  t.deepEqual(await page.locator('#deviations + ul > li').allInnerTexts(), [
    'because root-vendor root-vendor',
  ]);
  t.deepEqual(await page.locator('.endpoints tr').allInnerTexts(), [
    'Mode\tGET /{db}/_changes\tPOST /{db}/_changes',
    'normal\twrong\tonly 403',
    'eventsource\tignored\t',
  ]);
  t.deepEqual(await page.locator('.states li').allInnerTexts(), [
    'missing\nGET /_session',
    'there\nGET / PUT /{db} PUT /_users/org.service.user:{username}',
  ]);
  await page.getByRole('link', { name: 'wrong' }).click();
  t.true(await page.locator('[id="feed-last-seq/limit"] .rule').isVisible());
  t.is(await page.locator('.notice').innerText(), 'Warning: The target has no users database.');
  const areas = (await page.locator('.areas tbody tr').allInnerTexts()).map((row) =>
    row.replace(/\s+/g, ' '),
  );
  t.true(areas.includes('feed 1 of 2, 1 fails'), areas.join('\n'));
  t.true(areas.includes('cluster 0 of 1'));
  t.deepEqual(problems, []);
});

test('the page of a consumer has no word of what a target offers', async (t) => {
  const target = { ...sample.target, greeting: null, capabilities: [], consumer: ['node', 'follower.js'] };
  const { page } = await open(t, { ...sample, target });
  t.true(await page.getByRole('heading', { name: 'All checks' }).isVisible());
  t.is(await page.getByRole('heading', { name: 'The target' }).count(), 0);
  t.is(await page.getByText('Greeting of the target').count(), 0);
});

test('tells a failure with all its evidence', async (t) => {
  const { page } = await open(t, sample);
  const story = page.locator('details.cause').first();
  t.is(await story.getAttribute('open'), '');
  for (const summary of await story.locator('.raw > summary').all()) await summary.click();
  for (const summary of await story.locator('.exchange > summary').all()) await summary.click();
  const text = await story.innerText();
  for (const part of [
    'Without a filter last_seq is the seq of the last row.',
    'feed-last-seq/limit · MUST · SERVICE 2.5 · npx docfeed rules feed-last-seq',
    'POST /db/_changes?limit=1 200 shows the violation',
    `curl -i -u "$DOCFEED_ADMIN" -H 'Content-Type: application/json' --data-binary '{}' 'http://127.0.0.1:5985/other/_changes?limit=1'`,
    'EXPECTED AT $.last_seq',
    '2-b',
    '"limit": 1',
    "npx docfeed check http://127.0.0.1:5984/ --configure --target 'a file.yaml' --replay 'feed-last-seq/limit:7:0:1'\"'\"",
    'Content-Type: application/json',
    '{"results":[\\r\n',
    '1.3 ms',
    '40.0 ms',
    'The rest of the body is not in the report.',
  ]) {
    t.true(text.includes(part), part);
  }
  t.false((await page.locator('main').innerText()).includes('`last_seq`'));
});

test('shows writes, revision tree, marked response and timeline', async (t) => {
  const { page, problems } = await open(t, feedReport);
  await page.locator('[id="heartbeat-lines"] > summary').click();
  const story = page.locator('[id="heartbeat-lines"] .story');
  t.deepEqual(await story.locator('.writes tbody tr').allInnerTexts(), [
    '1\tdoc-0\tcreate\t1-a\t{"n":1}',
    '2\tdoc-0\treplicate\t1-b\t{}',
    '3\tdoc-0\tdelete\t2-c\t{}',
  ]);
  t.regex(await story.innerText(), /“replicate” writes a revision as replication does/);
  t.is(
    await story.locator('svg.tree').getAttribute('aria-label'),
    'Revision tree of doc-0: 2 leaf revisions, the winning revision is 1-b',
  );
  t.is(
    await story.locator('svg.timeline').getAttribute('aria-label'),
    'Timeline: continuous feed, 400 ms long; writes while it was open: 1; rows: 1; heartbeats or empty lines: 1; it was still open',
  );
  t.is(await story.locator('svg.timeline .missed').count(), 2);
  const response = page.locator('.story').first().locator('h3:text("Response") + pre');
  t.is(await response.locator('mark').innerText(), 'pending is missing');
  const later = page.locator('.story').first().locator('h3:text("What a later request returned") ~ pre');
  t.regex(await later.first().innerText(), /^200 application\/json\n.*"last_seq": 7/s);
  t.is(await story.getByText('What a later request returned').count(), 0);
  t.deepEqual(problems, []);
});

test('groups failures with one cause, and keeps each failure', async (t) => {
  const { page } = await open(t, feedReport);
  t.is(await page.locator('h1').innerText(), 'The target violates 3 rules.');
  const cause = page.locator('details.cause').first();
  t.regex(
    await cause.innerText(),
    /^What the checks have in common: no pending in the response to \/\{db\}\/_changes\.$/m,
  );
  t.is(await cause.locator('.also details[id="feed-pending"]').count(), 1);
});

test('shows the smallest request of what the target lacks', async (t) => {
  const exchange = {
    request: { method: 'POST', path: '/docfeed-a-1/_changes', headers: {}, body: '{}' },
    response: { status: 404, headers: {}, chunks: [{ atMs: 1, text: '{"error":"not_found"}' }] },
  };
  const obstacle = 'POST /{db}/_changes is not implemented (404)';
  const { page, problems } = await open(
    t,
    reportOf([{ ...result('feed-post-same', 'blocked', 'Not there.'), obstacle, exchange }]),
  );
  const cause = await page.locator('details.cause').first().innerText();
  t.regex(
    cause,
    /smallest request that shows it\s+curl -X PUT \S+\/docfeed-a-1 # The run has removed this database, .*\ncurl -i --data-binary '\{\}' .*\/docfeed-a-1\/_changes\b/i,
  );
  t.regex(cause, /^404\n.*"error": "not_found"/ms);
  t.deepEqual(problems, []);
});

test('names the checks that one cause blocks, and folds them after five', async (t) => {
  const obstacle = 'POST /{db}/_bulk_docs is not implemented (404)';
  const blocked = Array.from({ length: 78 }, (_, index) => ({
    ...result(`a-${index}`, 'blocked', `${obstacle}.`),
    obstacle,
  }));
  const { page, problems } = await open(t, reportOf(blocked), { width: 390 });
  const also = page.locator('details.cause .also');
  t.deepEqual(await also.locator('summary:visible').allInnerTexts(), [
    'a-1',
    'a-2',
    'a-3',
    'a-4',
    'a-5',
    'and 72 more',
  ]);
  t.is((await page.locator('details.cause').innerText()).split(obstacle).length - 1, 2);
  t.true((await page.evaluate<number>('document.documentElement.scrollHeight')) < 4000);
  await page.evaluate(`location.hash = '#a-77'`);
  await page.locator('#a-77 .story').waitFor();
  t.deepEqual(problems, []);
});

for (const server of ['reference-server', 'reference-server-3-nodes', 'couchdb-3.5', 'pouchdb-server-4.2']) {
  test(`no column of the page of ${server} ends long before the other`, async (t) => {
    const file = join(await emptyFolder(t), 'report.html');
    await writeOutputFile(file, (await published).get(`${server}/report.html`)!);
    const { page } = await openFile(t, file);
    const ends = await page.evaluate<number[]>(`(() => {
      const ends = {};
      for (const section of document.querySelectorAll('.glance > div')) {
        const { left } = section.getBoundingClientRect();
        const last = section.lastElementChild.getBoundingClientRect().bottom;
        ends[left] = Math.max(ends[left] ?? 0, last);
      }
      return Object.values(ends);
    })()`);
    t.is(ends.length, 2);
    t.true(Math.abs(ends[0]! - ends[1]!) < 400, ends.join(' and '));
  });
}

test('a link to a check opens its failure, also inside another cause; a link to a passed check opens its row', async (t) => {
  const nested = await open(t, feedReport, { hash: '#feed-pending' });
  t.true(await nested.page.locator('#feed-pending .rule').first().isVisible());
  t.deepEqual(nested.problems, []);
  const passed = await open(t, sample, { hash: '#root-greeting' });
  t.true(await passed.page.locator('#root-greeting p').first().isVisible());
  await passed.page.evaluate(`location.hash = '#feed-last-seq%2Flimit'`);
  t.true(await passed.page.locator('[id="feed-last-seq/limit"] .rule').isVisible());
});

test('quotes the service document, and links to it on the page', async (t) => {
  const source = ['4.7 rule 2', '2.5'];
  const { page, problems } = await open(
    t,
    reportOf([
      { ...failed, source },
      { ...result('a-b', 'pass'), source },
    ]),
  );
  const story = page.locator('.story');
  t.is(
    await story.locator('blockquote').innerText(),
    'Service document, 4.7 rule 2\n\nsince skips every change up to and including the given sequence.',
  );
  await story.getByText('What the service document says in 2.5: Changes response').click();
  t.true(await story.getByText('change rows (2.6)').isVisible());
  const section = page.locator('#service-document');
  t.is(await section.getAttribute('open'), null);
  await story.getByRole('link', { name: '2.5', exact: true }).click();
  t.true(await section.getByRole('heading', { name: '2.5 Changes response' }).isVisible());
  t.is(await page.locator('.check a[href="#section-4-7-rule-2"]').count(), 2);
  t.is(await page.locator('[id="section-4-7-rule-2"]').count(), 1);
  t.deepEqual(problems, []);
});

test('says once that the run ended early, and groups the rest', async (t) => {
  const stopped = 'The target stopped responding. The first check that noticed is `a-a`.';
  const suite = { ...sample.suite, stopped };
  const checks = [
    result('root-greeting', 'pass'),
    ...['a-a', 'b-b'].map((id) => result(id, 'inconclusive', stopped)),
  ];
  const { page } = await open(t, reportOf(checks, { suite }));
  t.is(await page.locator('h1').innerText(), 'The run could not decide: 2 inconclusive.');
  t.is(await page.locator('.notice.fail').innerText(), `The run ended early. ${stopped.replaceAll('`', '')}`);
  t.is(await page.getByText('The target stopped responding').count(), 1);
});

test('escapes values of a hostile target everywhere', async (t) => {
  const { counterexample } = failed;
  const report = reportOf(
    [
      {
        ...failed,
        reason: hostile,
        statement: hostile,
        counterexample: { ...counterexample, message: hostile, path: hostile, expected: hostile },
      },
      result('a-b', 'error', hostile),
    ],
    {
      warnings: [hostile],
      observations: [{ id: hostile, value: hostile }],
      target: {
        ...sample.target,
        url: `http://a/${hostile}`,
        version: hostile,
        greeting: { [hostile]: hostile },
        capabilities: [{ name: hostile, available: true, how: hostile }],
      },
    },
  );
  const { page, problems } = await open(t, report);
  t.is(await page.locator('script, b, i').count(), 1);
  t.is(await page.title(), `docfeed: http://a/${escapeInvisible(hostile)}`.replace(/ +/g, ' '));
  const text = await page.evaluate<string>(`document.querySelector('main').textContent`);
  t.false(['\u001b', '\u009b', '\u202e'].some((character) => text.includes(character)));
  t.deepEqual(problems, []);
});

test('the Content Security Policy prevents other scripts from running', async (t) => {
  const file = join(await emptyFolder(t), 'report.html');
  const page = renderHtml(sample).replace('</body>', '<script>document.title = "owned"</script></body>');
  await writeOutputFile(file, page);
  const opened = await openFile(t, file);
  t.not(await opened.page.title(), 'owned');
  t.regex(opened.problems.join(), /Content Security Policy/);
});

test('search and filters show matching checks', async (t) => {
  const { page } = await open(t, sample);
  const visible = () => page.locator('.check:visible > summary > code').allInnerTexts();
  t.is((await visible()).length, 0);
  await page.keyboard.press('/');
  await page.keyboard.type('JWT- accepts');
  t.deepEqual(await visible(), ['jwt-accepts']);
  t.is(await page.locator('output').innerText(), '1 of 9 shown');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Outcome').selectOption('skipped');
  t.deepEqual(await visible(), ['jwt-accepts', 'jwt-alg-bound']);
  await page.getByLabel('Outcome').selectOption('');
  await page.getByLabel('Area').selectOption('feed');
  await page.getByLabel('Level').selectOption('MUST');
  t.deepEqual(await visible(), ['feed-last-seq/limit', 'feed-limit']);
});

// Before the others open pages: a page that is not in front waits for ever when it reads what was copied.
test.serial('the button copies the command', async (t) => {
  const { page } = await open(t, sample);
  await page.bringToFront();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const command = page.locator('.story .command').first();
  await command.getByRole('button').click();
  await command.getByText('Copied').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), await command.locator('code').innerText());
});

test('everything can be read without scripts', async (t) => {
  const { page } = await open(t, sample, { javaScriptEnabled: false });
  t.false(await page.locator('form.filter').isVisible());
  t.true(await page.locator('.story .rule').first().isVisible());
  await page.locator('.area > summary').first().click();
  await page.locator('#root-greeting > summary').click();
  t.true(await page.locator('#root-greeting p').first().isVisible());
});

// One after the other, since axe keeps a processor busy.
for (const [colorScheme, width] of [
  ['light', 390],
  ['dark', 1280],
] as const) {
  test.serial(
    `axe finds nothing, and nothing is wider than the page (${colorScheme}, ${width} px)`,
    async (t) => {
      for (const report of [sample, feedReport]) {
        const { page } = await open(t, report, { colorScheme, width });
        await page.evaluate(
          `for (const element of document.querySelectorAll('details')) element.open = true`,
        );
        t.deepEqual(await accessibilityProblems(page), []);
        t.is(await page.evaluate('document.documentElement.scrollWidth'), width);
      }
    },
  );
}

test('the page follows the colour scheme of the browser, and prints in light colours with all failures open', async (t) => {
  const { page } = await open(t, feedReport, { colorScheme: 'dark' });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  t.is(await background(), 'rgb(13, 17, 23)');
  await page.pdf();
  await page.emulateMedia({ media: 'print' });
  t.is(await background(), 'rgb(255, 255, 255)');
  t.is(await page.locator('details.cause:not([open])').count(), 0);
  t.is(await page.locator('form.filter:visible, button:visible, .raw:visible').count(), 0);
});
