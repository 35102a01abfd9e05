import { findCauses } from '../causes.js';
import { groupBy } from '../group.js';
import { isInPart, isUnfinished, mostUrgentFirst } from '../outcomes.js';
import { type CheckResult, outcomes, type Report } from '../report.js';
import { viewFilter } from './elements/filter.js';
import { escapeHtml, firstSentence, renderProse, renderReason } from './elements/markup.js';
import { slugOf, viewOverview } from './elements/overview.js';
import { renderSources, viewService } from './elements/service.js';
import { viewAnswered, viewStory } from './elements/story.js';
import { defineTemplate, renderPage } from './page.js';
import { escapeInvisible } from '../escape.js';
import { formatExtent, formatOutcome, formatSubject, formatTitle, inlineJson, prettyJson } from './text.js';

const body = `
<%~ include('@overview', { ...it.overview, causes: it.causes }) %>
<% if (it.causes.length > 0) { %>
<h2>Failures</h2>
<% for (const [index, cause] of it.causes.entries()) { %>
<details class="cause <%= cause.lead.outcome %>" id="<%= cause.lead.id %>"<% if (index === 0) { %> open<% } %>>
<summary><%= index + 1 %>. <%~ cause.title %> <small><%= cause.count %></small></summary>
<% if (cause.shownBy) { %>
<div class="shown"><h3>Smallest request that shows it</h3>
<%~ cause.shownBy.curl %>
<pre tabindex="0"><%~ cause.shownBy.response %></pre></div>
<% } %>
<% if (cause.remark) { %><p class="remark faint"><%~ cause.remark %>.</p><% } %>
<%~ include('@story', cause.story) %>
<% if (cause.others.length > 0) { %>
<div class="also"><h3>Probably for the same cause</h3>
<%~ include('@others', { others: cause.others.slice(0, it.maxOthers) }) %>
<% if (cause.others.length > it.maxOthers) { %>
<details class="more"><summary>and <%= cause.others.length - it.maxOthers %> more</summary>
<%~ include('@others', { others: cause.others.slice(it.maxOthers) }) %>
</details>
<% } %>
</div>
<% } %>
</details>
<% } %>
<% } %>
<h2 id="checks">All checks</h2>
<%~ include('@filter', it.filter) %>
<% for (const { area, slug, checks } of it.areas) { %>
<details class="area" data-group id="area-<%= slug %>"><summary><%= area %> <small><%= checks.length === 1 ? '1 check' : checks.length + ' checks' %></small></summary>
<% for (const check of checks) { %>
<details class="check <%= check.outcome %>"<% if (!check.hasStory) { %> id="<%= check.id %>"<% } %> data-outcome="<%= check.outcome %>" data-area="<%= area %>" data-level="<%= check.level %>" data-text="<%= check.text %>">
<summary><span class="badge <%= check.outcome %><%= check.isInPart ? ' partly' : '' %>"><%= check.label %></span> <span class="what"><%~ check.what %></span> <code><%= check.id %></code></summary>
<p><%~ check.statement %></p>
<% if (check.reason) { %><p><strong><%= check.label %>:</strong> <%~ check.reason %></p><% } %>
<% if (check.hasStory) { %><p><a href="#<%= encodeURIComponent(check.id) %>">How the check fails</a></p><% } %>
<p class="faint"><%~ check.facts %></p>
<% if (check.story) { %><details><summary>How the target deviates</summary><%~ include('@story', check.story) %></details><% } %>
</details>
<% } %>
</details>
<% } %>
<% if (it.hasTarget) { %>
<h2>The target</h2>
<details id="capabilities"><summary>Capabilities, and how docfeed knows</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Capabilities">
<table>
<thead><tr><th>Capability</th><th>Available</th><th>How docfeed knows</th><th>How to have it checked</th></tr></thead>
<tbody>
<% for (const { name, available, how, remedy } of it.capabilities) { %>
<tr><td><code><%= name %></code></td><td><%= available %></td><td><%~ how %></td><td><%~ remedy %></td></tr>
<% } %>
</tbody>
</table>
</div>
</details>
<details><summary>Greeting of the target</summary><pre tabindex="0"><%~ it.greeting %></pre></details>
<% if (it.observations.length > 0) { %>
<details id="observations"><summary>Observations</summary>
<p>Behaviour that the service document does not specify. docfeed records it and does not check it.</p>
<table>
<thead><tr><th>Behaviour</th><th>Observed</th></tr></thead>
<tbody>
<% for (const [id, value] of it.observations) { %>
<tr><td><%= id %></td><td class="text"><%= value %></td></tr>
<% } %>
</tbody>
</table>
</details>
<% } %>
<% } %>
<%~ include('@service', it.service) %>
`;

defineTemplate(
  '@others',
  `<% for (const other of it.others) { %>
<details id="<%= other.story.check.id %>"><summary><code><%= other.story.check.id %></code> <%~ other.title %></summary><%~ include('@story', other.story) %></details>
<% } %>`,
);

/** The page folds the other checks that fail for a cause after so many: one cause can block a hundred. */
const maxOthers = 5;

/** Renders the report as one self-contained page: the verdict and the causes of failures first, then all evidence. */
export function renderHtml(report: Report): string {
  const { target } = report;
  const causes = findCauses(report.checks);
  const withStory = new Set(causes.flatMap(({ lead, others }) => [lead, ...others]));
  const areas = groupBy(report.checks, ({ area }) => area);
  return renderPage({ title: `docfeed: ${formatSubject(report)}`, kind: 'report' }, body, {
    overview: viewOverview(report),
    maxOthers,
    causes: causes.map(({ lead, others, shared, shownBy }) => ({
      lead,
      shownBy: shownBy && viewAnswered(report, shownBy),
      title: renderProse(lead.obstacle ?? formatTitle(lead)),
      remark: remarkOn(lead, shared),
      count: others.length === 0 ? '' : `${others.length + 1} checks`,
      story: viewStory(report, lead, true),
      others: others.map((check) => ({
        // Where the obstacle is all that there is to say, the title of the cause says it.
        title: check.outcome === 'blocked' ? '' : renderProse(formatTitle(check)),
        story: viewStory(report, check),
      })),
    })),
    filter: viewFilter({
      Outcome: outcomes.filter((outcome) => report.summary[outcome] > 0),
      Area: areas.map(([area]) => area),
      Level: ['MUST', 'SHOULD'],
    }),
    areas: areas.map(([area, checks]) => ({
      area,
      slug: slugOf(area),
      checks: mostUrgentFirst(checks).map((check) => viewCheck(report, check, withStory.has(check))),
    })),
    // A consumer has none of what follows.
    hasTarget: target.consumer === undefined,
    capabilities: target.capabilities.map(({ name, available, undecided, how, remedy = '' }) => ({
      name,
      available: undecided ? 'undecided' : available ? 'yes' : 'no',
      how: renderProse(how),
      remedy: renderProse(available ? '' : remedy),
    })),
    greeting: escapeHtml(prettyJson(target.greeting), '\n'),
    service: viewService(),
    observations: report.observations.map(({ id, value }) => [id, inlineJson(value, 2_000)]),
  });
}

/** What the title of a cause does not say: what its check found, or what its checks have in common. */
function remarkOn(lead: CheckResult, shared: string | undefined): string | undefined {
  if (lead.obstacle !== undefined)
    return lead.outcome === 'blocked' ? undefined : renderProse(formatTitle(lead));
  return shared === undefined ? undefined : `What the checks have in common: ${renderProse(shared)}`;
}

/** @param hasStory whether the page shows the evidence among the failures */
function viewCheck(report: Report, check: CheckResult, hasStory: boolean) {
  const { id, level, outcome, statement = check.rule, reason, source = [] } = check;
  return {
    id: escapeInvisible(id),
    level,
    outcome,
    label: formatOutcome(check),
    isInPart: isInPart(check),
    hasStory,
    what: renderProse(firstSentence(statement)),
    statement: renderProse(statement),
    reason: isUnfinished(report, check) ? 'The run ended early.' : renderReason(check),
    text: [id, level, outcome, statement, reason ?? ''].join(' ').toLowerCase(),
    facts: [level, ...(source.length === 0 ? [] : [renderSources(source)]), formatExtent(check)].join(' · '),
    story: check.counterexample && !hasStory ? viewStory(report, check) : undefined,
  };
}
