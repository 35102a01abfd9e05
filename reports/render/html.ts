import { byUrgency, mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, RecordedExchange, Report } from '../report.js';
import { decisiveExchange } from './decisive.js';
import { renderPage } from './page.js';
import { scriptOf } from './script.js';
import {
  circumstances,
  counts,
  inline,
  pretty,
  printable,
  reasonOf,
  replayCommand,
  ruleText,
  seconds,
  settingsText,
} from './text.js';

const body = `
<h1>docfeed: <%= it.counts %></h1>
<% for (const warning of it.warnings) { %>
<p class="warning"><strong>Warning:</strong> <%= warning %></p>
<% } %>
<table class="facts">
<% for (const [label, text] of it.circumstances) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table>

<fieldset class="filter" aria-label="Which outcomes are shown">
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
<div class="beside">
<% for (const [title, text] of check.values) { %>
<section><h3><%= title %></h3><pre><%= text %></pre></section>
<% } %>
</div>
<% } %>
<table class="facts">
<% for (const [label, text] of check.facts) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
<% if (check.replay !== undefined) { %>
<tr><th scope="row">replay</th><td><code class="command"><%= check.replay %></code></td></tr>
<% } %>
</table>
<% if (check.script) { %>
<details class="script">
<summary>Script of curl commands that shows it: <a href="<%= check.script.file %>"><code><%= check.script.file %></code></a></summary>
<pre><%= check.script.text %></pre>
</details>
<% } %>
<% if (check.input !== undefined) { %>
<h3>Smallest input that shows it</h3>
<pre><%= check.input %></pre>
<% } %>
<% if (check.exchanges.length > 0) { %>
<h3>Exchanges</h3>
<% } %>
<% for (const exchange of check.exchanges) { %>
<details class="exchange"<% if (exchange.open) { %> open<% } %>>
<summary><code><%= exchange.title %></code> <%= exchange.status %><% if (exchange.open) { %> <strong>shows it</strong><% } %></summary>
<pre><%= exchange.request %></pre>
<% if (exchange.response) { %>
<pre><%= exchange.response.head %></pre>
<table>
<% for (const { at, text } of exchange.response.chunks) { %>
<tr><td class="at"><%= at %></td><td class="text"><%= text %></td></tr>
<% } %>
</table>
<% if (exchange.response.truncated) { %>
<p class="faint">The body went on.</p>
<% } %>
<% } %>
</details>
<% } %>
</details>
<% } %>

<h2>Capabilities of the target</h2>
<table>
<tr><th>capability</th><th>there</th><th>how this is known</th></tr>
<% for (const { name, available, how } of it.capabilities) { %>
<tr><td><code><%= name %></code></td><td><%= available ? 'yes' : 'no' %></td><td><%= how %></td></tr>
<% } %>
</table>
<h2>Greeting</h2>
<pre><%= it.greeting %></pre>
<% if (it.observations.length > 0) { %>
<h2>Observations</h2>
<p>What the target does where the service document leaves it open: recorded, not judged.</p>
<table>
<% for (const [id, value] of it.observations) { %>
<tr><td><code><%= id %></code></td><td class="text"><%= value %></td></tr>
<% } %>
</table>
<% } %>
`;

/** The report as one self-contained HTML file: summary and warnings first, then the checks, failures on top. */
export function renderHtml(report: Report): string {
  const { target, summary } = report;
  return renderPage(`docfeed: ${printable(target.url)}`, body, {
    counts: counts(report),
    warnings: report.warnings.map((warning) => printable(warning)),
    circumstances: circumstances(report),
    outcomes: byUrgency.flatMap((outcome) =>
      summary[outcome] > 0 ? [{ outcome, count: summary[outcome] }] : [],
    ),
    checks: mostUrgentFirst(report.checks).map((check) => viewOf(report, check)),
    capabilities: target.capabilities.map(({ name, available, how }) => ({
      name: printable(name),
      available,
      how: printable(how),
    })),
    greeting: pretty(target.greeting),
    observations: report.observations.map(({ id, value }) => [printable(id), inline(value, 2_000)]),
  });
}

function viewOf(report: Report, check: CheckResult): object {
  const { counterexample: found, replay } = check;
  const script = scriptOf(report, check);
  const decisive = found && decisiveExchange(found);
  return {
    id: printable(check.id),
    outcome: check.outcome,
    level: check.level,
    message: printable(found?.message ?? check.reason ?? ''),
    open: check.outcome === 'fail',
    rule: ruleText(check),
    facts: [
      // The baseline's reason for a known deviation; the reason of a failure only says again what follows here.
      ...(check.outcome === 'known' ? [['reason', reasonOf(check)]] : []),
      ...(check.settings ? [['under', settingsText(check)]] : []),
      ...(found?.path === undefined ? [] : [['at', printable(found.path)]]),
      ...(script && 'none' in script ? [['no script', printable(script.none)]] : []),
      ['effort', `${seconds(check.durationMs)}, cases: ${check.runs}, requests: ${check.requests}`],
    ],
    values: found
      ? [
          ...('expected' in found ? [['Expected', valueOf(found.expected)]] : []),
          ...(found.path === undefined && !('actual' in found) ? [] : [['Actual', pretty(found.actual)]]),
        ]
      : [],
    replay: replay === undefined ? undefined : replayCommand(report, replay),
    input: found && 'input' in found ? pretty(found.input) : undefined,
    script: script && 'text' in script && { file: script.file, text: printable(script.text, '\n') },
    exchanges:
      found?.exchanges.map((exchange, index) => ({ ...exchangeView(exchange), open: index === decisive })) ??
      [],
  };
}

/** A phrase stands as it is, a value is shown as JSON. */
function valueOf(expected: unknown): string {
  return typeof expected === 'string' ? printable(expected, '\n') : pretty(expected);
}

function exchangeView({ request, response }: RecordedExchange): object {
  return {
    title: printable(`${request.method} ${request.path}`),
    status: response ? String(response.status) : 'no response',
    request: printable(
      `${request.method} ${request.path}\n${headerLines(request.headers)}${request.body === undefined ? '' : `\n${request.body}`}`,
      '\n\t',
    ),
    response: response && {
      head: printable(`${response.status}\n${headerLines(response.headers)}`, '\n\t'),
      chunks: response.chunks.map(({ atMs, text }) => ({
        at: `${atMs.toFixed(1)} ms`,
        text: printable(text, '\n\t'),
      })),
      truncated: response.truncated ?? false,
    },
  };
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value.replaceAll('\n', '\\n')}\n`)
    .join('');
}
