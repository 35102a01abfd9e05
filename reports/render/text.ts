/** What the renderings say alike. Whatever comes from a target is hostile: it must not steer a terminal or a page. */
import { join } from 'node:path';
import type { CheckResult, Outcome, Report } from '../report.js';
import { byUrgency } from '../outcomes.js';

/** Control, format (bidirectional overrides) and private characters, lone surrogates, and exotic line ends. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

const names: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

/** The text with every character that one cannot see written as an escape, but for those in `keep`. */
export function printable(text: string, keep = ''): string {
  return text.replace(invisible, (character) =>
    keep.includes(character)
      ? character
      : (names[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`),
  );
}

/** A value as JSON on one line, cut after `limit` characters; `nothing` for an absent one. */
export function inline(value: unknown, limit = 300): string {
  return shorten(value === undefined ? 'nothing' : JSON.stringify(value), limit);
}

/** A value as JSON over several lines. */
export function pretty(value: unknown): string {
  return printable(value === undefined ? 'nothing' : JSON.stringify(value, null, 2), '\n');
}

/** What was expected: a phrase stands as it is, a value is shown as JSON. */
export function expectation(expected: unknown): string {
  return typeof expected === 'string' ? shorten(expected, 300) : inline(expected);
}

function shorten(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
  return printable(cut);
}

/** `1 fail, 41 pass, 3 skipped`: the outcomes that occurred. */
export function counts({ summary }: Report): string {
  const occurred = byUrgency.filter((outcome) => summary[outcome] > 0);
  return occurred.map((outcome) => `${summary[outcome]} ${outcome}`).join(', ') || 'nothing was checked';
}

/** What ran against what, each as a label and a text. */
export function circumstances({ suite, target }: Report): [label: string, text: string][] {
  const settings: [string, string][] = target.provided
    ? [['settings', `set for the run: ${printable(target.provided.join(', '))}`]]
    : [];
  return [
    ['target', printable(target.url)],
    ['dialect', target.dialect],
    ['version', target.version === undefined ? 'not told' : printable(target.version)],
    ['docfeed', `${suite.version}, specification ${suite.specification}`],
    [
      'run',
      `profile ${suite.profile}, seed ${suite.seed}${suite.shard ? `, ${shardName(suite.shard)}` : ''}`,
    ],
    ...settings,
    ['time', `${suite.startedAt}, ${seconds(suite.durationMs)}`],
  ];
}

export function shardName({ index, count }: { index: number; count: number }): string {
  return `shard ${index} of ${count}`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The reason of an outcome as one printable line. */
export function reasonOf({ reason = '' }: CheckResult): string {
  return printable(reason);
}

/**
 * Where a check found the target wrong and how to see it again: labels and one-line texts, as far as they are known.
 *
 * @param folder of the report, where whoever reads this is not in it.
 */
export function findings(report: Report, check: CheckResult, folder = ''): [label: string, text: string][] {
  const { counterexample: found, replay, script } = check;
  const lines: [string, string | undefined][] = [
    ['under', settingsText(check)],
    ['at', found?.path && printable(found.path)],
    ['expected', found && 'expected' in found ? expectation(found.expected) : undefined],
    ['actual', found?.path === undefined ? undefined : inline(found.actual)],
    ['input', found && 'input' in found ? inline(found.input) : undefined],
    ['replay', replay === undefined ? undefined : replayCommand(report, replay)],
    ['script', script === undefined ? undefined : shellWord(join(folder, script))],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

/** The command that runs one case again, ready to be pasted into a shell. Credentials come from the environment. */
export function replayCommand({ target, suite }: Report, token: string): string {
  const words = [...target.url.split(' '), ...(suite.options ?? []), '--replay', token];
  return ['docfeed', 'check', ...words].map(shellWord).join(' ');
}

function shellWord(text: string): string {
  const word = printable(text);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The settings that the target was judged under, where the check has some of its own. */
export function settingsText({ settings }: CheckResult): string | undefined {
  if (settings === undefined) return undefined;
  const each = Object.entries(settings).map(([name, value]) => `${name} = ${value ?? '(no value)'}`);
  return printable(each.join(', '));
}

/** What the rule of a check says, and where the service document says it. */
export function ruleText({ statement, source = [] }: CheckResult): string | undefined {
  if (statement === undefined) return undefined;
  const where = source.length === 0 ? '' : ` (SERVICE ${source.join(', ')})`;
  return printable(statement + where);
}

/** The checks of one outcome by reason, so that ten checks that lack one capability are one line. */
export function idsByReason(report: Report, outcome: Outcome): [reason: string, ids: string[]][] {
  const groups = new Map<string, string[]>();
  for (const check of report.checks.filter((candidate) => candidate.outcome === outcome)) {
    groups.set(reasonOf(check), [...(groups.get(reasonOf(check)) ?? []), printable(check.id)]);
  }
  return [...groups];
}
