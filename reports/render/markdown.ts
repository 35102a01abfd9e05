import type { Report } from '../report.js';
import { byUrgency, counts, inline, replayCommand, skippedByReason } from '../text.js';

/** A summary for a job page or a pull request: the counts, what is not well and why, what was skipped. */
export function renderMarkdown(report: Report): string {
  const { target, suite } = report;
  const attention = report.checks
    .filter((check) => check.outcome !== 'pass' && check.outcome !== 'skipped')
    .sort((a, b) => byUrgency.indexOf(a.outcome) - byUrgency.indexOf(b.outcome));
  const blocks = [
    `# docfeed: ${code(target.url)}`,
    `**${counts(report)}** (dialect ${target.dialect}${target.version ? `, version ${code(target.version)}` : ''}, ` +
      `docfeed ${suite.version}, profile ${suite.profile}, seed ${suite.seed}, ${(suite.durationMs / 1000).toFixed(1)} s)`,
    ...report.warnings.map((warning) => `> ${prose(warning)}`),
  ];
  if (attention.length > 0) {
    blocks.push(
      [
        '| outcome | check | why |',
        '| --- | --- | --- |',
        ...attention.map(
          (check) => `| ${check.outcome} | ${code(check.id)} | ${prose(check.reason ?? '')} |`,
        ),
      ].join('\n'),
    );
  }
  for (const check of attention.filter(
    ({ outcome, counterexample }) => outcome === 'fail' && counterexample,
  )) {
    const { path, expected, actual } = check.counterexample!;
    const replay = replayCommand(report, check);
    blocks.push(
      [
        `## ${check.id}`,
        '',
        ...(path ? [`- at ${code(path)}`] : []),
        `- expected ${code(inline(expected))}`,
        `- actual ${code(inline(actual))}`,
        ...(replay ? [`- replay ${code(replay)}`] : []),
      ].join('\n'),
    );
  }
  const skipped = skippedByReason(report);
  if (skipped.length > 0) {
    blocks.push(
      `Skipped:\n\n${skipped.map(([reason, ids]) => `- ${prose(reason)}: ${ids.map(code).join(', ')}`).join('\n')}`,
    );
  }
  return `${blocks.join('\n\n')}\n`;
}

/** Inline code that no content can break out of: the fence is longer than any run of backticks inside. */
function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}

/** Text of a target in a paragraph or a table cell: neither markup nor HTML. */
function prose(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#]/g, '\\$&');
}
