import { groupBy } from '../group.js';
import { byUrgency, mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import { ruleCoverage } from '../rule-coverage.js';
import { viewFilter } from './elements/filter.js';
import { firstSentence, renderProse, renderReason } from './elements/markup.js';
import { ruleStates, viewBar } from './elements/overview.js';
import { renderSources, viewService } from './elements/service.js';
import { renderPage } from './page.js';
import { escapeInvisible } from '../escape.js';
import { describeRun, formatCoverage, formatSummary, inlineJson } from './text.js';

const body = `
<h1>Which server follows which rule</h1>
<p>Each column is a run of docfeed against one server. A cell shows the most urgent outcome of the checks of the rule.</p>
<%~ include('@filter', it.filter) %>
<div class="matrix" tabindex="0" role="region" aria-label="Rules and servers">
<table>
<thead>
<tr><th scope="col">Rule</th>
<% for (const server of it.servers) { %>
<th scope="col"><% if (server.href) { %><a href="<%= server.href %>"><%= server.name %></a><% } else { %><%= server.name %><% } %></th>
<% } %>
</tr>
</thead>
<tbody>
<tr><th scope="row">Run</th>
<% for (const server of it.servers) { %>
<td><%~ include('@bar', { parts: server.parts }) %><%= server.coverage %>
<details><summary>About this run</summary>
<p><%= server.summary %></p>
<% for (const warning of server.warnings) { %><p class="notice"><%~ warning %></p><% } %>
<table class="properties"><% for (const [label, text] of server.run) { %><tr><th scope="row"><%= label %></th><td><%= text %></td></tr><% } %></table>
</details></td>
<% } %>
</tr>
</tbody>
<% for (const { area, rows } of it.areas) { %>
<tbody data-group>
<tr class="area"><th scope="rowgroup" colspan="<%= it.servers.length + 1 %>"><span><%= area %></span></th></tr>
<% for (const { rule, level, source, what, text, outcomes, cells, isDifferent } of rows) { %>
<tr class="rule" id="<%= rule %>" data-text="<%= text %>" data-area="<%= area %>" data-level="<%= level %>" data-outcome="<%= outcomes %>"<% if (isDifferent) { %> data-different<% } %>>
<th scope="row"><code><%= rule %></code> <small><%= level %><% if (source) { %> · <%~ source %><% } %></small><span class="what"><%~ what %></span></th>
<% for (const { outcome, href, reasons } of cells) { %>
<td><% if (href) { %><a class="badge <%= outcome %>" href="<%= href %>"><%= outcome %></a><% } else { %><span class="badge <%= outcome %>"><%= outcome %></span><% } %>
<% if (reasons.length > 0) { %><details><summary>why</summary><% for (const reason of reasons) { %><p><%~ reason %></p><% } %></details><% } %>
</td>
<% } %>
</tr>
<% } %>
</tbody>
<% } %>
</table>
</div>
<% if (it.deviations.length > 0) { %>
<h2 id="deviations">Known deviations</h2>
<% for (const { name, groups } of it.deviations) { %>
<h3><%= name %></h3>
<ul class="plain">
<% for (const { reason, checks } of groups) { %><li><%~ reason %><br><% for (const { id, href } of checks) { %><% if (href) { %><a href="<%= href %>"><code><%= id %></code></a><% } else { %><code><%= id %></code><% } %> <% } %></li><% } %>
</ul>
<% } %>
<% } %>
<% if (it.observations.length > 0) { %>
<h2 id="observations">Observations</h2>
<p>Behaviour that the service document does not specify. docfeed records it and does not check it.</p>
<div class="matrix" tabindex="0" role="region" aria-label="Observations">
<table>
<thead><tr><th scope="col">Behaviour</th><% for (const server of it.servers) { %><th scope="col"><%= server.name %></th><% } %></tr></thead>
<tbody>
<% for (const { id, values, isDifferent } of it.observations) { %>
<tr><th scope="row"><%= id %><% if (isDifferent) { %> <small>differs</small><% } %></th><% for (const value of values) { %><td class="text"><%= value %></td><% } %></tr>
<% } %>
</tbody>
</table>
</div>
<% } %>
<%~ include('@service', it.service) %>
`;

/** A report, and the address of its page relative to the matrix if there is one. */
export interface MatrixColumn {
  readonly report: Report;
  /** Default: vendor and version in the greeting. */
  readonly name?: string;
  readonly href?: string;
}

/** Renders a page with a row for each rule and a column for each report. */
export function renderMatrix(columns: readonly MatrixColumn[]): string {
  const checks = columns.flatMap(({ report }) => report.checks);
  const rules = groupBy(checks, ({ rule }) => rule).map(([, [first]]) => first!);
  const areas = groupBy(rules, ({ area }) => area).map(([area, members]) => ({
    area: escapeInvisible(area),
    rows: members.map((rule) => viewRow(columns, rule)),
  }));
  const occurring = new Set(
    areas.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(({ outcome }) => outcome))),
  );
  return renderPage({ title: 'docfeed: comparison of servers', kind: 'comparison of servers' }, body, {
    servers: columns.map(({ report, name, href }) => ({
      href,
      name: serverName({ report, name }),
      coverage: formatCoverage(ruleCoverage(report)),
      parts: viewBar(ruleStates(report).map(({ state }) => state)),
      summary: formatSummary(report),
      warnings: report.warnings.map(renderProse),
      run: describeRun(report),
    })),
    filter: viewFilter({
      outcomes: [...byUrgency, 'absent'].filter((outcome) => occurring.has(outcome as Outcome)),
      areas: areas.map(({ area }) => area),
      different: 'Where they differ',
    }),
    areas,
    deviations: columns.flatMap((column) => viewDeviations(column)),
    observations: viewObservations(columns),
    service: viewService(),
  });
}

function viewRow(
  columns: readonly MatrixColumn[],
  { rule, level, source = [], statement = '' }: CheckResult,
) {
  const cells = columns.map((column) => viewCell(column, rule));
  const outcomes = new Set(cells.map(({ outcome }) => outcome));
  return {
    ...{ level, cells },
    rule: escapeInvisible(rule),
    source: renderSources(source),
    what: renderProse(firstSentence(statement)),
    text: escapeInvisible(`${rule} ${statement}`.toLowerCase()),
    outcomes: [...outcomes].join(' '),
    isDifferent: outcomes.size > 1,
  };
}

function viewCell({ report, href }: MatrixColumn, rule: string) {
  const checks = mostUrgentFirst(report.checks.filter((check) => check.rule === rule));
  const outcome: Outcome | 'absent' = checks[0]?.outcome ?? 'absent';
  const shown = checks.filter((check) => check.outcome === outcome);
  return {
    outcome,
    href: href === undefined || !shown[0] ? undefined : linkTo(href, shown[0]),
    reasons: groupBy(
      shown.filter(({ reason }) => reason !== undefined),
      ({ reason }) => reason!,
    ).map(([reason, group]) => {
      const ids = group.map(({ id }) => `\`${id}\``).join(', ');
      return renderReason({ ...group[0]!, reason: `${ids}: ${reason}` });
    }),
  };
}

function viewDeviations({ report, name, href }: MatrixColumn) {
  const known = report.checks.filter(({ outcome }) => outcome === 'known');
  if (known.length === 0) return [];
  const groups = groupBy(known, ({ reason = '' }) => reason).map(([reason, checks]) => ({
    reason: renderReason({ outcome: 'known', reason }),
    checks: checks.map((check) => ({
      id: escapeInvisible(check.id),
      href: href === undefined ? undefined : linkTo(href, check),
    })),
  }));
  return [{ name: serverName({ report, name }), groups }];
}

function viewObservations(columns: readonly MatrixColumn[]) {
  const ids = new Set(columns.flatMap(({ report }) => report.observations.map(({ id }) => id)));
  return [...ids].map((id) => {
    const values = columns.map(({ report }) => {
      const observation = report.observations.find((one) => one.id === id);
      return observation ? inlineJson(observation.value, 200) : '–';
    });
    return { id: escapeInvisible(id), values, isDifferent: new Set(values).size > 1 };
  });
}

const linkTo = (href: string, { id }: CheckResult): string => `${href}#${encodeURIComponent(id)}`;

/** @returns the given name, vendor and version as the greeting gives them, or the URL if the greeting names no vendor. */
function serverName({
  name,
  report: { target },
}: Pick<MatrixColumn, 'report'> & { name: string | undefined }): string {
  if (name !== undefined) return escapeInvisible(name);
  const { vendor } = (target.greeting ?? {}) as { vendor?: { name?: unknown } | null };
  const vendorName = typeof vendor?.name === 'string' ? vendor.name : target.url;
  return escapeInvisible(target.version === undefined ? vendorName : `${vendorName} ${target.version}`);
}
