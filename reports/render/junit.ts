import { Eta } from 'eta';
import type { CheckResult, Outcome, Report } from '../report.js';
import { escapeInvisible } from '../escape.js';
import { isInPart } from '../outcomes.js';
import { describeEvidence, describeRun, formatOutcome, formatReason, formatSubject } from './text.js';

// A report has values of an untrusted target: `<%=` escapes them.
const eta = new Eta({ autoEscape: true });

const template = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="docfeed <%= it.url %>" timestamp="<%= it.startedAt %>" time="<%= it.seconds %>" tests="<%= it.cases.length %>" failures="<%= it.count('failure') %>" errors="<%= it.count('error') %>" skipped="<%= it.count('skipped') %>">
    <properties>
<% for (const [name, value] of it.properties) { %>
      <property name="<%= name %>" value="<%= value %>"/>
<% } %>
    </properties>
<% for (const { classname, name, seconds, element, outcome, reason, text, hasOutput } of it.cases) { %>
    <testcase classname="<%= classname %>" name="<%= name %>" time="<%= seconds %>">
<% if (element === 'skipped') { %>
      <skipped/>
<% } else if (element !== undefined) { %>
      <<%= element %> message="<%= reason %>" type="<%= outcome %>"><% if (element === 'failure') { %><%= text %><% } %></<%= element %>>
<% } %>
<% if (hasOutput) { %>
      <system-out><%= text %></system-out>
<% } %>
    </testcase>
<% } %>
  </testsuite>
</testsuites>
`;

/** The element that each outcome becomes. Undecided checks become errors, because they make a run red too. */
const elementOf = {
  pass: undefined,
  warn: undefined,
  fail: 'failure',
  error: 'error',
  blocked: 'error',
  inconclusive: 'error',
  known: 'skipped',
  skipped: 'skipped',
} as const satisfies Record<Outcome, string | undefined>;

/** Renders JUnit XML for CI systems, with a test case for each check. A warning passes with output, and so does a rule of which only a part was judged. */
export function renderJunit(report: Report): string {
  const { suite, target, checks } = report;
  return eta.renderString(template, {
    url: formatSubject({ target }),
    startedAt: suite.startedAt,
    seconds: suite.durationMs / 1000,
    properties: describeRun(report),
    count: (element: string) => checks.filter(({ outcome }) => elementOf[outcome] === element).length,
    cases: checks.map((check) => ({
      classname: escapeInvisible(check.rule),
      name: escapeInvisible(check.id),
      seconds: check.durationMs / 1000,
      element: elementOf[check.outcome],
      outcome: check.outcome,
      hasOutput: check.outcome === 'warn' || elementOf[check.outcome] === 'skipped' || isInPart(check),
      reason: formatReason(check),
      text: describeCheck(report, check),
    })),
  });
}

function describeCheck(report: Report, check: CheckResult): string {
  return [
    `${formatOutcome(check)}: ${formatReason(check)}`,
    ...describeEvidence(report, check).map(([label, text]) => `${label}: ${text}`),
  ].join('\n');
}
