import { renderTerminal } from '../render/terminal.js';
import type { CheckResult } from '../report.js';
import type { Output, Reporter } from './reporter.js';

/** Prints the summary for people when the run has ended. */
export function defaultReporter(output: Output): Reporter {
  return {
    onRunEnd({ report, reportDir, isReplay }) {
      const { hasColour: colour, columns, verbose } = output;
      output.write(renderTerminal(report, { colour, columns, reportDir, verbose }));
      if (isReplay) output.write(`replay: ${describeReplay(report.checks[0])}\n`);
    },
  };
}

function describeReplay(result: CheckResult | undefined): string {
  if (result?.outcome === 'pass') return 'fixed';
  if (result?.outcome === 'fail' || result?.outcome === 'warn') return 'still failing';
  return 'not decided';
}
