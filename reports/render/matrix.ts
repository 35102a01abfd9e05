import { Eta } from 'eta';
import type { Outcome, Report } from '../report.js';
import { byUrgency } from '../text.js';
import { pageStyle } from './html-template.js';

const template = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docfeed: <%= it.reports.length %> servers side by side</title>
<style><%~ it.style %></style>
<h1>Rules and servers</h1>
<table>
<tr><th>rule</th><% for (const report of it.reports) { %>
<th><%= report.target.url %><br><code><%= JSON.stringify(report.target.greeting) %></code></th><% } %></tr>
<% for (const { rule, level, cells } of it.rows) { %>
<tr><td><code><%= rule %></code> <span class="reason"><%= level %></span></td><% for (const cell of cells) { %>
<td class="<%= cell.outcome %>" title="<%= cell.reason %>"><%= cell.outcome %></td><% } %></tr>
<% } %>
</table>
</html>
`;

const eta = new Eta({ autoEscape: true });

/** A page with a row a rule and a column a server. A rule with several checks shows the one that needs attention most. */
export function renderMatrix(reports: readonly Report[]): string {
  const rules = new Map(reports.flatMap(({ checks }) => checks.map(({ rule, level }) => [rule, level])));
  const rows = [...rules].map(([rule, level]) => ({
    rule,
    level,
    cells: reports.map((report) => mostUrgent(report, rule)),
  }));
  return eta.renderString(template, { style: pageStyle, reports, rows });
}

function mostUrgent(report: Report, rule: string): { outcome: Outcome | ''; reason: string } {
  const checks = report.checks.filter((check) => check.rule === rule);
  const outcome = byUrgency.find((candidate) => checks.some((check) => check.outcome === candidate));
  return { outcome: outcome ?? '', reason: checks.find((check) => check.outcome === outcome)?.reason ?? '' };
}
