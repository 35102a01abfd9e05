/** GitHub Actions: annotations (workflow commands) and the summary of the job. */
import { appendFileSync } from 'node:fs';
import { findCauses } from '../causes.js';
import { escapeInvisible } from '../escape.js';
import { replayCommand } from '../render/text.js';
import type { CheckResult, Report } from '../report.js';
import type { Output, Reporter } from './reporter.js';

/** GitHub rejects a larger summary of one step, in bytes. */
const summaryLimit = 1024 * 1024;

/**
 * Writes an annotation for each cause of failures, since GitHub shows only ten per step, and appends `summary.md` to the
 * file that `GITHUB_STEP_SUMMARY` names. Outside of GitHub Actions, it only writes the annotations.
 */
export function githubReporter(output: Output): Reporter {
  return {
    async onRunEnd({ report }) {
      for (const { lead, others } of findCauses(report.checks)) {
        output.write(annotationOf(report, lead, others.length));
      }
      for (const check of report.checks.filter(({ outcome }) => outcome === 'error')) {
        output.write(annotationOf(report, check, 0));
      }
      if (report.suite.stopped !== undefined) {
        output.write(command('error', 'docfeed: the run ended early', report.suite.stopped));
      }
      for (const warning of report.warnings) output.write(command('warning', 'docfeed', warning));
      const summary = process.env['GITHUB_STEP_SUMMARY'];
      if (!summary) return;
      const { renderMarkdown } = await import('../render/markdown.js');
      appendFileSync(summary, cut(renderMarkdown(report)));
    },
  };
}

function annotationOf(report: Report, check: CheckResult, others: number): string {
  const also = others === 0 ? '' : ` (and ${others} more checks, probably for the same cause)`;
  const lines = [
    `${check.reason}${also}`,
    ...(check.replay === undefined ? [] : [`Run again: ${replayCommand(report, check.replay)}`]),
  ];
  return command(check.outcome === 'warn' ? 'warning' : 'error', check.id, lines.join('\n'));
}

/** A workflow command. Escapes keep a hostile target from adding commands of its own, also those of other systems. */
function command(level: 'error' | 'warning', title: string, message: string): string {
  return `::${level} title=${escape(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escape(message)}\n`;
}

const escape = (text: string): string =>
  escapeInvisible(text, '\n').replaceAll('%', '%25').replaceAll('\n', '%0A');

function cut(markdown: string): string {
  const bytes = Buffer.from(markdown);
  if (bytes.length <= summaryLimit) return markdown;
  const note = '\n\nThe summary is incomplete because it is too long. See `summary.md` of the report.\n';
  const text = bytes.subarray(0, summaryLimit - 2 * note.length).toString('utf8');
  return text.slice(0, text.lastIndexOf('\n## ')) + note;
}
