/** Draws a feed to scale as inline SVG: writes, rows, heartbeats, the end, and what was due when. */
import type { Counterexample, FeedRecord } from '../../report.js';
import { escapeHtml } from './markup.js';
import { formatMs, readTimeline } from './timeline-data.js';

const left = 124;
const width = 900;
const lanes = { writes: 26, feed: 66, due: 106 } as const;
const axis = 132;

type FeedEvent = FeedRecord['events'][number];

/** @returns the drawing; `undefined` if the violation is not about a feed that stays open, or if nothing happens */
export function renderTimeline(counterexample: Counterexample): string | undefined {
  const timeline = readTimeline(counterexample);
  if (!timeline) return undefined;
  const { mode, startMs, endMs, lastMs, events, due, writes, isOpen } = timeline;
  const x = scale(startMs, lastMs);
  const drawn = [
    drawAxis(startMs, lastMs, x),
    laneName('writes', lanes.writes),
    ...writes.map(
      (write) =>
        `<g class="write"><title>${escapeHtml(`write of ${write.ids.join(', ')}, ${formatMs(write.startMs - startMs)} to ${formatMs(write.endMs - startMs)}`)}</title>` +
        `<rect x="${x(write.startMs)}" y="${lanes.writes - 6}" width="${Math.max(3, x(write.endMs) - x(write.startMs))}" height="12"/></g>`,
    ),
    laneName(`${mode} feed`, lanes.feed),
    `<line class="feed" x1="${x(startMs)}" x2="${x(endMs)}" y1="${lanes.feed}" y2="${lanes.feed}"/>`,
    `<g class="${isOpen ? 'open' : 'end'}"><title>${isOpen ? 'the feed was still open' : 'the feed ended'} after ${formatMs(endMs - startMs)}</title>` +
      `<path d="M${x(endMs)} ${lanes.feed - 11}v22"/></g>`,
    ...events.map((event) => drawEvent(event, x, startMs)),
    laneName('due', lanes.due),
    ...due.map(
      ({ atMs, what, why, isMissed }) =>
        `<g class="due ${what === 'end' ? 'end' : isMissed ? 'missed' : ''}"><title>${escapeHtml(`${what} due at ${formatMs(atMs - startMs)} (${why})${isMissed ? ', missed' : ''}`)}</title>` +
        `<path d="M${x(atMs)} ${lanes.due - 8}v16"/></g>`,
    ),
  ];
  const count = (kind: FeedEvent['kind']): number => events.filter((event) => event.kind === kind).length;
  const summary = [
    `${mode} feed, ${formatMs(endMs - startMs)} long`,
    `writes while it was open: ${writes.length}`,
    `rows: ${count('row')}`,
    `heartbeats or empty lines: ${count('heartbeat')}`,
    isOpen ? 'it was still open' : 'the target ended it',
  ].join('; ');
  return (
    `<svg class="timeline" role="img" aria-label="${escapeHtml(`Timeline: ${summary}`)}" viewBox="0 0 ${left + width + 30} 158" ` +
    `width="${left + width + 30}" height="158">${drawn.join('')}</svg>`
  );
}

function drawEvent({ atMs, kind, id }: FeedEvent, x: (ms: number) => number, startMs: number): string {
  const at = formatMs(atMs - startMs);
  const title = kind === 'row' ? `row of ${id}, at ${at}` : `${kind === 'end' ? 'last_seq' : kind} at ${at}`;
  const shape = {
    row: `<circle cx="${x(atMs)}" cy="${lanes.feed}" r="5"/>`,
    heartbeat: `<path d="M${x(atMs)} ${lanes.feed - 8}v16"/>`,
    unrecognized: `<circle cx="${x(atMs)}" cy="${lanes.feed}" r="2"/>`,
    end: `<rect x="${x(atMs) - 4}" y="${lanes.feed - 4}" width="8" height="8"/>`,
  }[kind];
  return `<g class="${kind}"><title>${escapeHtml(title)}</title>${shape}</g>`;
}

function drawAxis(startMs: number, endMs: number, x: (ms: number) => number): string {
  const span = Math.max(endMs - startMs, 1);
  const magnitude = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((one) => span / one <= 8)!;
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
  const marks = ticks.map(
    (ms) =>
      `<path d="M${x(startMs + ms)} 8V${axis}"/><text x="${x(startMs + ms)}" y="${axis + 17}" text-anchor="middle">${formatMs(ms)}</text>`,
  );
  return `<g class="axis">${marks.join('')}<path d="M${left} ${axis}H${left + width}"/></g>`;
}

const laneName = (name: string, y: number): string => `<text x="0" y="${y + 5}">${escapeHtml(name)}</text>`;

function scale(startMs: number, endMs: number): (ms: number) => number {
  const span = Math.max(endMs - startMs, 1);
  return (ms) => Math.round((left + ((ms - startMs) / span) * width) * 10) / 10;
}
