/** What a report shows at a glance: the verdict, how much was checked, areas, causes, and what was not checked. */
import { groupBy } from '../../group.js';
import { isInPart, mostUrgentFirst } from '../../outcomes.js';
import { type CheckResult, exitCode, type Outcome, type Report } from '../../report.js';
import { endpointTable } from '../../endpoints.js';
import { adviceFor, groupByReason } from '../../reasons.js';
import { ruleCoverage, type RuleCoverage } from '../../rule-coverage.js';
import { escapeInvisible } from '../../escape.js';
import { formatVerdict } from '../next-step.js';
import { describeRun, formatCoverage, formatGaps, formatSeconds, formatSubject } from '../text.js';
import { viewEndpoints } from './endpoints.js';
import { renderProse, renderReason } from './markup.js';
import { defineTemplate } from '../page.js';

defineTemplate(
  '@bar',
  `<div class="bar <%= it.size ?? '' %>" aria-hidden="true"><% for (const { state, percent } of it.parts) { %><span class="<%= state %>" style="width:<%= percent %>%"></span><% } %></div>`,
);

defineTemplate(
  '@overview',
  `<div class="verdict <%= it.verdict.state %>">
<h1><%= it.verdict.title %></h1>
<p><strong><%= it.coverage %></strong> on <code><%= it.target %></code></p>
<p class="faint"><%= it.facts %></p>
</div>
<%~ include('@bar', { size: 'large', parts: it.parts }) %>
<ul class="legend" aria-label="Rules by result">
<% for (const { state, count, label } of it.parts) { %><li><span class="<%= state %>"></span><%= count %> <%= label %></li><% } %>
</ul>
<% if (it.stopped) { %>
<p class="notice fail"><strong>The run ended early.</strong> <%~ it.stopped %></p>
<% } %>
<% for (const warning of it.warnings) { %>
<p class="notice"><strong>Warning:</strong> <%~ warning %></p>
<% } %>
<% const listed = it.causes.length + it.deviations.length + it.gaps.flatMap(({ reasons }) => reasons).length; %>
<div class="glance<%= listed < 16 ? ' short' : '' %>">
<% if (listed > 0) { %><div>
<% if (it.causes.length > 0) { %>
<h2 id="causes">What fails</h2>
<ol class="causes">
<% for (const { lead, title, count } of it.causes) { %>
<li class="<%= lead.outcome %>"><a href="#<%= encodeURIComponent(lead.id) %>"><%~ title %></a> <small><%= count || lead.id %></small></li>
<% } %>
</ol>
<% } %>
<% if (it.deviations.length > 0) { %>
<h2 id="deviations">Known deviations</h2>
<ul class="plain">
<% for (const { reason, id, more } of it.deviations) { %><li><%~ reason %> <small><a href="#<%= encodeURIComponent(id) %>"><%= id %></a><%= more %></small></li><% } %>
</ul>
<% } %>
<% if (it.gaps.length > 0) { %>
<h2 id="unchecked">What was not checked</h2>
<ul class="plain">
<% for (const { advice, reasons } of it.gaps) { for (const reason of reasons) { %><li><%~ reason %></li><% } if (advice) { %><li class="todo">To do: <%~ advice %>.</li><% } } %>
</ul>
<% } %>
</div><% } %>
<div>
<h2 id="areas">Areas</h2>
<table class="areas">
<thead><tr><th>Area</th><td></td><th>Rules checked</th></tr></thead>
<tbody>
<% for (const { area, slug, hasChecks, parts, text } of it.areas) { %>
<tr><td><% if (hasChecks) { %><a href="#area-<%= slug %>"><%= area %></a><% } else { %><%= area %><% } %></td><td><%~ include('@bar', { parts }) %></td><td><%= text %></td></tr>
<% } %>
</tbody>
</table>
</div>
<% if (it.endpoints) { %><div><%~ include('@endpoints', it.endpoints) %></div><% } %>
</div>
<details><summary>About this run</summary>
<table class="properties">
<% for (const [label, text] of it.run) { %><tr><th scope="row"><%= label %></th><td><%= text %></td></tr><% } %>
</table>
</details>`,
);

type State = 'fail' | 'undecided' | 'warn' | 'known' | 'pass' | 'partly' | 'unchecked';

export const stateOf: Readonly<Record<Outcome | 'absent', State>> = {
  fail: 'fail',
  error: 'undecided',
  blocked: 'undecided',
  inconclusive: 'undecided',
  warn: 'warn',
  known: 'known',
  pass: 'pass',
  skipped: 'unchecked',
  absent: 'unchecked',
};

/** The order of the parts of a bar, with their labels. */
const labels: Readonly<Record<State, string>> = {
  fail: 'fail',
  undecided: 'undecided',
  warn: 'do not follow a recommendation',
  known: 'have a known deviation',
  pass: 'hold',
  partly: 'hold as far as they were judged',
  unchecked: 'not checked',
};

export const stateOfRule = (check: CheckResult): State =>
  check.outcome === 'pass' && isInPart(check) ? 'partly' : stateOf[check.outcome];

/** @returns the rules of the catalogue with the most urgent outcome of their checks. */
export function ruleStates(report: Report): { area: string; state: State }[] {
  const rules = groupBy(report.checks, ({ rule }) => rule).map(([, checks]) => ({
    area: checks[0]!.area,
    state: stateOfRule(mostUrgentFirst(checks)[0]!),
  }));
  const unselected = report.suite.unselected ?? [];
  return [...rules, ...unselected.map(({ area }) => ({ area, state: 'unchecked' as const }))];
}

const stateOfExit = { 0: 'pass', 1: 'fail', 3: 'undecided' } as const satisfies Record<number, State>;

/** @returns the data of the template `@overview`, without the causes */
export function viewOverview(report: Report) {
  const coverage = ruleCoverage(report);
  const rules = ruleStates(report);
  const endpoints = endpointTable(report);
  const known = report.checks.filter(({ outcome }) => outcome === 'known');
  return {
    verdict: { state: stateOfExit[exitCode(report)], title: formatVerdict(report) },
    coverage: formatCoverage(coverage),
    target: formatSubject(report),
    facts: describeRun(report)
      .filter(([label]) => ['dialect', 'version', 'run', 'traffic'].includes(label))
      .map(([label, text]) => (label === 'run' || label === 'traffic' ? text : `${label} ${text}`))
      .concat(
        `${report.suite.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
        formatSeconds(report.suite.durationMs),
      )
      .join(' · '),
    parts: viewBar(rules.map(({ state }) => state)),
    stopped: report.suite.stopped === undefined ? undefined : renderProse(report.suite.stopped),
    warnings: report.warnings.map(renderProse),
    deviations: groupByReason(report, known).map(({ reason, checks: [first, ...others] }) => ({
      reason: renderReason({ outcome: 'known', reason }),
      id: escapeInvisible(first!.id),
      more: others.length === 0 ? '' : ` and ${others.length} more`,
    })),
    gaps: viewGaps(coverage),
    endpoints: endpoints && viewEndpoints(endpoints),
    areas: groupBy(rules, ({ area }) => area).map(([area, members]) => {
      const parts = viewBar(members.map(({ state }) => state));
      const checked = members.filter(({ state }) => state !== 'unchecked' && state !== 'undecided').length;
      const failed = members.filter(({ state }) => state === 'fail').length;
      return {
        area,
        parts,
        slug: slugOf(area),
        hasChecks: report.checks.some((check) => check.area === area),
        text: `${checked} of ${members.length}${failed === 0 ? '' : `, ${failed} fail${failed === 1 ? 's' : ''}`}`,
      };
    }),
    run: describeRun(report),
  };
}

/** Why rules were not checked. What to do about several reasons is said once, after them; what to provide, with each. */
function viewGaps({ gaps, unselected }: RuleCoverage) {
  const groups = groupBy(gaps, (gap) =>
    gap.missing.length > 0 && gap.remedy !== undefined ? '' : adviceFor(gap),
  );
  return [
    ...groups.map(([advice, members]) => ({
      advice: renderProse(advice),
      reasons: formatGaps({ gaps: members, unselected: 0 }).map(renderProse),
    })),
    ...(unselected === 0 ? [] : [{ advice: '', reasons: formatGaps({ gaps: [], unselected }) }]),
  ];
}

export const slugOf = (area: string): string => area.toLowerCase().replaceAll(/\W+/g, '-');

/** @returns the data of the template `@bar` */
export function viewBar(states: readonly State[]) {
  return Object.entries(labels).flatMap(([state, label]) => {
    const count = states.filter((one) => one === state).length;
    return count === 0 ? [] : [{ state, label, count, percent: ((100 * count) / states.length).toFixed(2) }];
  });
}
