/** A violation as a text for the tracker of the product: whoever reads it needs neither docfeed nor its report. */
import { escapeInvisible } from '../escape.js';
import type { Violation } from '../find-violation.js';
import type { Counterexample, Report } from '../report.js';
import { curlSteps, describeOmitted, isByAdmin } from './curl.js';
import { escapeMarkdown, renderCode, renderCodeBlock, renderSource } from './markdown.js';
import {
  formatSettings,
  formatSubject,
  formatTimeline,
  inlineJson,
  prettyJson,
  replayCommand,
  shorten,
} from './text.js';

/** A longer value hides what is wrong. The commands show all of it. */
const maxValue = 4000;

/** @returns Markdown: a title, versions, commands, expected and actual values, the rule with its source. */
export function renderIssue(report: Report, check: Violation): string {
  const { counterexample, replay, source = [], statement, level } = check;
  const { message, path, expected, actual, terms = [], timeline } = counterexample;
  // The others explain the generated input, which the commands stand for.
  const words = terms.filter(({ term }) => `${message} ${statement}`.includes(term));
  const sections: readonly (readonly [title: string, blocks: readonly string[]])[] = [
    ['Versions', [listVersions(report, check)]],
    ['Commands', renderCommands(report, counterexample)],
    ['What happened', timeline ? [renderCodeBlock(formatTimeline(timeline).join('\n'))] : []],
    ['Expected', 'expected' in counterexample ? [renderValue(expected)] : []],
    [
      'Actual',
      path === undefined && actual === undefined
        ? []
        : [...(path === undefined ? [] : [`At ${renderCode(path)}:`]), renderValue(actual)],
    ],
    [
      'Rule',
      [
        `${renderProse(statement ?? check.rule)} (${level})`,
        ...source.map((section) => renderSource(section).join('\n').trim()),
      ],
    ],
    [
      'Words',
      [words.map(({ term, explanation }) => `- ${plain(term)}: ${renderProse(explanation)}`).join('\n')],
    ],
    [
      'Run this case again',
      replay === undefined ? [] : [renderCodeBlock(replayCommand(report, replay), 'sh')],
    ],
  ];
  return [
    `# ${renderProse(message)}`,
    ...sections
      .map(([title, blocks]) => [title, blocks.filter((block) => block !== '')] as const)
      .filter(([, blocks]) => blocks.length > 0)
      .flatMap(([title, blocks]) => [`## ${title}`, ...blocks]),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

const plain = (text: string): string => escapeMarkdown(escapeInvisible(text));

/** Backticks in the text mark code. */
const renderProse = (text: string): string =>
  text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 0 ? plain(part) : renderCode(part)))
    .join('');

/** What was tested, and how it was found. */
function listVersions({ suite, target }: Report, check: Violation): string {
  const settings = formatSettings(check);
  const { frequency } = check.counterexample;
  return [
    target.consumer
      ? `Consumer: ${renderCode(formatSubject({ target }))}`
      : `Server: ${renderCode(inlineJson(target.greeting, 1000))}`,
    ...(settings === undefined ? [] : [`Settings: ${renderCode(settings)}`]),
    `Found by the check ${renderCode(check.id)} of docfeed ${plain(suite.version)}${
      suite.traffic ? ' in traffic' : `, profile ${suite.profile}, seed ${suite.seed}`
    }${frequency ? `, in ${frequency.failed} of ${frequency.of} cases` : ''}`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

function renderCommands(report: Report, counterexample: Counterexample): string[] {
  const { exchanges, omitted = 0 } = counterexample;
  if (exchanges.length === 0) return [];
  const steps = [
    ...(exchanges.some(isByAdmin) ? ['export DOCFEED_ADMIN=name:password'] : []),
    ...curlSteps(report, counterexample),
  ];
  return [...(omitted === 0 ? [] : [describeOmitted(omitted)]), renderCodeBlock(steps.join('\n\n'), 'sh')];
}

/** A text is a description, which reads as it is. */
const renderValue = (value: unknown): string =>
  renderCodeBlock(
    typeof value === 'string' ? shorten(value, maxValue) : escapeJson(prettyJson(value)),
    typeof value === 'string' ? 'text' : 'json',
  );

const escapeJson = (json: string): string =>
  escapeInvisible(json.length > maxValue ? `${json.slice(0, maxValue)}…` : json, '\n');
