import { findings, type SelftestReport } from '../selftest.js';
import { renderPage } from './page.js';
import { printable } from './text.js';

const body = `
<h1>docfeed: what the suite catches, and what it leaves alone</h1>
<p>Version <%= it.version %>, <%= it.startedAt %>. A fault is killed when a check of the rule that it breaks fails;
each check had <%= it.runs %> generated cases at most. A lawful server must pass every check.</p>
<table class="facts">
<% for (const [label, text] of it.figures) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table>
<% for (const finding of it.findings) { %>
<p class="warning"><%= finding %></p>
<% } %>
<h2>Rules and faults</h2>
<div class="matrix">
<table>
<thead><tr><th>rule</th><th>fault</th><th>what it does wrong</th><th>outcome</th><th>found by</th></tr></thead>
<tbody>
<% for (const { rule, id, summary, outcome, style, by } of it.faults) { %>
<tr class="<%= style %>"><td><code><%= rule %></code></td><td><code><%= id %></code></td><td><%= summary %></td>
<td><span class="outcome"><%= outcome %></span></td><td><%= by %></td></tr>
<% } %>
</tbody>
</table>
</div>
<h2>Lawful servers</h2>
<table>
<thead><tr><th>circumstances</th><th>seed</th><th>passed</th><th>skipped</th><th>alarms</th></tr></thead>
<tbody>
<% for (const { circumstances, seed, passed, skipped, alarms, style } of it.lawful) { %>
<tr class="<%= style %>"><td><%= circumstances %></td><td><%= seed %></td><td><%= passed %></td><td><%= skipped %></td>
<td><span class="outcome"><%= alarms %></span></td></tr>
<% } %>
</tbody>
</table>
`;

/** A page with a row for each fault and for each lawful server. */
export function renderSelftest(report: SelftestReport): string {
  const { faults, variations, repeats } = report;
  const lawful = [...variations, ...repeats];
  const ids = [...new Set(faults.map(({ id }) => id))];
  const byFault = ids.map((wanted) => faults.filter(({ id }) => id === wanted));
  return renderPage('docfeed: self-test', body, {
    version: report.version,
    startedAt: report.startedAt,
    runs: report.runs,
    figures: [
      ['faults', `${ids.length}, of ${new Set(faults.map(({ rule }) => rule)).size} rules`],
      [
        'killed by their rule',
        `${faults.filter(({ outcome }) => outcome === 'killed').length} of ${faults.length} trials`,
      ],
      [
        'lawful servers',
        `${lawful.length}, ${lawful.reduce((sum, { passed }) => sum + passed, 0)} checks passed`,
      ],
      ['false alarms', String(lawful.reduce((sum, { alarms }) => sum + alarms.length, 0))],
    ],
    findings: findings(report).map((finding) => printable(finding)),
    faults: byFault.map((trials) => {
      const worst = trials.find(({ outcome }) => outcome !== 'killed') ?? trials[0]!;
      return {
        ...worst,
        style: worst.outcome === 'killed' ? 'pass' : 'fail',
        by: [...new Set(trials.flatMap(({ by }) => by))].join(', '),
      };
    }),
    lawful: lawful.map((trial) => ({
      ...trial,
      alarms: trial.alarms.length,
      style: trial.alarms.length === 0 ? 'pass' : 'fail',
    })),
  });
}
