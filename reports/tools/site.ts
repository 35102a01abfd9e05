/** The pages that lead to the published results: the start, the findings, the consumers and the rules. */
import { marked } from 'marked';
import { groupBy } from '../group.js';
import { mostUrgentFirst } from '../outcomes.js';
import { renderProse } from '../render/elements/markup.js';
import { ruleStates, stateOfRule, viewBar } from '../render/elements/overview.js';
import { renderPage } from '../render/page.js';
import { formatCoverage, formatOutcome } from '../render/text.js';
import type { Report } from '../report.js';
import { ruleCoverage } from '../rule-coverage.js';
import type { Finding } from './findings.js';

export interface SiteServer {
  readonly name: string;
  readonly folder: string;
  readonly report: Report;
}

/** The pages that each page leads to, by their path. */
const menu = {
  'index.html': 'Start',
  'matrix.html': 'Servers',
  'findings.html': 'Findings',
  'consumers.html': 'Consumers',
  'bench/bench.html': 'Speed',
  'rules.html': 'Rules',
  'selftest.html': 'Self-test',
} as const;

/**
 * Adds the menu of the site to a page, which knows nothing of it.
 *
 * @param path of the page in the site
 */
export function withMenu(path: string, page: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  const links = Object.entries(menu).map(
    ([target, title]) =>
      `<a href="${up}${target}"${target === path ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return page.replace(
    '</header>',
    () => `</header>\n<nav class="site" aria-label="Site">${links.join('\n')}</nav>`,
  );
}

const start = `
<h1>Does a server do what the clients of CouchDB expect?</h1>
<p>docfeed checks servers that speak CouchDB's authentication and changes feed, rule by rule, with generated histories. It
shows the smallest history that breaks a rule. It also has a server for the tests of applications, and finds out whether a
consumer of the feed survives everything that the rules allow.</p>
<pre tabindex="0">npx docfeed check http://127.0.0.1:5984 --admin name:password
npx docfeed serve --port 5984 --admin admin:secret --dialect couchdb</pre>
<h2>Servers side by side</h2>
<p>Each bar shows the rules: those that hold, known deviations, and those that were not checked or not decided.
<a href="matrix.html">All rules of all servers</a></p>
<div class="scroll stacked" tabindex="0" role="region" aria-label="Servers">
<table class="servers">
<thead><tr><th scope="col">Server</th><th scope="col">Rules</th><th scope="col">Checked</th></tr></thead>
<tbody>
<% for (const { name, href, parts, text } of it.servers) { %>
<tr><th scope="row"><a href="<%= href %>"><%= name %></a></th><td data-column="Rules"><div><%~ include('@bar', { parts }) %><small><%= parts.map(({ count, label }) => count + ' ' + label).join(', ') %></small></div></td><td data-column="Checked"><%= text %></td></tr>
<% } %>
</tbody>
</table>
</div>
<h2>What it has found</h2>
<p>Changes that a consumer of the feed does not get. <a href="findings.html">All findings</a></p>
<ul class="plain">
<% for (const { href, product, title } of it.findings) { %><li><%= product %>: <a href="<%= href %>"><%~ title %></a></li><% } %>
</ul>
`;

const lists = `
<h1>What docfeed has found</h1>
<p>Each finding has been repeated by hand with the version that it names. Its page has the commands that show it.</p>
<% for (const [kind, findings] of it.kinds) { %>
<h2><%= kind %></h2>
<ul class="plain">
<% for (const { href, product, title, state } of findings) { %><li><a href="<%= href %>"><%~ title %></a><br><small><%= product %>, <%~ state %></small></li><% } %>
</ul>
<% } %>
`;

const one = `
<h1><%~ it.title %></h1>
<p class="faint"><%= it.product %> · <%= it.kind %> · <a href="../rules.html#<%= it.rule %>"><code><%= it.rule %></code></a> · <%~ it.state %></p>
<%~ it.body %>
`;

const rules = `
<h1>The rules</h1>
<p>What each rule says, where it comes from, and which of the published servers do not follow it. They are
about <a href="description.html">this API</a>.</p>
<% for (const [area, rules] of it.areas) { %>
<h2><%= area %></h2>
<p class="faint"><code>openapi/rules/<%= area %>.yaml</code></p>
<% for (const { rule, level, sections, statement, broken } of rules) { %>
<section id="<%= rule %>"><h3><code><%= rule %></code> <small><%= level %>, SERVICE <%= sections %></small></h3>
<p><%~ statement %></p>
<% if (broken.length > 0) { %><p><% for (const { name, href, outcome, label } of broken) { %><span class="badge <%= outcome %>"><a href="<%= href %>"><%= name %></a> <%= label %></span> <% } %></p><% } %>
</section>
<% } %>
<% } %>
`;

/** @returns the pages by their path in the site; each still lacks the menu. */
export function renderSite(
  servers: readonly SiteServer[],
  findings: readonly Finding[],
  consumers: string,
): [path: string, page: string][] {
  const views = findings.map((finding) => ({
    ...finding,
    href: `findings/${finding.id}.html`,
    title: renderProse(finding.title),
    product: `${finding.product} ${finding.version}`,
    state: linkAddresses(finding.state),
  }));
  return [
    [
      'index.html',
      renderPage({ title: 'docfeed', kind: 'servers that speak CouchDB, checked' }, start, {
        servers: servers.map(({ name, folder, report }) => ({
          name,
          href: `${folder}/report.html`,
          parts: viewBar(ruleStates(report).map(({ state }) => state)),
          text: formatCoverage(ruleCoverage(report)),
        })),
        findings: views.filter(({ kind }) => kind === 'lost change'),
      }),
    ],
    [
      'findings.html',
      renderPage({ title: 'docfeed: findings', kind: 'findings' }, lists, {
        kinds: groupBy(views, ({ kind }) => kind),
      }),
    ],
    ...views.map((view): [string, string] => [
      view.href,
      renderPage({ title: `docfeed: ${view.product}`, kind: 'finding' }, one, {
        ...view,
        body: renderMarkdownText(view.body),
      }),
    ]),
    [
      'consumers.html',
      renderPage({ title: 'docfeed: consumers', kind: 'consumers of the feed' }, '<%~ it.body %>', {
        // It is a section of another document.
        body: renderMarkdownText(consumers.replaceAll(/^#(?=#)/gm, '')),
      }),
    ],
    [
      'rules.html',
      renderPage({ title: 'docfeed: rules', kind: 'rules' }, rules, { areas: viewRules(servers) }),
    ],
  ];
}

/** Text of this project, whose markup is meant. What scrolls can be scrolled by keyboard. */
const renderMarkdownText = (text: string): string =>
  marked
    .parse(text, { async: false })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');

const linkAddresses = (state: string): string =>
  state.replace(/https:\S+/, (address) => `<a href="${address}">${new URL(address).pathname.slice(1)}</a>`);

function viewRules(servers: readonly SiteServer[]) {
  const all = servers.flatMap(({ report }) => report.checks);
  const ofRules = groupBy(all, ({ rule }) => rule).map(([, [first]]) => first!);
  return groupBy(ofRules, ({ area }) => area).map(([area, members]) => [
    area,
    members.map(({ rule, level, source = [], statement = '' }) => ({
      rule,
      level,
      sections: source.join(', '),
      statement: renderProse(statement),
      broken: servers.flatMap(({ name, folder, report }) => {
        const [worst] = mostUrgentFirst(report.checks.filter((check) => check.rule === rule));
        if (!worst || !['fail', 'warn', 'known'].includes(stateOfRule(worst))) return [];
        return [
          {
            name,
            href: `${folder}/report.html#${worst.id}`,
            outcome: worst.outcome,
            label: formatOutcome(worst),
          },
        ];
      }),
    })),
  ]);
}
