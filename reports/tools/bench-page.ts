/** The page of the benchmark: bars and a table of `bench.json`. */
import {
  formatMeasured,
  formatNumber,
  ratioToFloor,
  speedup,
  type BenchReport,
  type BenchResult,
} from './bench-report.js';
import { renderCurve } from './bench-curves.js';
import { renderEnvironment } from '../origin.js';
import { renderProse } from '../render/elements/markup.js';
import { renderPage } from '../render/page.js';

const body = `
<h1>How fast is the reference server?</h1>
<p>Every number is measured in one run, in which the servers take turns. Compare the ratios: they depend less on the
machine than the times. <%= it.rounds %> Where servers are compared, each does the work for two seconds before its
first measurement.</p>
<table class="properties">
<% for (const [label, text] of it.properties) { %><tr><th scope="row"><%= label %></th><td><%= text %></td></tr><% } %>
</table>
<% for (const { title, text, groups } of it.charts) { %>
<h2><%= title %></h2>
<p><%= text %> The scale of the bars is logarithmic.</p>
<dl class="chart">
<% for (const { title, bars, note } of groups) { %>
<dt><%= title %></dt>
<% for (const { name, ratio, percent, hue } of bars) { %>
<dd><span><%= name %></span><span class="track" aria-hidden="true"><span class="hue<%= hue %>" style="width:<%= percent %>%"></span></span><strong><%= ratio %></strong></dd>
<% } %>
<% if (note) { %><dd class="note faint"><%~ note %></dd><% } %>
<% } %>
</dl>
<% } %>
<% if (it.curves.length > 0) { %>
<h2>What grows</h2>
<p>A flat curve means that the size makes no difference. The sizes stand at equal distances, whatever is between them.</p>
<div class="columns">
<% for (const { title, svg } of it.curves) { %>
<section class="curve"><h3><%= title %></h3><%~ svg %></section>
<% } %>
</div>
<% } %>
<h2>All results</h2>
<p>Less is better. A floor is the least that the work can cost on this machine, without a server of docfeed.</p>
<div class="scroll stacked" tabindex="0" role="region" aria-label="All results">
<table>
<thead><tr><% for (const cell of it.head) { %><th scope="col"><%= cell %></th><% } %></tr></thead>
<tbody>
<% for (const [title, ...cells] of it.rows) { %>
<tr><th scope="row"><%= title %></th><% for (const [index, cell] of cells.entries()) { %><td data-column="<%= it.head[index + 1] %>"><%= cell %></td><% } %></tr>
<% } %>
</tbody>
</table>
</div>
`;

export function renderBench(report: BenchReport): string {
  const { servers, results, curves = [], startedAt, environment, command, documents } = report;
  const [own, ...others] = servers.map(({ name }) => name);
  return renderPage({ title: 'docfeed: benchmark', kind: 'benchmark' }, body, {
    rounds: describeRounds(results),
    properties: [
      ['command', command],
      ['made by', renderEnvironment(environment)],
      ['time', startedAt],
      ...servers.map(({ name, greeting }) => [name, greeting]),
      ['database', `${documents} documents of about 250 bytes`],
    ],
    charts: [
      {
        title: 'Beside other servers',
        text: `How many times as long as ${own} each server takes. At 1, they are equally fast.`,
        groups: viewBars(
          results,
          others.map((name) => ({ name, ratioOf: (result) => speedup(result, name) })),
        ),
      },
      {
        title: 'Beside the least possible work',
        text: `How many times as long as a program that only does the necessary part ${own} takes.`,
        groups: viewBars(results, [{ name: `${own}`, ratioOf: ratioToFloor }]),
      },
    ].filter(({ groups }) => groups.length > 0),
    curves: curves.map((curve) => ({
      title: `${curve.title} (${curve.unit})`,
      svg: renderCurve(curve),
    })),
    head: ['Work', own!, 'Floor', ...others, 'Measurements'],
    rows: results.map(({ title, unit, measured, failed, floor, rounds }) => [
      `${title} (${unit})`,
      formatMeasured(measured[own!]),
      floor ? `${floor.title}: ${formatMeasured(floor)}` : '',
      ...others.map((other) => (failed?.[other] === undefined ? formatMeasured(measured[other]) : 'fails')),
      rounds,
    ]),
  });
}

function describeRounds(results: readonly BenchResult[]): string {
  const counts = results.map(({ rounds }) => rounds);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const range = 'Each result is the median, with the lowest and the highest measurement in brackets.';
  return least === most
    ? `${range} There are ${most} measurements of each work.`
    : `${range} There are ${most} measurements, or fewer where the time of the run (--seconds) ended first: see the last column.`;
}

interface Series {
  readonly name: string;
  readonly ratioOf: (result: BenchResult) => number | undefined;
}

/** @returns a group of bars for each result with a ratio; the longest bar has the whole width. */
function viewBars(results: readonly BenchResult[], series: readonly Series[]) {
  const groups = results.flatMap((result) => {
    const bars = series.flatMap(({ name, ratioOf }, hue) => {
      const ratio = ratioOf(result);
      return ratio === undefined ? [] : [{ name, ratio, hue }];
    });
    return bars.length === 0 ? [] : [{ ...result, bars }];
  });
  const longest = Math.log(Math.max(2, ...groups.flatMap(({ bars }) => bars.map(({ ratio }) => ratio))));
  return groups.map(({ title, note, bars }) => ({
    title,
    note: note === undefined ? undefined : renderProse(note),
    bars: bars.map(({ name, ratio, hue }) => ({
      name,
      hue,
      ratio: formatNumber(ratio),
      percent: Math.max(0, (100 * Math.log(ratio)) / longest).toFixed(1),
    })),
  }));
}
