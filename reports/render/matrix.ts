import { byUrgency, mostUrgentFirst } from '../outcomes.js';
import type { Outcome, Report } from '../report.js';
import { renderPage } from './page.js';
import { circumstances, counts, printable, reasonOf } from './text.js';

const body = `
<h1>docfeed: <%= it.servers.length %> servers side by side</h1>
<p><label><input type="checkbox" id="only-different"> only rules on which they differ</label></p>
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
<td><details><summary><%= server.counts %></summary>
<% for (const warning of server.warnings) { %>
<p class="warning"><%= warning %></p>
<% } %>
<table class="facts">
<% for (const [label, text] of server.circumstances) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table></details></td>
<% } %>
</tr>
<% for (const { rule, level, cells, alike } of it.rows) { %>
<tr class="rule<%= alike ? ' alike' : '' %>"><td><code><%= rule %></code> <span class="faint"><%= level %></span></td>
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

/** A page with a row a rule and a column a report: of several checks of a rule the one that needs attention most. */
export function renderMatrix(reports: readonly Report[]): string {
  const rules = new Map(reports.flatMap(({ checks }) => checks.map(({ rule, level }) => [rule, level])));
  return renderPage('docfeed: servers side by side', body, {
    servers: reports.map((report) => ({
      name: serverName(report),
      counts: counts(report),
      warnings: report.warnings.map((warning) => printable(warning)),
      circumstances: circumstances(report),
    })),
    rows: [...rules].map(([rule, level]) => {
      const cells = reports.map((report) => cellOf(report, rule));
      const alike = new Set(cells.map(({ outcome }) => outcome)).size === 1;
      return { rule: printable(rule), level, cells, alike };
    }),
  });
}

/** What the greeting says of product and version, if it says it in the usual way. */
function serverName({ target }: Report): string {
  const { vendor } = (target.greeting ?? {}) as { vendor?: { name?: unknown } | null };
  const vendorName = typeof vendor?.name === 'string' ? vendor.name : target.url;
  return printable(target.version === undefined ? vendorName : `${vendorName} ${target.version}`);
}

function cellOf(report: Report, rule: string): Cell {
  const checks = mostUrgentFirst(report.checks.filter((check) => check.rule === rule));
  const outcome = byUrgency.find((candidate) => checks.some((check) => check.outcome === candidate));
  return {
    outcome: outcome ?? 'absent',
    reasons: checks
      .filter((check) => check.outcome === outcome && check.reason !== undefined)
      .map((check) => `${printable(check.id)}: ${reasonOf(check)}`),
  };
}
