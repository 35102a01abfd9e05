/** Style and template of the report page. Filters work by CSS alone, so the page holds no script. */

export const pageStyle = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #161b22);
  --pass: light-dark(#1a7f37, #3fb950); --fail: light-dark(#cf222e, #f85149); --warn: light-dark(#9a6700, #d29922);
  --known: light-dark(#0969da, #58a6ff); --skipped: light-dark(#59636e, #9198a1); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt { color: var(--skipped); } dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem; margin: .3rem 0;
  overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.warning { border-left: 4px solid var(--warn); background: var(--soft); padding: .4rem .8rem; margin: .4rem 0; }
.filters { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; }
summary { padding: .35rem .7rem; cursor: pointer; }
details > div { padding: 0 .8rem .6rem; }
details.plain { padding: .35rem .7rem; }
.badge { display: inline-block; min-width: 6.5rem; font-weight: 600; }
.pass { color: var(--pass); } .fail, .error { color: var(--fail); } .known { color: var(--known); }
.warn, .blocked, .inconclusive { color: var(--warn); } .skipped { color: var(--skipped); }
.reason { color: var(--skipped); }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0;
  text-align: left; vertical-align: top; }
`;

export const reportTemplate = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docfeed: <%= it.report.target.url %></title>
<style><%~ it.style %>
<% for (const outcome of it.outcomes) { %>
body:has(#show-<%= outcome %>:not(:checked)) .row-<%= outcome %> { display: none; }
<% } %></style>
<h1>docfeed: <%= it.report.target.url %></h1>
<p><strong><%= it.counts %></strong></p>
<% for (const warning of it.report.warnings) { %><p class="warning"><%= warning %></p>
<% } %>
<dl>
<dt>dialect</dt><dd><%= it.report.target.dialect %></dd>
<dt>version</dt><dd><%= it.report.target.version ?? 'not told' %></dd>
<dt>greeting</dt><dd><code><%= JSON.stringify(it.report.target.greeting) %></code></dd>
<dt>run</dt><dd><%= it.report.suite.startedAt %>, <%= (it.report.suite.durationMs / 1000).toFixed(1) %> s, profile
 <%= it.report.suite.profile %>, seed <%= it.report.suite.seed %></dd>
<dt>docfeed</dt><dd><%= it.report.suite.version %>, specification <%= it.report.suite.specification %></dd>
</dl>
<div class="filters">
<% for (const outcome of it.outcomes) { %>
<label class="<%= outcome %>"><input type="checkbox" id="show-<%= outcome %>" checked>
 <%= outcome %> (<%= it.report.summary[outcome] %>)</label>
<% } %>
</div>
<% for (const check of it.checks) { const found = check.counterexample; %>
<details class="row-<%= check.outcome %>" id="<%= check.id %>"<% if (check.outcome === 'fail') { %> open<% } %>>
<summary><span class="badge <%= check.outcome %>"><%= check.outcome %></span> <code><%= check.id %></code>
<% if (check.reason) { %><span class="reason"><%= check.reason %></span><% } %></summary>
<div>
<dl>
<dt>rule</dt><dd><code><%= check.rule %></code> (<%= check.level %>)</dd>
<dt>took</dt><dd><%= (check.durationMs / 1000).toFixed(2) %> s, <%= check.runs %> case<%= check.runs === 1 ? '' : 's' %>,
 <%= check.requests %> request<%= check.requests === 1 ? '' : 's' %></dd>
<% if (found?.path) { %><dt>at</dt><dd><code><%= found.path %></code></dd><% } %>
<% if (it.replayCommand(check)) { %><dt>replay</dt><dd><code><%= it.replayCommand(check) %></code></dd><% } %>
</dl>
<% if (found) { %>
<% if ('expected' in found) { %>Expected<pre><%= it.pretty(found.expected) %></pre>
Actual<pre><%= it.pretty(found.actual) %></pre><% } %>
<% if ('input' in found) { %>Smallest input<pre><%= it.pretty(found.input) %></pre><% } %>
<% for (const { request, response } of found.exchanges) { %>
<details><summary><code><%= request.method %> <%= request.path %></code>
 <%= response ? response.status : 'no response' %></summary><div>
<pre><% for (const [name, value] of Object.entries(request.headers)) { %><%= name %>: <%= value %>

<% } %><%= request.body ?? '' %></pre>
<% if (response) { %><pre><% for (const [name, value] of Object.entries(response.headers)) { %><%= name %>: <%= value %>

<% } %></pre>
<table><tr><th>after</th><th>bytes</th></tr>
<% for (const chunk of response.chunks) { %><tr><td><%= chunk.atMs.toFixed(1) %> ms</td><td><code><%= chunk.text %></code></td></tr>
<% } %></table><% if (response.truncated) { %><p>The body was longer.</p><% } %><% } %>
</div></details>
<% } %>
<% } %>
</div></details>
<% } %>
<h2>Capabilities</h2>
<table><tr><th>capability</th><th>available</th><th>how the kit knows</th></tr>
<% for (const capability of it.report.target.capabilities) { %>
<tr><td><code><%= capability.name %></code></td><td><%= capability.available ? 'yes' : 'no' %></td><td><%= capability.how %></td></tr>
<% } %></table>
<% if (it.report.observations.length > 0) { %>
<h2>Observations</h2>
<p>Behaviour that the service document leaves open: recorded, never judged.</p>
<table><% for (const { id, value } of it.report.observations) { %>
<tr><td><code><%= id %></code></td><td><code><%= JSON.stringify(value) %></code></td></tr>
<% } %></table>
<% } %>
</html>
`;
