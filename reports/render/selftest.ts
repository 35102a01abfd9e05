import { type FaultTrial, findings, type LawfulTrial, type SelftestReport } from '../selftest.js';
import { renderEnvironment } from '../environment.js';
import { groupBy } from '../group.js';
import { renderPage } from './page.js';
import { escapeInvisible } from './text.js';

const body = `
<h1>docfeed self-test</h1>
<p>Version <%= it.version %>, <%= it.startedAt %>. The self-test runs the suite against reference servers that each have
one fault. A fault is <em>killed</em> if a check of the rule that it breaks fails. Each check generated at most
<%= it.runs %> cases. The self-test also runs the suite against conforming servers, which must pass every check.</p>
<table class="properties">
<% for (const [label, text] of it.totals) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table>
<% for (const finding of it.findings) { %>
<p class="warning"><%= finding %></p>
<% } %>
<h2>Rules and faults</h2>
<div class="matrix">
<table>
<thead><tr><th>rule</th><th>fault</th><th>wrong behaviour</th><th>outcome</th><th>failed checks of the rule</th><% if (it.hasOthers) { %><th>failed checks of other rules</th><% } %></tr></thead>
<% for (const { rule, faults } of it.rules) { %>
<tbody>
<% for (const [index, { id, summary, outcome, style, by, others }] of faults.entries()) { %>
<tr class="<%= style %>">
<% if (index === 0) { %>
<th scope="rowgroup" rowspan="<%= faults.length %>"><code><%= rule %></code></th>
<% } %>
<td><code><%= id %></code></td><td><%= summary %></td>
<td><span class="outcome"><%= outcome %></span></td><td><code><%= by %></code></td>
<% if (it.hasOthers) { %>
<td><% if (others.length > 0) { %><details><summary><%= others.length %></summary><code><%= others.join(', ') %></code></details><% } %></td>
<% } %>
</tr>
<% } %>
</tbody>
<% } %>
</table>
</div>
<h2>Conforming servers</h2>
<% for (const { circumstances, trials, passed, alarms, style } of it.conforming) { %>
<details<%= alarms > 0 ? ' open' : '' %> class="<%= style %>">
<summary><span class="outcome"><%= alarms === 0 ? 'no false failures' : alarms + ' false failures' %></span>
<%= circumstances %>: <%= trials.length %> runs of the suite, <%= passed %> checks passed</summary>
<table>
<thead><tr><th>seed</th><th>profile</th><th>passed</th><th>skipped</th><th>false failures</th></tr></thead>
<tbody>
<% for (const { seed, profile, passed, skipped, alarms } of trials) { %>
<tr><td><%= seed %></td><td><%= profile %></td><td><%= passed %></td><td><%= skipped %></td><td><%= alarms.length %></td></tr>
<% } %>
</tbody>
</table>
</details>
<% } %>
`;

/** Renders a page with a row for each fault, grouped by rule, and the results of the conforming servers. */
export function renderSelftest(report: SelftestReport): string {
  const { faults, checks, variations, repeats } = report;
  const conforming = [...variations, ...repeats];
  const seeds = new Set(faults.map(({ seed }) => seed)).size;
  const rules = groupBy(faults, ({ rule }) => rule);
  const failedChecks = new Set([
    ...faults.flatMap(({ by }) => by),
    ...checks.flatMap(({ check, fault }) => (fault === undefined ? [] : [check])),
  ]);
  return renderPage('docfeed: self-test', body, {
    version: report.version,
    startedAt: report.startedAt,
    runs: report.runs,
    hasOthers: faults.some(({ others }) => others !== undefined),
    totals: [
      ['command', report.command],
      ['made by', renderEnvironment(report.environment)],
      [
        'faults',
        `${groupBy(faults, ({ id }) => id).length}, of ${rules.length} rules, each with ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`,
      ],
      [
        'killed by a check of their rule',
        `${faults.filter(({ outcome }) => outcome === 'killed').length} of ${faults.length} trials`,
      ],
      [
        'checks that fail at least once',
        `${failedChecks.size} of ${new Set([...failedChecks, ...checks.map(({ check }) => check)]).size}`,
      ],
      [
        'conforming servers',
        `${conforming.length} runs of the suite, ${countPassed(conforming)} checks passed`,
      ],
      ['false failures', String(countAlarms(conforming))],
    ],
    findings: findings(report).map((finding) => escapeInvisible(finding)),
    rules: rules.map(([rule, trials]) => ({
      rule,
      faults: groupBy(trials, ({ id }) => id).map(([, ofFault]) => renderRow(ofFault)),
    })),
    conforming: groupBy(conforming, ({ circumstances }) => circumstances).map(([circumstances, trials]) => ({
      circumstances,
      trials,
      passed: countPassed(trials),
      alarms: countAlarms(trials),
      style: countAlarms(trials) === 0 ? 'pass' : 'fail',
    })),
  });
}

/** Combines the trials of a fault: an outcome that is not `killed`, if any, and all checks that failed. */
function renderRow(trials: readonly FaultTrial[]) {
  const { id, summary, outcome } = trials.find((trial) => trial.outcome !== 'killed') ?? trials[0]!;
  const by = [...new Set(trials.flatMap((trial) => trial.by))].join(', ');
  const others = [...new Set(trials.flatMap((trial) => trial.others ?? []))];
  return { id, summary, outcome, by, others, style: outcome === 'killed' ? 'pass' : 'fail' };
}

const countPassed = (trials: readonly LawfulTrial[]) => trials.reduce((sum, { passed }) => sum + passed, 0);
const countAlarms = (trials: readonly LawfulTrial[]) =>
  trials.reduce((sum, { alarms }) => sum + alarms.length, 0);
