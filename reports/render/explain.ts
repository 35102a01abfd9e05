/** Explains one result on a terminal: the rule, why it was not judged, or what the check wrote, the request and the timeline. */
import { escapeInvisible } from '../escape.js';
import {
  type CheckResult,
  type DocumentWrite,
  laterExchange,
  type RecordedExchange,
  type Report,
  violatingExchange,
} from '../report.js';
import { adviceFor, groupByReason } from '../reasons.js';
import { isItem, sectionOf } from '../service-document.js';
import { curlCommand, curlFromScratch, formatResponse } from './curl.js';
import { shortRevision } from './elements/revision-tree.js';
import { formatMs, readTimeline, type Timeline } from './elements/timeline-data.js';
import { renderOutcomeLine, type TerminalOptions } from './terminal.js';
import { coloursFor, renderLabelled, wrapperFor } from './terminal-text.js';
import {
  describeEvidence,
  formatExtent,
  formatRule,
  inlineJson,
  rerunCommand,
  shortenTimeline,
} from './text.js';

/** More lines of a list fill the screen. `report.html` has all of them. */
const maxLines = 30;

/** Width of the drawing of a timeline, in columns. */
const timelineWidth = 30;

export function renderExplanation(report: Report, check: CheckResult, options: TerminalOptions): string {
  const colours = coloursFor(options.colour);
  const wrap = wrapperFor(options.columns);
  const { counterexample, source = [] } = check;
  const violating = counterexample && violatingExchange(counterexample);
  const { exchange, obstacle } = check;
  const later = counterexample && laterExchange(counterexample);
  const timeline = counterexample && readTimeline(counterexample);
  const rule = formatRule({ ...check, source: [] });
  const sent = (exchange: RecordedExchange) =>
    curlFromScratch(report, exchange).map((command) => `  ${command}`);
  const answer = (exchange: RecordedExchange) => `  ${formatResponse(exchange)}`;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      `Rule ${escapeInvisible(check.rule)} (${check.level}, SERVICE ${source.join(', ')})`,
      rule === undefined ? [] : [wrap('  ', rule)],
    ],
    // report.html has the words of longer sections.
    ...source.filter(isItem).map((item) => [`SERVICE ${item}`, quote(item, wrap)] as const),
    ['What the check found', describeFinding(report, check).map((text) => wrap('  ', text))],
    ['Evidence', renderLabelled(describeEvidence(report, check), colours, wrap)],
    ['What the check wrote', limited(renderWrites(counterexample?.writes ?? []))],
    [
      obstacle === undefined
        ? 'Request that prevents the check'
        : `Smallest request that shows the cause: ${escapeInvisible(obstacle)}`,
      exchange ? [...sent(exchange), answer(exchange)] : [],
    ],
    ['Request that shows the violation', violating ? sent(violating) : []],
    ['What a later request returned', later ? [`  ${curlCommand(report, later)}`, answer(later)] : []],
    [`Timeline of the ${timeline?.mode} feed`, timeline ? limited(renderTimeline(timeline)) : []],
    ['Timeline', shortenTimeline(counterexample?.timeline, maxLines)],
    [
      'Words',
      (counterexample?.terms ?? []).map(({ term, explanation }) =>
        wrap(`  ${colours.bold(escapeInvisible(term))}: `, escapeInvisible(explanation)),
      ),
    ],
  ];
  return [
    `${renderOutcomeLine(check, options.colour)}\n`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${colours.bold(title)}\n${lines.join('\n')}\n`),
  ].join('\n');
}

/** Why the target was not judged and what to do, or what a check that passed has tried. */
function describeFinding(report: Report, check: CheckResult): string[] {
  const { outcome, reason } = check;
  if (outcome === 'pass') return [`Nothing violates the rule: ${formatExtent(check)}.`];
  const [group] = groupByReason(report, [check]);
  if (!group) return [];
  const again =
    outcome === 'known' || report.suite.traffic ? [] : [`Run it again: ${rerunCommand(report, check)}`];
  return [escapeInvisible(reason ?? group.reason), `To do: ${escapeInvisible(adviceFor(group))}`, ...again];
}

/** The words of an item of the service document, if there is such an item. */
function quote(item: string, wrap: ReturnType<typeof wrapperFor>): readonly string[] {
  const text = sectionOf(item)?.markdown;
  return text === undefined ? [] : [wrap('  ', text)];
}

function limited(lines: readonly string[]): readonly string[] {
  const more = lines.length - maxLines;
  return more > 1 ? [...lines.slice(0, maxLines), `  ${more} more; see report.html`] : lines;
}

function renderWrites(writes: readonly DocumentWrite[]): string[] {
  const rows = writes.map(({ id, kind, deleted, rev = '', fields }, index) => [
    String(index + 1),
    escapeInvisible(id),
    kind === 'replicate' && deleted ? 'replicate a deletion' : kind,
    escapeInvisible(shortRevision(rev)),
    inlineJson(fields, 60),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`);
}

/** One line per event, with a mark whose position is to scale. */
function renderTimeline({ startMs, endMs, lastMs, events, due, writes, isOpen }: Timeline): string[] {
  const all: { atMs: number; mark: string; text: string }[] = [
    ...writes.map(({ startMs, ids }) => ({ atMs: startMs, mark: 'w', text: `write of ${ids.join(', ')}` })),
    ...events.map(({ atMs, kind, id = '' }) => ({
      atMs,
      mark: { row: '●', heartbeat: '|', end: '■', unrecognized: '?' }[kind],
      text: {
        row: `row of ${id}`,
        heartbeat: 'heartbeat or empty line',
        end: 'last_seq',
        unrecognized: 'something that is not a row',
      }[kind],
    })),
    ...due.map(({ atMs, what, why, isMissed }) => ({
      atMs,
      mark: isMissed ? '!' : '·',
      text: `${what} due (${why})${isMissed ? ', missed' : ''}`,
    })),
    { atMs: endMs, mark: ']', text: isOpen ? 'the feed was still open' : 'the feed ended' },
  ];
  const span = Math.max(lastMs - startMs, 1);
  const marks = all.toSorted((a, b) => a.atMs - b.atMs);
  return marks.map(({ atMs, mark, text }) => {
    const position = Math.max(0, Math.round(((atMs - startMs) / span) * (timelineWidth - 1)));
    const drawing = `${'─'.repeat(position)}${mark}`.padEnd(timelineWidth);
    return `  ${formatMs(atMs - startMs).padStart(9)}  ${drawing}  ${escapeInvisible(text)}`;
  });
}
