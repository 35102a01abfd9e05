/** Creates the reporters of a run. */
import { openSync, writeSync } from 'node:fs';
import { fileError } from '../file-error.js';
import { renderTerminal, showsColour } from '../render/terminal.js';
import { printableJson } from '../escape.js';
import type { CheckResult } from '../report.js';
import { githubReporter } from './github.js';
import type { Output, Reporter } from './reporter.js';
import type { ReporterName, ReporterSpec } from './spec.js';

const factories: Readonly<Record<ReporterName, (output: Output) => Reporter>> = {
  default: (output) => ({
    onRunEnd({ report, reportDir, isReplay }) {
      const { hasColour: colour, columns, verbose } = output;
      output.write(renderTerminal(report, { colour, columns, reportDir, verbose }));
      if (isReplay) output.write(`replay: ${describeReplay(report.checks[0])}\n`);
    },
  }),
  ndjson: ndjsonReporter,
  github: githubReporter,
  json: (output) => ({
    onRunEnd: ({ report }) => output.write(`${printableJson(report, 2)}\n`),
  }),
  junit: (output) => ({
    async onRunEnd({ report }) {
      const { renderJunit } = await import('../render/junit.js');
      output.write(renderJunit(report));
    },
  }),
};

/**
 * Creates one reporter that passes each event on to all reporters.
 *
 * @param options.verbose whether people see everything, instead of one screen.
 * @throws CommanderError (exit code 2) if a file cannot be written
 */
export function createReporters(
  specs: readonly ReporterSpec[],
  { verbose = false }: { verbose?: boolean | undefined } = {},
): Required<Reporter> {
  const reporters = specs.map(({ name, file }) =>
    factories[name]({ ...(file === undefined ? stdout() : outputTo(file)), verbose }),
  );
  return {
    onRunBegin: (run) => reporters.forEach((reporter) => reporter.onRunBegin?.(run)),
    onCheckEnd: (end) => reporters.forEach((reporter) => reporter.onCheckEnd?.(end)),
    async onRunEnd(end) {
      for (const reporter of reporters) await reporter.onRunEnd(end);
    },
  };
}

function describeReplay(result: CheckResult | undefined): string {
  if (result?.outcome === 'pass') return 'fixed';
  if (result?.outcome === 'fail' || result?.outcome === 'warn') return 'still failing';
  return 'not decided';
}

/** Writes one JSON object per line and event, as soon as the event happens. The format is described in reports/README.md. */
function ndjsonReporter(output: Output): Reporter {
  const write = (event: string, data: object): void =>
    output.write(`${printableJson({ event, time: new Date().toISOString(), ...data })}\n`);
  return {
    onRunBegin: (run) => write('run-begin', { format: 'docfeed-events/1', ...run }),
    onCheckEnd: (end) => write('check-end', end),
    onRunEnd: ({ report, reportDir, exitCode }) =>
      write('run-end', {
        summary: report.summary,
        warnings: report.warnings,
        // JSON has no `undefined`, so this is absent if the run was not stopped.
        stopped: report.suite.stopped,
        durationMs: report.suite.durationMs,
        exitCode,
        reportDir,
      }),
  };
}

function stdout(): Output {
  const { stdout } = process;
  return {
    write: (text) => void stdout.write(text),
    hasColour: showsColour(stdout),
    ...(stdout.isTTY ? { columns: stdout.columns } : {}),
  };
}

/** Opens the file at once: a run must not end without its results. Each event is written when it happens. */
function outputTo(file: string): Output {
  try {
    const fd = openSync(file, 'w');
    return { write: (text) => void writeSync(fd, text), hasColour: false };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fileError(`cannot write ${file} (${code ?? message})`);
  }
}
