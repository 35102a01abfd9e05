/** Curves of the benchmark as SVG. The style of the page gives them their colours. */
import { escapeHtml } from '../render/elements/markup.js';
import { formatNumber, type BenchCurve } from './bench-report.js';

/** About as wide as a phone, so that texts have nearly the size of the page there. */
const [width, height] = [340, 200];
const [left, right, base] = [26, width - 26, height - 26];
/** The height of a text. */
const line = 14;

/** A short form, such as `300K`: whole numbers run together. */
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** A line for each server, with its name in the same colour. The vertical axis begins at 0. */
export function renderCurve({ title, points }: BenchCurve): string {
  const names = [...new Set(points.flatMap(({ measured }) => Object.keys(measured)))];
  const highest = Math.max(...points.flatMap(({ measured }) => Object.values(measured)));
  // Below the names, the labels of all servers have room at the highest point.
  const top = 16 + line * names.length;
  const x = (index: number) => Math.round(left + ((right - left) * index) / Math.max(1, points.length - 1));
  const y = (value: number) => Math.round(base - ((base - top) * value) / highest);
  const label = (index: number, at: number, text: string) => `<text x="${x(index)}" y="${at}">${text}</text>`;
  const lines = names.map((name, hue) => {
    const path = points.flatMap(({ measured }, index) =>
      measured[name] === undefined ? [] : [`${x(index)},${y(measured[name])}`],
    );
    return `<polyline class="hue${hue % 4}" points="${path.join(' ')}"/>`;
  });
  const values = points.flatMap(({ measured }, index) => {
    let free = base;
    // From the lowest value up: a label that has no room above its point moves up.
    return Object.values(measured)
      .toSorted((a, b) => a - b)
      .map((value) => {
        const at = Math.min(y(value) - 6, free);
        free = at - line;
        return label(index, at, formatNumber(value));
      });
  });
  const legend = names.map((name, hue) => `<tspan class="hue${hue % 4}" dx="12">${escapeHtml(name)}</tspan>`);
  const sizes = points.map(({ size }, index) => label(index, base + 18, compact.format(size)));
  return (
    `<svg class="curves" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">` +
    `<path d="M${left} ${base}H${right}"/>${lines.join('')}${sizes.join('')}${values.join('')}` +
    `<text class="names" x="${width / 2}" y="12">${legend.join('')}</text></svg>`
  );
}
