import { Eta } from 'eta';
import type { Report } from '../report.js';
import { byUrgency, counts, replayCommand } from '../text.js';
import { pageStyle, reportTemplate } from './html-template.js';

// Everything that is shown comes from the target, which may be hostile: `<%=` escapes it.
const eta = new Eta({ autoEscape: true });

/** The report as one HTML file that needs nothing else: no script, style or image from elsewhere. */
export function renderHtml(report: Report): string {
  const checks = [...report.checks].sort(
    (a, b) => byUrgency.indexOf(a.outcome) - byUrgency.indexOf(b.outcome),
  );
  return eta.renderString(reportTemplate, {
    style: pageStyle,
    report,
    checks,
    counts: counts(report),
    outcomes: byUrgency.filter((outcome) => report.summary[outcome] > 0),
    replayCommand: (check: Report['checks'][number]) => replayCommand(report, check),
    pretty: (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value, null, 2)),
  });
}
