/** The page of the benchmark: plots and tables of `bench.json`. */
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import {
  formatMeasured,
  formatNumber,
  ratioToFloor,
  speedup,
  type BenchCurve,
  type BenchReport,
  type BenchResult,
} from './bench-report.js';
import { renderEnvironment } from '../environment.js';
import { renderPage } from '../render/page.js';

use([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

const body = `
<h1>How fast is the reference server?</h1>
<p>Every number is measured in one run, in which the servers take turns. Compare the ratios: they depend less on the
machine than the times. Each result is the median of <%= it.rounds %> measurements, with the lowest and the highest. All work runs once before, so caches are warm.</p>
<table class="properties">
<% for (const [label, text] of it.properties) { %><tr><th scope="row"><%= label %></th><td><%= text %></td></tr><% } %>
</table>
<% for (const { title, text, plot } of it.plots) { %>
<h2><%= title %></h2>
<p><%= text %></p>
<div class="scroll" tabindex="0" role="region" aria-label="<%= title %>"><%~ plot %></div>
<% } %>
<% if (it.curves.length > 0) { %>
<h2>What grows</h2>
<p>A flat curve means that the size makes no difference. The horizontal axis is logarithmic.</p>
<% for (const { title, plot } of it.curves) { %>
<h3><%= title %></h3>
<div class="scroll" tabindex="0" role="region" aria-label="<%= title %>"><%~ plot %></div>
<% } %>
<% } %>
<h2>All results</h2>
<p>Less is better. A floor is the least that the work can cost on this machine, without a server of docfeed.</p>
<div class="scroll" tabindex="0" role="region" aria-label="All results">
<table>
<thead><tr><% for (const cell of it.head) { %><th scope="col"><%= cell %></th><% } %></tr></thead>
<tbody>
<% for (const [title, ...cells] of it.rows) { %>
<tr><th scope="row"><%= title %></th><% for (const cell of cells) { %><td><%= cell %></td><% } %></tr>
<% } %>
</tbody>
</table>
</div>
`;

export function renderBench(report: BenchReport): string {
  const { servers, results, curves = [], startedAt, environment, command, documents } = report;
  const [own, ...others] = servers.map(({ name }) => name);
  return renderPage({ title: 'docfeed: benchmark', kind: 'benchmark' }, body, {
    rounds: Math.min(...results.map(({ rounds }) => rounds)),
    properties: [
      ['command', command],
      ['made by', renderEnvironment(environment)],
      ['time', startedAt],
      ['servers', servers.map(({ name, greeting }) => `${name} (${greeting})`).join(', ')],
      ['database', `${documents} documents of about 250 bytes`],
    ],
    plots: [
      {
        title: 'Compared with other servers',
        text: `How many times longer each server takes than ${own}. At 1, they are equally fast.`,
        plot: plot(
          results.filter((result) => others.some((other) => speedup(result, other) !== undefined)),
          others.map((name) => ({ name, valueOf: (result) => speedup(result, name) })),
        ),
      },
      {
        title: 'Compared with the floors',
        text: `How many times longer ${own} takes than the least that the work can cost.`,
        plot: plot(
          results.filter(({ floor }) => floor),
          [{ name: `${own}`, valueOf: ratioToFloor }],
        ),
      },
    ].filter(({ plot }) => plot !== ''),
    curves: curves.map((curve) => ({ title: `${curve.title} (${curve.unit})`, plot: plotCurve(curve) })),
    head: ['Work', 'Unit', own, 'Floor', ...others],
    rows: results.map(({ title, unit, measured, failed, floor }) => [
      ...[title, unit, formatMeasured(measured[own!])],
      floor ? `${floor.title}: ${formatMeasured(floor)}` : '',
      ...others.map((other) => (failed?.[other] === undefined ? formatMeasured(measured[other]) : 'fails')),
    ]),
  });
}

interface Series {
  readonly name: string;
  readonly valueOf: (result: BenchResult) => number | undefined;
}

const colors = ['#0969da', '#bf8700', '#8250df', '#1a7f37'];
const text = { color: 'currentColor', fontSize: 13 };

/** Lines over a logarithmic axis of sizes, one for each server. */
function plotCurve({ points }: BenchCurve): string {
  const names = [...new Set(points.flatMap(({ measured }) => Object.keys(measured)))];
  const splitLine = { lineStyle: { color: '#8886' } };
  return render(280, {
    legend: { show: names.length > 1, top: 0, textStyle: text },
    grid: { left: 80, right: 60, top: 35, bottom: 30 },
    xAxis: { type: 'log', axisLabel: text, splitLine, min: points[0]!.size, max: points.at(-1)!.size },
    yAxis: { type: 'value', axisLabel: text, splitLine },
    series: names.map((name) => ({
      ...{ name, type: 'line' },
      data: points.flatMap(({ size, measured }) => {
        const value = measured[name];
        return value === undefined ? [] : [[size, value]];
      }),
    })),
  });
}

function render(height: number, option: Parameters<ReturnType<typeof init>['setOption']>[0]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 960, height });
  chart.setOption({ animation: false, color: colors, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** Horizontal bars on a logarithmic scale, as SVG. Its text has the colour of the page, which may be dark. */
function plot(results: readonly BenchResult[], series: readonly Series[]): string {
  if (results.length === 0 || series.length === 0) return '';
  return render(70 + results.length * (14 + 16 * series.length), {
    legend: { show: series.length > 1, top: 0, textStyle: text },
    grid: { left: 430, right: 60, top: 35, bottom: 30 },
    xAxis: { type: 'log', axisLabel: text, splitLine: { lineStyle: { color: '#8886' } } },
    yAxis: {
      type: 'category',
      inverse: true,
      data: results.map(({ title }) => title),
      axisLabel: { ...text, width: 410, overflow: 'break' },
      axisTick: { show: false },
    },
    series: series.map(({ name, valueOf }, index) => ({
      name,
      type: 'bar',
      barMaxWidth: 14,
      data: results.map((result) => valueOf(result)),
      label: {
        ...{ show: true, position: 'right', color: 'currentColor' },
        formatter: ({ value }: { value: unknown }) => formatNumber(Number(value)),
      },
      ...(index === 0 && {
        markLine: {
          silent: true,
          symbol: 'none',
          label: { show: false },
          lineStyle: { color: 'currentColor' },
          data: [{ xAxis: 1 }],
        },
      }),
    })),
  });
}
