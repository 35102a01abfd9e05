import { type FaultTrial, findings, type LawfulTrial, type SelftestReport } from '../selftest.js';
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
<thead><tr><th>rule</th><th>fault</th><th>what it does wrong</th><th>outcome</th><th>found by</th><% if (it.whole) { %><th>other checks that fail</th><% } %></tr></thead>
<% for (const { rule, faults } of it.rules) { %>
<tbody>
<% for (const [index, { id, summary, outcome, style, by, others }] of faults.entries()) { %>
<tr class="<%= style %>">
<% if (index === 0) { %>
<th scope="rowgroup" rowspan="<%= faults.length %>"><code><%= rule %></code></th>
<% } %>
<td><code><%= id %></code></td><td><%= summary %></td>
<td><span class="outcome"><%= outcome %></span></td><td><code><%= by %></code></td>
<% if (it.whole) { %>
<td><% if (others.length > 0) { %><details><summary><%= others.length %></summary><code><%= others.join(', ') %></code></details><% } %></td>
<% } %>
</tr>
<% } %>
</tbody>
<% } %>
</table>
</div>
<h2>Lawful servers</h2>
<% for (const { circumstances, trials, passed, alarms, style } of it.lawful) { %>
<details<%= alarms > 0 ? ' open' : '' %> class="<%= style %>">
<summary><span class="outcome"><%= alarms === 0 ? 'no false alarm' : alarms + ' false alarms' %></span>
<%= circumstances %>: <%= trials.length %> runs of the suite, <%= passed %> checks passed</summary>
<table>
<thead><tr><th>seed</th><th>profile</th><th>passed</th><th>skipped</th><th>alarms</th></tr></thead>
<tbody>
<% for (const { seed, profile, passed, skipped, alarms } of trials) { %>
<tr><td><%= seed %></td><td><%= profile %></td><td><%= passed %></td><td><%= skipped %></td><td><%= alarms.length %></td></tr>
<% } %>
</tbody>
</table>
</details>
<% } %>
`;

/** A page with a row for each fault, by the rule that it breaks, and with what became of lawful servers. */
export function renderSelftest(report: SelftestReport): string {
  const { faults, checks, variations, repeats } = report;
  const lawful = [...variations, ...repeats];
  const seeds = new Set(faults.map(({ seed }) => seed)).size;
  const rules = grouped(faults, ({ rule }) => rule);
  const seen = new Set([
    ...faults.flatMap(({ by }) => by),
    ...checks.flatMap(({ check, fault }) => (fault === undefined ? [] : [check])),
  ]);
  return renderPage('docfeed: self-test', body, {
    version: report.version,
    startedAt: report.startedAt,
    runs: report.runs,
    whole: faults.some(({ others }) => others !== undefined),
    figures: [
      [
        'faults',
        `${grouped(faults, ({ id }) => id).length}, of ${rules.length} rules, each with ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`,
      ],
      [
        'killed by their rule',
        `${faults.filter(({ outcome }) => outcome === 'killed').length} of ${faults.length} trials`,
      ],
      [
        'checks seen to fail',
        `${seen.size} of ${new Set([...seen, ...checks.map(({ check }) => check)]).size}`,
      ],
      ['lawful servers', `${lawful.length} runs of the suite, ${passedIn(lawful)} checks passed`],
      ['false alarms', String(alarmsIn(lawful))],
    ],
    findings: findings(report).map((finding) => printable(finding)),
    rules: rules.map(([rule, trials]) => ({
      rule,
      faults: grouped(trials, ({ id }) => id).map(([, ofFault]) => rowOf(ofFault)),
    })),
    lawful: grouped(lawful, ({ circumstances }) => circumstances).map(([circumstances, trials]) => ({
      circumstances,
      trials,
      passed: passedIn(trials),
      alarms: alarmsIn(trials),
      style: alarmsIn(trials) === 0 ? 'pass' : 'fail',
    })),
  });
}

/** Of the trials of a fault the worst outcome, and all that has found it. */
function rowOf(trials: readonly FaultTrial[]) {
  const { id, summary, outcome } = trials.find((trial) => trial.outcome !== 'killed') ?? trials[0]!;
  const by = [...new Set(trials.flatMap((trial) => trial.by))].join(', ');
  const others = [...new Set(trials.flatMap((trial) => trial.others ?? []))];
  return { id, summary, outcome, by, others, style: outcome === 'killed' ? 'pass' : 'fail' };
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups];
}

const passedIn = (trials: readonly LawfulTrial[]) => trials.reduce((sum, { passed }) => sum + passed, 0);
const alarmsIn = (trials: readonly LawfulTrial[]) =>
  trials.reduce((sum, { alarms }) => sum + alarms.length, 0);
