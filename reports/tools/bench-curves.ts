/** Curves of the benchmark as SVG. The text has the colour of the page, which may be dark. */
import { escapeHtml } from '../render/elements/markup.js';
import { formatNumber, type BenchCurve } from './bench-report.js';

const [width, height, margin] = [480, 200, 40];
const colors = ['#0969da', '#bf8700', '#8250df', '#1a7f37'];

/** A line for each server, with its name in the same colour, over a logarithmic axis of sizes. The vertical axis begins at 0. */
export function renderCurve({ title, points }: BenchCurve): string {
  const names = [...new Set(points.flatMap(({ measured }) => Object.keys(measured)))];
  const highest = Math.max(...points.flatMap(({ measured }) => Object.values(measured)));
  const [first, last] = [points[0]!.size, points.at(-1)!.size];
  const x = (size: number) =>
    margin + ((width - 2 * margin) * Math.log(size / first)) / Math.log(last / first);
  const y = (value: number) => height - margin - ((height - 2 * margin) * value) / highest;
  const label = (size: number, at: number, text: string) =>
    `<text x="${x(size).toFixed(0)}" y="${at.toFixed(0)}">${text}</text>`;
  const colorOf = (index: number) => colors[index % colors.length];
  const lines = names.map((name, index) => {
    const known = points.filter(({ measured }) => measured[name] !== undefined);
    const path = known.map(({ size, measured }) => `${x(size).toFixed(0)},${y(measured[name]!).toFixed(0)}`);
    const values = known.map(({ size, measured }) =>
      label(size, y(measured[name]!) - 6, formatNumber(measured[name]!)),
    );
    return `<polyline fill="none" stroke="${colorOf(index)}" stroke-width="2" points="${path.join(' ')}"/>${values.join('')}`;
  });
  const legend = names.map(
    (name, index) => `<tspan fill="${colorOf(index)}" dx="12">${escapeHtml(name)}</tspan>`,
  );
  const base = height - margin;
  const axis = `<path stroke="currentColor" d="M${margin} ${base}H${width - margin}"/>`;
  const sizes = points.map(({ size }) => label(size, base + 18, String(size)));
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}" style="max-width:40rem" fill="currentColor" font-size="11" text-anchor="middle">${axis}${sizes.join('')}${lines.join('')}<text x="${width / 2}" y="12">${legend.join('')}</text></svg>`;
}
