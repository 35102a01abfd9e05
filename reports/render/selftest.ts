import {
  type FaultTrial,
  findings,
  type ConformingTrial,
  type SelftestReport,
  showsNothing,
} from '../selftest.js';
import { renderEnvironment } from '../origin.js';
import { groupBy } from '../group.js';
import { renderPage } from './page.js';
import { viewFilter } from './elements/filter.js';
import { renderProse } from './elements/markup.js';

const body = `
<div class="verdict <%= it.findings.length === 0 ? 'pass' : 'fail' %>">
<h1><%= it.verdict %></h1>
<p><strong><%= it.killed %></strong></p>
<p class="faint">Version <%= it.version %> · <%= it.startedAt %></p>
</div>
<p>The self-test runs the suite against reference servers that each have one fault. A fault is <em>killed</em>, that is found, if a check
of the rule that it breaks fails. It generates <%= it.cases %>. The self-test also runs the suite
against conforming servers, which must pass every check.</p>
<table class="properties">
<% for (const [label, text] of it.totals) { %>
<tr><th scope="row"><%= label %></th><td><%= text %></td></tr>
<% } %>
</table>
<% for (const finding of it.findings) { %>
<p class="notice fail"><%~ finding %></p>
<% } %>
<h2>Rules and faults</h2>
<%~ include('@filter', it.filter) %>
<% for (const { area, rules } of it.areas) { %>
<details class="area" data-group><summary><%= area %> <small><%= rules.length %> rules</small></summary>
<div class="scroll" tabindex="0" role="region" aria-label="<%= area %>">
<table>
<thead><tr><th>Rule</th><th>Fault</th><th>Wrong behaviour</th><th>Outcome</th><th>Failed checks of the rule</th><% if (it.hasOthers) { %><th>Failed checks of other rules</th><% } %></tr></thead>
<tbody>
<% for (const { id, rule, text, outcome, summary, label, by, others } of rules.flatMap(({ faults }) => faults)) { %>
<tr data-text="<%= text %>" data-outcome="<%= label %>" data-area="<%= area %>">
<td><code><%= rule %></code></td><td><code><%= id %></code></td><td><%~ summary %></td>
<td><span class="badge <%= outcome %>"><%= label %></span></td><td><code><%= by %></code></td>
<% if (it.hasOthers) { %>
<td><% if (others.length > 0) { %><details><summary><%= others.length %></summary><code><%= others.join(', ') %></code></details><% } %></td>
<% } %>
</tr>
<% } %>
</tbody>
</table>
</div>
</details>
<% } %>
<h2>Conforming servers, and servers that lack something</h2>
<% for (const { circumstances, trials, passed, label, outcome } of it.conforming) { %>
<details class="area"<%= outcome === 'fail' ? ' open' : '' %>>
<summary><span class="badge <%= outcome %>"><%= label %></span>
<%= circumstances %> <small><%= trials.length === 1 ? '1 run' : trials.length + ' runs' %> of the suite, <%= passed %> checks passed</small></summary>
<table>
<thead><tr><th>Seed</th><th>Profile</th><th>Passed</th><th>Skipped</th><th>False failures</th></tr></thead>
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
  const { faults, busyFaults = [], checks, variations, repeats } = report;
  const { lacking = [], lackingFaults = [] } = report;
  const conforming = [...variations, ...lacking, ...repeats];
  const seeds = new Set(faults.map(({ seed }) => seed)).size;
  const rules = groupBy(faults, ({ rule }) => rule);
  const failedChecks = new Set([
    ...faults.flatMap(({ by }) => by),
    ...checks.flatMap(({ check, fault }) => (fault === undefined ? [] : [check])),
  ]);
  const problems = findings(report);
  const killed = faults.filter(({ outcome }) => outcome === 'killed').length;
  const rows = rules.map(([rule, trials]) => ({
    rule,
    area: trials[0]!.area,
    faults: groupBy(trials, ({ id }) => id).map(([, ofFault]) => viewFault(ofFault)),
  }));
  const areas = groupBy(rows, ({ area }) => area).map(([area, members]) => ({ area, rules: members }));
  return renderPage({ title: 'docfeed: self-test', kind: 'self-test' }, body, {
    verdict:
      problems.length === 0 ? 'The suite finds every fault' : `${problems.length} problems of the suite`,
    killed: `${killed} of ${faults.length} runs with a fault found it, ${countAlarms(conforming)} false failures`,
    version: report.version,
    startedAt: report.startedAt,
    cases:
      report.cases === undefined
        ? 'as many cases as a run of the default profile'
        : `${report.cases} cases per property`,
    hasOthers: faults.some(({ others }) => others !== undefined),
    totals: [
      ['command', report.command],
      ['made by', renderEnvironment(report.environment)],
      [
        'faults',
        `${groupBy(faults, ({ id }) => id).length}, of ${rules.length} rules, each with ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`,
      ],
      ['killed by a check of their rule', `${killed} of ${faults.length} runs`],
      ...(busyFaults.length === 0
        ? []
        : [['faults in periods, on a busy machine', countOutcomes(busyFaults)] as const]),
      ...(lackingFaults.length === 0
        ? []
        : [['faults of servers that lack something', countOutcomes(lackingFaults)] as const]),
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
    findings: problems.map(renderProse),
    filter: viewFilter({
      Outcome: [...new Set(faults.map(({ outcome }) => outcome))],
      Area: areas.map(({ area }) => area),
    }),
    areas,
    conforming: groupBy(conforming, ({ circumstances }) => circumstances)
      .map(([circumstances, trials]) => ({
        circumstances,
        trials,
        passed: countPassed(trials),
        ...viewConforming(trials),
      }))
      // Trials end in any order. `numeric` sorts versions.
      .sort((a, b) => a.circumstances.localeCompare(b.circumstances, 'en', { numeric: true })),
  });
}

/** Combines the trials of a fault: an outcome that is not `killed`, if any, and all checks that failed. */
function viewFault(trials: readonly FaultTrial[]) {
  const { id, rule, summary, outcome } = trials.find((trial) => trial.outcome !== 'killed') ?? trials[0]!;
  const by = [...new Set(trials.flatMap((trial) => trial.by))].join(', ');
  const others = [...new Set(trials.flatMap((trial) => trial.others ?? []))];
  return {
    id,
    rule,
    by,
    others,
    label: outcome,
    outcome: outcome === 'killed' ? 'pass' : 'fail',
    summary: renderProse(summary),
    text: `${rule} ${id} ${summary} ${outcome}`.toLowerCase(),
  };
}

function viewConforming(trials: readonly ConformingTrial[]) {
  const alarms = countAlarms(trials);
  if (alarms > 0) return { label: `${alarms} false failures`, outcome: 'fail' };
  if (trials.some(showsNothing)) return { label: 'most checks skipped', outcome: 'fail' };
  return { label: 'no false failures', outcome: 'pass' };
}

/** For example "12 killed, 3 undecided". */
const countOutcomes = (trials: readonly FaultTrial[]): string =>
  groupBy(trials, ({ outcome }) => outcome)
    .map(([outcome, { length }]) => `${length} ${outcome}`)
    .join(', ');

const countPassed = (trials: readonly ConformingTrial[]) =>
  trials.reduce((sum, { passed }) => sum + passed, 0);
const countAlarms = (trials: readonly ConformingTrial[]) =>
  trials.reduce((sum, { alarms }) => sum + alarms.length, 0);
