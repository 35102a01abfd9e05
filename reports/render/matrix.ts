import { byUrgency, mostUrgentFirst } from '../outcomes.js';
import type { Outcome, Report } from '../report.js';
import { renderPage } from './page.js';
import { describeRun, escapeInvisible, formatReason, formatSummary } from './text.js';

const body = `
<h1>docfeed: comparison of <%= it.servers.length %> servers</h1>
<p><label><input type="checkbox" id="only-different"> Show only rules with different outcomes</label></p>
<div class="matrix">
<table>
<thead>
<tr><th>rule</th>
<% for (const server of it.servers) { %>
<th><%= server.name %></th>
<% } %>
</tr>
</thead>
<tbody>
<tr><td class="faint">run</td>
<% for (const server of it.servers) { %>
<td><details><summary><%= server.summary %></summary>
<% for (const warning of server.warnings) { %>
<p class="warning"><%= warning %></p>
<% } %>
<table class="properties">
<% for (const [label, text] of server.run) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table></details></td>
<% } %>
</tr>
<% for (const { rule, level, cells, isSame } of it.rows) { %>
<tr class="rule<%= isSame ? ' same' : '' %>"><td><code><%= rule %></code> <span class="faint"><%= level %></span></td>
<% for (const { outcome, reasons } of cells) { %>
<td class="<%= outcome %>">
<% if (reasons.length > 0) { %>
<details><summary><span class="outcome"><%= outcome %></span></summary>
<% for (const reason of reasons) { %>
<p><%= reason %></p>
<% } %>
</details>
<% } else { %>
<span class="outcome"><%= outcome %></span>
<% } %>
</td>
<% } %>
</tr>
<% } %>
</tbody>
</table>
</div>
`;

interface Cell {
  outcome: Outcome | 'absent';
  reasons: string[];
}

/** Renders a page with a row for each rule and a column for each report. A cell shows the most urgent outcome. */
export function renderMatrix(reports: readonly Report[]): string {
  const rules = new Map(reports.flatMap(({ checks }) => checks.map(({ rule, level }) => [rule, level])));
  return renderPage('docfeed: comparison of servers', body, {
    servers: reports.map((report) => ({
      name: serverName(report),
      summary: formatSummary(report),
      warnings: report.warnings.map((warning) => escapeInvisible(warning)),
      run: describeRun(report),
    })),
    rows: [...rules].map(([rule, level]) => {
      const cells = reports.map((report) => renderCell(report, rule));
      const isSame = new Set(cells.map(({ outcome }) => outcome)).size === 1;
      return { rule: escapeInvisible(rule), level, cells, isSame };
    }),
  });
}

/** @returns vendor and version as the greeting gives them, or the URL if the greeting names no vendor. */
function serverName({ target }: Report): string {
  const { vendor } = (target.greeting ?? {}) as { vendor?: { name?: unknown } | null };
  const vendorName = typeof vendor?.name === 'string' ? vendor.name : target.url;
  return escapeInvisible(target.version === undefined ? vendorName : `${vendorName} ${target.version}`);
}

function renderCell(report: Report, rule: string): Cell {
  const checks = mostUrgentFirst(report.checks.filter((check) => check.rule === rule));
  const outcome = byUrgency.find((candidate) => checks.some((check) => check.outcome === candidate));
  return {
    outcome: outcome ?? 'absent',
    reasons: checks
      .filter((check) => check.outcome === outcome && check.reason !== undefined)
      .map((check) => `${escapeInvisible(check.id)}: ${formatReason(check)}`),
  };
}
