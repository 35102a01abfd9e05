/** The story of a violation: rule, writes, request, expected and actual values, timeline, and how to run it again. */
import { parseBody } from '../../read-json.js';
import {
  bodyOf,
  type CheckResult,
  type Counterexample,
  type DocumentWrite,
  laterExchange,
  type RecordedExchange,
  type Report,
  type RevisionTree,
  violatingExchange,
} from '../../report.js';
import { isItem } from '../../service-document.js';
import { defineTemplate } from '../page.js';
import {
  formatExtent,
  formatSettings,
  formatTimeline,
  inlineJson,
  prettyJson,
  replayCommand,
} from '../text.js';
import { curlCommand, curlCommands, curlFromScratch } from '../curl.js';
import { compareValues, renderJson } from './json-view.js';
import { escapeHtml, renderProse, renderReason } from './markup.js';
import { renderRevisionTree, shortRevision } from './revision-tree.js';
import { renderTimeline } from './timeline.js';
import { renderSources, viewQuotes } from './service.js';

defineTemplate(
  '@exchanges',
  `<% for (const exchange of it.exchanges) { %>
<details class="exchange">
<summary><code><%= exchange.title %></code> <%= exchange.status %><% if (exchange.isViolation) { %> <strong>shows the violation</strong><% } %></summary>
<pre tabindex="0"><%~ exchange.request %></pre>
<% if (exchange.response) { %>
<pre tabindex="0"><%~ exchange.response.head %></pre>
<table>
<% for (const { at, text } of exchange.response.chunks) { %>
<tr><td class="at"><%= at %></td><td class="text"><%~ text %></td></tr>
<% } %>
</table>
<% if (exchange.response.truncated) { %>
<p class="faint">The rest of the body is not in the report.</p>
<% } %>
<% } %>
</details>
<% } %>`,
);

defineTemplate(
  '@writes',
  `<h3>What the check wrote</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Writes">
<table class="writes">
<thead><tr><th>#</th><th>Document</th><th>Write</th><th>Revision</th><th>Content</th></tr></thead>
<tbody>
<% for (const [index, write] of it.rows.entries()) { %>
<tr><td><%= index + 1 %></td><td><code><%= write.id %></code></td><td><%= write.what %></td><td><code title="<%= write.rev %>"><%= write.shortRev %></code></td><td><code><%= write.content %></code></td></tr>
<% } %>
</tbody>
</table>
</div>
<% if (it.replicates) { %><p class="faint">“replicate” writes a revision as replication does, with <code>new_edits: false</code>: the client chooses the revision id, so the write can create a conflict.</p><% } %>
<% if (it.omitted > 0) { %><p class="faint"><%= it.omitted %> more writes are in the raw exchanges.</p><% } %>
<% for (const { id, svg } of it.trees) { %>
<figure><figcaption>Revisions of <code><%= id %></code>: a line leads from a revision to the one that replaced it; the filled circle is the winning revision.</figcaption><div class="scroll" tabindex="0" role="region" aria-label="Revisions of <%= id %>"><%~ svg %></div></figure>
<% } %>`,
);

defineTemplate(
  '@story',
  `<div class="story">
<p class="rule"><%~ it.rule %></p>
<p><span class="badge <%= it.check.outcome %>"><%= it.check.outcome %></span> <code><%= it.check.id %></code> · <%= it.check.level %><% if (it.source) { %> · <%~ it.source %><% } %> · <code>npx docfeed rules <%= it.check.rule %></code></p>
<%~ include('@quotes', { quotes: it.quotes }) %>
<% if (it.reason) { %><p><%~ it.reason %></p><% } %>
<% if (it.settings) { %><p>The check changed settings of the target: <code><%= it.settings %></code></p><% } %>
<% if (it.writes) { %><%~ include('@writes', it.writes) %><% } %>
<% if (it.curl) { %>
<h3>Request</h3>
<%~ it.curl %>
<% if (it.commands) { %>
<p class="faint"><% if (it.madeDatabase) { %>The run has removed its database: the<% } else { %>The<% } %> commands below send all requests.</p>
<% } %>
<% } %>
<% if (it.comparison) { %>
<div class="columns">
<section><h3>Expected<% if (it.path) { %> at <span class="path"><%= it.path %></span><% } %></h3><pre tabindex="0"><%~ it.comparison.expected %></pre></section>
<section><h3>Actual</h3><pre tabindex="0"><%~ it.comparison.actual %></pre></section>
</div>
<% } %>
<% if (it.timeline) { %>
<h3>Timeline</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Timeline"><%~ it.timeline %></div>
<p class="faint">Circles are rows, short lines are heartbeats or empty lines. A red line is the end of the feed, a dashed grey one is docfeed closing it. The lane “due” shows what the parameters of the request promise: heartbeats, red if none came, and the end, dashed in red.</p>
<% } %>
<% if (it.response) { %>
<h3>Response</h3>
<pre tabindex="0"><%~ it.response %></pre>
<% } %>
<% if (it.later) { %>
<h3>What a later request returned</h3>
<%~ it.later.curl %>
<pre tabindex="0"><%~ it.later.response %></pre>
<% } %>
<% if (it.terms.length > 0) { %>
<dl class="terms">
<% for (const { term, explanation } of it.terms) { %><dt><%= term %></dt><dd><%= explanation %></dd><% } %>
</dl>
<% } %>
<% if (it.happened) { %>
<details class="raw" open><summary>What the consumer did and received</summary><pre tabindex="0"><%~ it.happened %></pre>
</details>
<% } %>
<% if (it.replay) { %>
<h3>Run again</h3>
<%~ it.replay %>
<% } %>
<% if (it.exchanges.length > 0) { %>
<details class="raw"><summary>Raw requests and responses: <%= it.exchanges.length %><% if (it.exchangeCount > it.exchanges.length) { %> of <%= it.exchangeCount %>; report.json has all<% } %></summary><%~ include('@exchanges', { exchanges: it.exchanges }) %></details>
<% } %>
<% if (it.commands) { %>
<details class="raw commands"><summary>All requests as curl commands, for a bug report</summary><%~ it.commands %></details>
<% } %>
<% if (it.input !== undefined) { %>
<details class="raw"><summary>Generated input<%= it.shrinking %></summary><pre tabindex="0"><%~ it.input %></pre>
</details>
<% } %>
<p class="faint"><%= it.extent %>.</p>
</div>`,
);

/** Renders a command with a button that copies it. */
const renderCommand = (command: string): string =>
  `<div class="command"><pre tabindex="0"><code>${escapeHtml(command, '\n')}</code></pre><button type="button" class="copy">Copy</button></div>`;

/** Tables with more rows are hard to read; the raw exchanges have all writes. */
const maxWrites = 25;

/** A longer response is only in the raw exchanges. */
const maxResponse = 12_000;

/** The report file has all exchanges. The last ones show the violation. */
const maxExchanges = 30;

/**
 * @param isLead whether to include all commands and whole sections of the service document: a page that has them for each
 * of many checks would be very long
 * @returns the data of the template `@story`
 */
export function viewStory(report: Report, check: CheckResult, isLead = false) {
  const { counterexample, replay, statement, source = [] } = check;
  const exchanges = counterexample?.exchanges ?? [];
  const hasInput = counterexample !== undefined && 'input' in counterexample;
  return {
    check,
    rule: renderProse(statement ?? ''),
    source: renderSources(source),
    quotes: viewQuotes(isLead ? source : source.filter(isItem), check.id),
    // The comparison says the same, except for the outcomes that have a reason besides the failure.
    reason:
      counterexample && !['known', 'inconclusive', 'blocked'].includes(check.outcome)
        ? undefined
        : renderReason(check),
    settings: formatSettings(check),
    path: counterexample?.path,
    ...viewEvidence(report, counterexample),
    terms: counterexample?.terms ?? [],
    happened: escapeHtml(formatTimeline(counterexample?.timeline).join('\n'), '\n'),
    input: hasInput ? escapeHtml(prettyJson(counterexample.input), '\n') : undefined,
    shrinking: describeShrinking(counterexample),
    replay: replay === undefined ? undefined : renderCommand(replayCommand(report, replay)),
    // The page has the command of a single request above.
    commands: isLead && exchanges.length > 1 ? renderCommand(curlCommands(report, check)!) : undefined,
    madeDatabase: counterexample !== undefined && !report.suite.traffic && madeDatabase(counterexample),
    exchanges: exchanges
      .map((one, index) => viewExchange(one, index === counterexample?.violating))
      .filter(({ isViolation }, index) => isViolation || index >= exchanges.length - maxExchanges),
    exchangeCount: exchanges.length,
    extent: formatExtent(check),
  };
}

/** Whether the database of the violation was made for it. */
function madeDatabase(counterexample: Counterexample): boolean {
  const path = violatingExchange(counterexample)?.request.path ?? '';
  return counterexample.exchanges.some(
    ({ request }) => request.method === 'PUT' && path.startsWith(`${request.path}/`),
  );
}

function describeShrinking({ shrunk }: Partial<Counterexample> = {}): string {
  if (shrunk === undefined) return '';
  return shrunk ? ': no smaller one fails' : ': shrinking stopped for time, so a smaller one may fail too';
}

function viewEvidence(report: Report, counterexample: Counterexample | undefined) {
  if (!counterexample) return {};
  const { path, expected, actual, writes = [], trees = [] } = counterexample;
  const exchange = violatingExchange(counterexample);
  const later = laterExchange(counterexample);
  const hasComparison = path !== undefined || 'expected' in counterexample || 'actual' in counterexample;
  return {
    comparison: hasComparison ? compareValues(expected, actual) : undefined,
    curl: exchange && renderCommand(curlCommand(report, exchange)),
    writes: viewWrites(writes, trees),
    timeline: renderTimeline(counterexample),
    response: exchange && viewResponse(exchange, path),
    later: later && { curl: renderCommand(curlCommand(report, later)), response: viewResponse(later) },
  };
}

/** The commands that send the request again, and the response. */
export const viewAnswered = (report: Report, exchange: RecordedExchange) => ({
  curl: renderCommand(curlFromScratch(report, exchange).join('\n')),
  response: viewResponse(exchange),
});

function viewWrites(writes: readonly DocumentWrite[], trees: readonly RevisionTree[]) {
  if (writes.length === 0) return undefined;
  return {
    rows: writes.slice(0, maxWrites).map(({ id, kind, deleted, rev = '', fields }) => ({
      id,
      what: kind === 'replicate' && deleted ? 'replicate a deletion' : kind,
      rev,
      shortRev: shortRevision(rev),
      content: inlineJson(fields, 120),
    })),
    replicates: writes.some(({ kind }) => kind === 'replicate'),
    omitted: Math.max(0, writes.length - maxWrites),
    trees: trees.flatMap((tree) => {
      const svg = renderRevisionTree(
        tree,
        writes.filter(({ id }) => id === tree.id),
      );
      return svg === undefined ? [] : [{ id: tree.id, svg }];
    }),
  };
}

/** The status, media type and body, with a mark where the body differs. */
function viewResponse(exchange: RecordedExchange, path = ''): string {
  const { response } = exchange;
  if (!response) return 'none';
  const body = bodyOf(exchange);
  const json = parseBody(body);
  const type = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const shown =
    json === undefined || body.length > maxResponse
      ? escapeHtml(withoutEmptyLines(body.slice(0, maxResponse)), '\n\t')
      : renderJson(json, /^\$[.[]/.test(path) ? path.slice(1) : undefined);
  const status = path === '$status' ? `<mark>${response.status}</mark>` : String(response.status);
  return `${status}${type === undefined ? '' : ` ${escapeHtml(type)}`}\n${shown}`;
}

/** Feeds can consist of many empty lines, which the timeline shows. */
const withoutEmptyLines = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/\n{3,}/g, (lines) => `\n(${lines.length - 1} empty lines)\n`);

function viewExchange({ request, response }: RecordedExchange, isViolation: boolean) {
  const body = request.body === undefined ? '' : `\n${request.body}`;
  return {
    isViolation,
    title: `${request.method} ${request.path}`,
    status: response ? String(response.status) : 'no response',
    request: escapeHtml(
      `${request.method} ${request.path}\n${formatHeaders(request.headers)}${body}`,
      '\n\t',
    ),
    response: response && {
      head: escapeHtml(`${response.status}\n${formatHeaders(response.headers)}`, '\n\t'),
      chunks: response.chunks.map(({ atMs, text }) => ({
        at: `${atMs.toFixed(1)} ms`,
        text: escapeHtml(text, '\n\t'),
      })),
      truncated: response.truncated ?? false,
    },
  };
}

const formatHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value.replaceAll('\n', '\\n')}\n`)
    .join('');
