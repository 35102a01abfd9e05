import { groupBy } from '../group.js';
import { mostUrgentFirst } from '../outcomes.js';
import type { CheckResult, Outcome, Report } from '../report.js';
import { groupByReason } from '../reasons.js';
import { ruleCoverage } from '../rule-coverage.js';
import { viewFilter } from './elements/filter.js';
import { firstSentence, renderProse, renderReason } from './elements/markup.js';
import { stateOf, stateOfRule, viewBar } from './elements/overview.js';
import { renderSources, viewService } from './elements/service.js';
import { renderPage } from './page.js';
import { describeRun, formatCoverage, formatOutcome, formatSummary, inlineJson } from './text.js';

const body = `
<h1>Which server follows which rule</h1>
<p>Each column is a run of docfeed against one server. A cell shows the most urgent outcome of the checks of the rule, and
leads to the evidence.</p>
<ul class="legend" aria-label="Legend"><% for (const { style, label } of it.legend) { %><li><span class="cell <%= style %>" aria-hidden="true"></span> <%= label %></li><% } %></ul>
<%~ include('@filter', it.filter) %>
<p class="hint">The table scrolls sideways.</p>
<div class="matrix" tabindex="0" role="region" aria-label="Rules and servers">
<table>
<thead>
<tr><th scope="col">Rule</th>
<% for (const { name, href } of it.servers) { %>
<th scope="col"><span><% if (href) { %><a href="<%= href %>"><%= name %></a><% } else { %><%= name %><% } %></span></th>
<% } %>
</tr>
</thead>
<% for (const { title, summary, isFolded, bars, rows } of it.groups) { %>
<tbody data-group<% if (isFolded) { %> data-folded<% } %>>
<tr class="area"><th scope="rowgroup"><% if (isFolded) { %><button type="button" class="fold" aria-expanded="true"><%= title %></button><% } else { %><strong><%= title %></strong><% } %> <small><%= summary %></small></th>
<% for (const parts of bars) { %><td><%~ include('@bar', { parts }) %></td><% } %>
</tr>
<% for (const { rule, level, source, what, text, area, outcomes, cells, reasons, isDifferent } of rows) { %>
<tr class="rule" id="<%= rule %>" data-text="<%= text %>" data-area="<%= area %>" data-level="<%= level %>" data-outcome="<%= outcomes %>"<% if (isDifferent) { %> data-different<% } %>>
<th scope="row"><code><%= rule %></code> <small><%= level %><% if (source) { %> · <%~ source %><% } %></small><span class="what"><%~ what %></span>
<% if (reasons.length > 0) { %><details><summary>why</summary><% for (const reason of reasons) { %><p><%~ reason %></p><% } %></details><% } %></th>
<% for (const { style, label, href } of cells) { %>
<td><% if (href) { %><a class="cell <%= style %>" href="<%= href %>"><span><%= label %></span></a><% } else { %><span class="cell <%= style %>"><span><%= label %></span></span><% } %></td>
<% } %>
</tr>
<% } %>
</tbody>
<% } %>
</table>
</div>
<h2 id="runs">Runs</h2>
<% for (const server of it.servers) { %>
<details class="area"><summary><%= server.name %> <small><%= server.coverage %></small></summary>
<p><%= server.summary %></p>
<% for (const warning of server.warnings) { %><p class="notice"><%~ warning %></p><% } %>
<table class="properties"><% for (const [label, text] of server.run) { %><tr><th scope="row"><%= label %></th><td><%= text %></td></tr><% } %></table>
<% if (server.deviations.length > 0) { %>
<h3>Known deviations</h3>
<ul class="plain">
<% for (const { reason, checks } of server.deviations) { %><li><%~ reason %><br><% for (const { id, href } of checks) { %><% if (href) { %><a href="<%= href %>"><code><%= id %></code></a><% } else { %><code><%= id %></code><% } %> <% } %></li><% } %>
</ul>
<% } %>
</details>
<% } %>
<% if (it.observations.length > 0) { %>
<h2 id="observations">Observations</h2>
<p>Behaviour that the service document does not specify. docfeed records it and does not check it.</p>
<div class="matrix observed" tabindex="0" role="region" aria-label="Observations">
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
  readonly href?: string | undefined;
}

const deviating = ['fail', 'warn', 'known'] as const satisfies readonly Outcome[];

type NamedColumn = MatrixColumn & { readonly name: string };

const legend = {
  pass: 'the rule holds',
  fail: 'the rule is violated',
  warn: 'a recommendation is not followed',
  known: 'a deviation that the baseline explains',
  blocked: 'undecided: something else fails first',
  inconclusive: 'undecided: time or the connection',
  error: 'undecided: a defect of docfeed',
  skipped: 'not checked: the server does not offer what the check needs',
  absent: 'not selected',
} as const satisfies Record<Outcome | 'absent', string>;

/** The classes of a cell for a rule that holds, of which only a part was judged. */
const partly = 'pass partly';

/** Renders a page with a row for each rule and a column for each report: first the rules for which they differ. */
export function renderMatrix(columns: readonly MatrixColumn[]): string {
  const named = columns.map((column) => ({ ...column, name: serverName(column) }));
  const checks = named.flatMap(({ report }) => report.checks);
  const rules = groupBy(checks, ({ rule }) => rule).map(([, [first]]) => first!);
  const rows = rules.map((rule) => viewRow(named, rule));
  const [different, same] = [rows.filter((row) => row.isDifferent), rows.filter((row) => !row.isDifferent)];
  const areas = groupBy(rows, ({ area }) => area);
  const occurring = (Object.keys(legend) as (keyof typeof legend)[]).filter((outcome) =>
    rows.some(({ cells }) => cells.some((cell) => cell.outcome === outcome)),
  );
  const viewBars = (members: typeof rows) =>
    named.map((_, index) => viewBar(members.map(({ cells }) => cells[index]!.state)));
  const isPartly = rows.some(({ cells }) => cells.some(({ state }) => state === 'partly'));
  return renderPage({ title: 'docfeed: comparison of servers', kind: 'comparison of servers' }, body, {
    legend: [
      ...occurring.map((outcome) => ({ style: outcome, label: legend[outcome] })),
      ...(isPartly ? [{ style: partly, label: 'the rule holds as far as the traffic shows it' }] : []),
    ],
    servers: named.map(({ report, name, href }) => ({
      href,
      name,
      coverage: formatCoverage(ruleCoverage(report)),
      summary: formatSummary(report),
      warnings: report.warnings.map(renderProse),
      run: describeRun(report),
      deviations: viewDeviations({ report, href }),
    })),
    filter: viewFilter(
      { Outcome: occurring, Area: areas.map(([area]) => area), Level: ['MUST', 'SHOULD'] },
      'Only where they differ',
    ),
    groups: [
      {
        title: 'Where they differ',
        rows: different,
        isFolded: false,
        summary: `${different.length} of ${rows.length} rules`,
        bars: viewBars(different),
      },
      ...groupBy(same, ({ area }) => area).map(([area, members]) => ({
        title: area,
        rows: members,
        isFolded: true,
        summary: `${members.length} ${members.length === 1 ? 'rule' : 'rules'} without a difference where they were checked`,
        bars: viewBars(members),
      })),
    ].filter((group) => group.rows.length > 0),
    observations: viewObservations(named),
    service: viewService(),
  });
}

function viewRow(
  columns: readonly NamedColumn[],
  { rule, area, level, source = [], statement = '' }: CheckResult,
) {
  const shown = columns.map(({ name, report, href }) => {
    const checks = mostUrgentFirst(report.checks.filter((check) => check.rule === rule));
    const outcome: Outcome | 'absent' = checks[0]?.outcome ?? 'absent';
    return { name, outcome, href, checks: checks.filter((check) => check.outcome === outcome) };
  });
  const outcomes = new Set(shown.map(({ outcome }) => outcome));
  return {
    level,
    rule,
    area,
    source: renderSources(source),
    what: renderProse(firstSentence(statement)),
    text: `${rule} ${statement}`.toLowerCase(),
    cells: shown.map(({ outcome, href, checks: [check] }) => {
      const state = check ? stateOfRule(check) : stateOf[outcome];
      return {
        outcome,
        state,
        style: state === 'partly' ? partly : outcome,
        label: check ? formatOutcome(check) : outcome,
        href: href === undefined || !check ? undefined : linkTo(href, check),
      };
    }),
    // Servers often share a reason, such as one issue of their common code.
    reasons: groupBy(
      shown.flatMap(({ name, checks }) =>
        checks.flatMap((check) =>
          check.reason === undefined ? [] : [{ name, check, reason: check.reason }],
        ),
      ),
      ({ reason }) => reason,
    ).map(([reason, members]) => {
      const names = [...new Set(members.map(({ name }) => name))].join('; ');
      const ids = [...new Set(members.map(({ check }) => `\`${check.id}\``))].join(', ');
      return renderReason({ ...members[0]!.check, reason: `${names} (${ids}): ${reason}` });
    }),
    outcomes: [...outcomes].join(' '),
    // Whether a server offers what a check needs says nothing about the rule.
    isDifferent: outcomes.size > 1 && deviating.some((outcome) => outcomes.has(outcome)),
  };
}

function viewDeviations({ report, href }: Pick<MatrixColumn, 'report' | 'href'>) {
  const known = report.checks.filter(({ outcome }) => outcome === 'known');
  return groupByReason(report, known).map(({ reason, checks }) => ({
    reason: renderReason({ outcome: 'known', reason }),
    checks: checks.map((check) => ({
      id: check.id,
      href: href === undefined ? undefined : linkTo(href, check),
    })),
  }));
}

function viewObservations(columns: readonly MatrixColumn[]) {
  const ids = new Set(columns.flatMap(({ report }) => report.observations.map(({ id }) => id)));
  return [...ids].map((id) => {
    const values = columns.map(({ report }) => {
      const observation = report.observations.find((one) => one.id === id);
      return observation ? inlineJson(observation.value, 200) : '–';
    });
    return { id, values, isDifferent: new Set(values).size > 1 };
  });
}

const linkTo = (href: string, { id }: CheckResult): string => `${href}#${encodeURIComponent(id)}`;

/** @returns the given name, vendor and version as the greeting gives them, or the URL if the greeting names no vendor. */
function serverName({ name, report: { target } }: MatrixColumn): string {
  if (name !== undefined) return name;
  const { vendor } = (target.greeting ?? {}) as { vendor?: { name?: unknown } | null };
  const vendorName = typeof vendor?.name === 'string' ? vendor.name : target.url;
  return target.version === undefined ? vendorName : `${vendorName} ${target.version}`;
}
