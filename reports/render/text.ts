/** Texts that several formats share. */
import { escapeInvisible } from '../escape.js';
import type { CheckResult, Counterexample, Report } from '../report.js';
import { byUrgency, isInPart } from '../outcomes.js';
import type { ReasonGroup } from '../reasons.js';
import type { RuleCoverage } from '../rule-coverage.js';

/** @returns the text as one word of a shell. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

/** @returns the value as JSON on one line, cut after `limit` characters; `nothing` for `undefined`. */
export function inlineJson(value: unknown, limit = 300): string {
  return shorten(value === undefined ? 'nothing' : JSON.stringify(value), limit);
}

/** @returns the value as indented JSON; `nothing` for `undefined`. */
export function prettyJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
}

/** Formats `expected` of a counterexample: text stays as it is, other values become JSON. */
export function formatExpected(expected: unknown): string {
  return typeof expected === 'string' ? shorten(expected, 300) : inlineJson(expected);
}

/**
 * Cuts the text after `limit` characters and escapes invisible characters. It is for texts that people only read: what
 * they copy must be whole.
 */
export function shorten(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
  return escapeInvisible(cut);
}

/** The text as {@link shorten} returns it, but whole if it has a command, an option or a setting to copy. */
export const shortenProse = (text: string, limit: number): string =>
  /[`"]|(^|\s)--\w| = /.test(text) ? escapeInvisible(text) : shorten(text, limit);

/** @returns what the check found, in a few words: lists show it as a title. */
export const formatTitle = ({ id, outcome, reason, counterexample }: CheckResult): string =>
  (outcome === 'blocked' ? undefined : counterexample?.message) ?? reason ?? id;

/** @returns the outcomes that occurred, such as `1 fail, 41 pass, 3 skipped`. */
export function formatSummary({ summary, checks }: Report): string {
  const occurred = byUrgency.filter((outcome) => summary[outcome] > 0);
  const inPart = checks.filter((check) => check.outcome === 'pass' && isInPart(check)).length;
  const remark = inPart === 0 ? '' : ` (${inPart} only in part)`;
  return (
    occurred
      .map((outcome) => `${summary[outcome]} ${outcome}${outcome === 'pass' ? remark : ''}`)
      .join(', ') || 'nothing was checked'
  );
}

/** @returns how much was checked, such as `97 of 122 rules checked, 4 of them only in part`. */
export function formatCoverage({ checked, partly, total }: RuleCoverage): string {
  return `${checked} of ${total} rules checked${partly === 0 ? '' : `, ${partly} of them only in part`}`;
}

/** @returns why rules were not checked, one phrase per reason, with the shortest way to have them checked. */
export function formatGaps({ gaps, unselected }: Pick<RuleCoverage, 'gaps' | 'unselected'>): string[] {
  const phrases = gaps.map((gap) => `${countRules(gap.checks.length)} ${formatGap(gap)}`);
  return [...phrases, ...(unselected > 0 ? [`${countRules(unselected)} not selected`] : [])].map((phrase) =>
    shortenProse(phrase, 600),
  );
}

function formatGap({ outcome, checks, missing, reason, remedy }: ReasonGroup): string {
  if (missing.length === 0) return `${outcome}: ${reason}`;
  const relation = outcome === 'skipped' ? `need${checks.length === 1 ? 's' : ''}` : `${outcome} by`;
  return `${relation} ${missing.join(', ')}: ${remedy ?? reason}`;
}

export const countRules = (count: number): string => (count === 1 ? '1 rule' : `${count} rules`);

/** @returns the outcome in words: a pass says when it is about a part of the rule only. */
export const formatOutcome = (check: CheckResult): string =>
  check.outcome === 'pass' && isInPart(check) ? 'pass in part' : check.outcome;

/** @returns what was tested: the URL of the target, or the command of the consumer. */
export const formatSubject = ({ target: { url, consumer } }: Pick<Report, 'target'>): string =>
  escapeInvisible(consumer ? consumer.map(quote).join(' ') : url);

/** Describes the target and the run, as label and text. */
export function describeRun({ suite, target }: Report): [label: string, text: string][] {
  const settings: [string, string][] = target.provided
    ? [['settings', `changed for the run: ${escapeInvisible(target.provided.join(', '))}`]]
    : [];
  const subject: [string, string][] = target.consumer
    ? [['consumer', formatSubject({ target })]]
    : [
        ['target', formatSubject({ target })],
        ['dialect', target.dialect],
        ['version', target.version === undefined ? 'unknown' : escapeInvisible(target.version)],
      ];
  return [
    ...subject,
    ['docfeed', `${suite.version}, specification ${suite.specification}`],
    suite.traffic
      ? ['traffic', `${suite.traffic.requests} requests`]
      : [
          'run',
          `profile ${suite.profile}, seed ${suite.seed}${suite.shard ? `, ${formatShard(suite.shard)}` : ''}`,
        ],
    ...settings,
    ['time', [suite.startedAt, formatSeconds(suite.durationMs), ...formatCost(suite.cost)].join(', ')],
  ];
}

function formatCost(cost: Report['suite']['cost']): string[] {
  if (!cost) return [];
  return [
    `${formatSeconds(cost.processorMs)} of processor time`,
    `${Math.round(100 * cost.waiting)} % waiting`,
    `${cost.requests} requests`,
    `${cost.databases} databases`,
  ];
}

export function formatShard({ index, count }: { index: number; count: number }): string {
  return `shard ${index} of ${count}`;
}

export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function formatReason({ reason = '' }: CheckResult): string {
  return escapeInvisible(reason);
}

/** Describes what a check observed and how to reproduce it, as label and one-line text. Unknown values are left out. */
export function describeEvidence(report: Report, check: CheckResult): [label: string, text: string][] {
  const { counterexample, replay } = check;
  const hasInput = counterexample !== undefined && 'input' in counterexample;
  const lines: [string, string | undefined][] = [
    ['settings', formatSettings(check)],
    ...(counterexample ? differenceOf(counterexample) : []),
    // The end shows what is wrong.
    ...formatTimeline(counterexample?.timeline)
      .slice(-2)
      .map((text, index): [string, string] => [index === 0 ? 'events' : '', text.trimStart()]),
    ['input', hasInput ? inlineJson(counterexample.input) : undefined],
    [
      '',
      counterexample?.shrunk === false
        ? 'shrinking stopped for time, so a smaller one may fail too'
        : undefined,
    ],
    ['replay', replay === undefined ? undefined : replayCommand(report, replay)],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

/** @returns where the response differs, the expected and the actual value, as lines. */
export const describeDifference = (counterexample: Counterexample): string[] =>
  differenceOf(counterexample).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label.padEnd(8)} ${text}`],
  );

function differenceOf(counterexample: Counterexample): [label: string, text: string | undefined][] {
  const { path, expected, actual } = counterexample;
  return [
    ['at', path && escapeInvisible(path)],
    ['expected', 'expected' in counterexample ? formatExpected(expected) : undefined],
    ['actual', path === undefined ? undefined : inlineJson(actual)],
  ];
}

/**
 * @returns the shell command that repeats one case. Reports have no credentials, so it has a placeholder for those of the
 * administrator if the run had one.
 */
export function replayCommand(report: Report, token: string): string {
  const { target } = report;
  const hasAdmin = target.capabilities.some(({ name, available }) => name === 'admin' && available);
  const command = commandFor(report, [...(report.suite.options ?? []), '--replay', token]);
  return hasAdmin ? `DOCFEED_ADMIN=name:password ${command}` : command;
}

/** @returns the shell command that runs one check again, as it ran. */
export const rerunCommand = (report: Report, { id }: CheckResult): string =>
  commandFor(report, [...(report.suite.options ?? []), '--only', id]);

/** A shell command that runs the suite for the same target or consumer. */
function commandFor({ target: { url, consumer } }: Report, options: readonly string[]): string {
  const words = consumer
    ? ['consumer', ...options, '--', ...consumer]
    : ['check', ...url.split(' '), ...options];
  return ['npx docfeed', ...words.map((word) => quote(escapeInvisible(word)))].join(' ');
}

/** @returns how often the check tried its rule, or in how much of the traffic the rule was judged. */
export function formatExtent({ traffic, cases, requests, durationMs }: CheckResult): string {
  if (traffic)
    return `judged${traffic.judged === undefined ? '' : ' in part,'} in ${countOf(traffic.exchanges, 'exchange')}`;
  return `${countOf(cases, 'case')}, ${countOf(requests, 'request')}, ${formatSeconds(durationMs)}`;
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Formats the settings that the check changed; `undefined` if it changed none. */
export function formatSettings({ settings }: CheckResult): string | undefined {
  if (settings === undefined) return undefined;
  const pairs = Object.entries(settings).map(([name, value]) => `${name} = ${value ?? '(no value)'}`);
  return escapeInvisible(pairs.join(', '));
}

/** @returns one line for something that happened in a scenario, with its time. */
export const formatEvent = ({ atMs, text }: NonNullable<Counterexample['timeline']>[number]): string =>
  `${String(atMs).padStart(8)} ms  ${shorten(text, 200)}`;

export const formatTimeline = (timeline: Counterexample['timeline'] = []): string[] =>
  timeline.map(formatEvent);

/**
 * @param most number of events
 * @returns the end of a timeline, which shows what is wrong, after what may be the reason: the steps before, and the first
 * line on standard error. What a consumer sends, gets and says comes again and again.
 */
export function shortenTimeline(timeline: Counterexample['timeline'] = [], most: number): string[] {
  if (timeline.length <= most) return formatTimeline(timeline);
  const end = timeline.slice(-Math.ceil(most / 2));
  const earlier = timeline.slice(0, -end.length);
  const firstError = earlier.find(({ kind }) => kind === 'error');
  const reasons = earlier
    .filter((event) => event === firstError || event.kind === 'step')
    .slice(0, most - end.length);
  const left = earlier.length - reasons.length;
  return [
    ...formatTimeline(reasons),
    `             ${left} more ${left === 1 ? 'event' : 'events'} in between; see report.html`,
    ...formatTimeline(end),
  ];
}

/** @returns the statement of the rule and its sections in the service document. */
export function formatRule({ statement, source = [] }: CheckResult): string | undefined {
  if (statement === undefined) return undefined;
  const sections = source.length === 0 ? '' : ` (SERVICE ${source.join(', ')})`;
  return escapeInvisible(statement + sections);
}

/** Number of check ids that a list shows. */
const idsShown = 6;

/** Lists the ids of the checks, such as `feed-limit, feed-since and 12 more`. */
export function shortenIds(checks: readonly CheckResult[]): string {
  const ids = checks.map(({ id }) => escapeInvisible(id));
  const more = ids.length - idsShown;
  return more > 1 ? `${ids.slice(0, idsShown).join(', ')} and ${more} more` : ids.join(', ');
}
