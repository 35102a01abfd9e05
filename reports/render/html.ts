import { byUrgency, mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, RecordedExchange, Report } from '../report.js';
import { ruleCoverage } from '../rule-coverage.js';
import { explainTerms } from './glossary.js';
import { renderPage } from './page.js';
import { scriptOf } from './script.js';
import {
  describeRun,
  escapeInvisible,
  formatCoverage,
  formatGaps,
  formatReason,
  formatRule,
  formatSeconds,
  formatSettings,
  formatSummary,
  inlineJson,
  prettyJson,
  replayCommand,
} from './text.js';
import { findViolatingExchange } from './violating-exchange.js';

const body = `
<h1>docfeed: <%= it.coverage %></h1>
<p>Checks: <%= it.summary %></p>
<% if (it.gaps.length > 0) { %>
<p>Rules that were not checked:</p>
<ul>
<% for (const gap of it.gaps) { %>
<li><%= gap %></li>
<% } %>
</ul>
<% } %>
<% for (const warning of it.warnings) { %>
<p class="warning"><strong>Warning:</strong> <%= warning %></p>
<% } %>
<table class="properties">
<% for (const [label, text] of it.run) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table>

<fieldset class="filter" aria-label="Outcomes to show">
<% for (const { outcome, count } of it.outcomes) { %>
<label class="<%= outcome %>"><input type="checkbox" id="show-<%= outcome %>" checked> <%= count %> <%= outcome %></label>
<% } %>
</fieldset>
<% for (const check of it.checks) { %>
<details class="check <%= check.outcome %>" id="<%= check.id %>"<% if (check.open) { %> open<% } %>>
<summary><span class="outcome"><%= check.outcome %></span> <code><%= check.id %></code>
<span class="faint"><%= check.level %></span> <%= check.message %></summary>
<% if (check.rule !== undefined) { %>
<p class="faint"><%= check.rule %></p>
<% } %>
<% if (check.values.length > 0) { %>
<div class="columns">
<% for (const [title, text] of check.values) { %>
<section><h3><%= title %></h3><pre><%= text %></pre></section>
<% } %>
</div>
<% } %>
<table class="properties">
<% for (const [label, text] of check.properties) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
<% if (check.replay !== undefined) { %>
<tr><th scope="row">replay</th><td><code class="command"><%= check.replay %></code></td></tr>
<% } %>
</table>
<% if (check.script) { %>
<details class="script">
<summary>Shell script that reproduces the violation: <a href="<%= check.script.file %>"><code><%= check.script.file %></code></a></summary>
<pre><%= check.script.text %></pre>
</details>
<% } %>
<% if (check.input !== undefined) { %>
<h3>Smallest input that fails</h3>
<pre><%= check.input %></pre>
<% } %>
<% if (check.terms.length > 0) { %>
<details>
<summary>Terms</summary>
<table class="properties">
<% for (const [term, explanation] of check.terms) { %>
<tr><th scope="row"><%= term %></th><td><%= explanation %></td></tr>
<% } %>
</table>
</details>
<% } %>
<% if (check.exchanges.length > 0) { %>
<h3>Requests and responses</h3>
<% } %>
<% for (const exchange of check.exchanges) { %>
<details class="exchange"<% if (exchange.isViolation) { %> open<% } %>>
<summary><code><%= exchange.title %></code> <%= exchange.status %><% if (exchange.isViolation) { %> <strong>shows the violation</strong><% } %></summary>
<pre><%= exchange.request %></pre>
<% if (exchange.response) { %>
<pre><%= exchange.response.head %></pre>
<table>
<% for (const { at, text } of exchange.response.chunks) { %>
<tr><td class="at"><%= at %></td><td class="text"><%= text %></td></tr>
<% } %>
</table>
<% if (exchange.response.truncated) { %>
<p class="faint">The rest of the body is not in the report.</p>
<% } %>
<% } %>
</details>
<% } %>
</details>
<% } %>

<h2>Capabilities of the target</h2>
<table>
<tr><th>capability</th><th>available</th><th>how docfeed knows</th><th>how to have it checked</th></tr>
<% for (const { name, available, how, remedy } of it.capabilities) { %>
<tr><td><code><%= name %></code></td><td><%= available %></td><td><%= how %></td><td><%= remedy %></td></tr>
<% } %>
</table>
<h2>Greeting</h2>
<pre><%= it.greeting %></pre>
<% if (it.observations.length > 0) { %>
<h2>Observations</h2>
<p>Behaviour that the service document does not specify. docfeed records it and does not check it.</p>
<table>
<% for (const [id, value] of it.observations) { %>
<tr><td><code><%= id %></code></td><td class="text"><%= value %></td></tr>
<% } %>
</table>
<% } %>
`;

/** Renders the report as one self-contained HTML file: how much was checked first, then warnings, then failures. */
export function renderHtml(report: Report): string {
  const { target, summary } = report;
  const coverage = ruleCoverage(report);
  return renderPage(`docfeed: ${escapeInvisible(target.url)}`, body, {
    coverage: formatCoverage(coverage),
    gaps: formatGaps(coverage),
    summary: formatSummary(report),
    warnings: report.warnings.map((warning) => escapeInvisible(warning)),
    run: describeRun(report),
    outcomes: byUrgency.flatMap((outcome) =>
      summary[outcome] > 0 ? [{ outcome, count: summary[outcome] }] : [],
    ),
    checks: mostUrgentFirst(report.checks).map((check) => viewCheck(report, check)),
    capabilities: target.capabilities.map(({ name, available, undecided, how, remedy = '' }) => ({
      name: escapeInvisible(name),
      available: undecided ? 'undecided' : available ? 'yes' : 'no',
      how: escapeInvisible(how),
      remedy: escapeInvisible(remedy),
    })),
    greeting: prettyJson(target.greeting),
    observations: report.observations.map(({ id, value }) => [escapeInvisible(id), inlineJson(value, 2_000)]),
  });
}

function viewCheck(report: Report, check: CheckResult): object {
  const { counterexample, replay } = check;
  const script = scriptOf(report, check);
  const violatingExchange = counterexample && findViolatingExchange(counterexample);
  const message = escapeInvisible(counterexample?.message ?? check.reason ?? '');
  const rule = formatRule(check);
  const input = counterexample && 'input' in counterexample ? prettyJson(counterexample.input) : undefined;
  return {
    id: escapeInvisible(check.id),
    outcome: check.outcome,
    level: check.level,
    message,
    rule,
    input,
    open: check.outcome === 'fail',
    properties: [
      // For a known deviation the baseline gives the reason. The reason of a failure would only repeat the evidence.
      ...(check.outcome === 'known' ? [['reason', formatReason(check)]] : []),
      ...(check.settings ? [['settings', formatSettings(check)]] : []),
      ...(counterexample?.path === undefined ? [] : [['at', escapeInvisible(counterexample.path)]]),
      ...(script && 'none' in script ? [['no script', escapeInvisible(script.none)]] : []),
      ['duration', `${formatSeconds(check.durationMs)}, cases: ${check.runs}, requests: ${check.requests}`],
    ],
    values: counterexample
      ? [
          ...('expected' in counterexample ? [['Expected', viewExpected(counterexample.expected)]] : []),
          ...(counterexample.path === undefined && !('actual' in counterexample)
            ? []
            : [['Actual', prettyJson(counterexample.actual)]]),
        ]
      : [],
    terms: counterexample ? explainTerms([message, rule, input].join('\n')) : [],
    replay: replay === undefined ? undefined : replayCommand(report, replay),
    script: script && 'text' in script && { file: script.file, text: escapeInvisible(script.text, '\n') },
    exchanges: (counterexample?.exchanges ?? []).map((exchange, index) => ({
      ...viewExchange(exchange),
      isViolation: index === violatingExchange,
    })),
  };
}

/** Text stays as it is, other values become JSON. */
function viewExpected(expected: unknown): string {
  return typeof expected === 'string' ? escapeInvisible(expected, '\n') : prettyJson(expected);
}

function viewExchange({ request, response }: RecordedExchange): object {
  return {
    title: escapeInvisible(`${request.method} ${request.path}`),
    status: response ? String(response.status) : 'no response',
    request: escapeInvisible(
      `${request.method} ${request.path}\n${formatHeaders(request.headers)}${request.body === undefined ? '' : `\n${request.body}`}`,
      '\n\t',
    ),
    response: response && {
      head: escapeInvisible(`${response.status}\n${formatHeaders(response.headers)}`, '\n\t'),
      chunks: response.chunks.map(({ atMs, text }) => ({
        at: `${atMs.toFixed(1)} ms`,
        text: escapeInvisible(text, '\n\t'),
      })),
      truncated: response.truncated ?? false,
    },
  };
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value.replaceAll('\n', '\\n')}\n`)
    .join('');
}
