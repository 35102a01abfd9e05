/** The values of `--reporter`. This module loads no reporter, so that the command line is parsed quickly. */

/** Names of reporters, as in other test runners, and whether people read their output. */
const reporterKinds = {
  default: 'people',
  json: 'programs',
  ndjson: 'programs',
  junit: 'programs',
  github: 'people',
} as const;

export type ReporterName = keyof typeof reporterKinds;

export const reporterNames = Object.keys(reporterKinds) as ReporterName[];

export interface ReporterSpec {
  readonly name: ReporterName;
  /** Default: the standard output. */
  readonly file?: string;
}

/** Parses `NAME` or `NAME=FILE`. @returns a sentence about the mistake if the text is invalid */
export function parseReporter(text: string): ReporterSpec | string {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text)!;
  if (!Object.hasOwn(reporterKinds, name)) return `Allowed names are ${reporterNames.join(', ')}.`;
  if (file === '') return 'The name of the file is missing.';
  return { name: name as ReporterName, ...(file === undefined ? {} : { file }) };
}

/** @returns the reporter for programs whose output another reporter would damage, if there is one. */
export function findConflict(specs: readonly ReporterSpec[]): ReporterName | undefined {
  const onStdout = specs.filter(({ file }) => file === undefined);
  return onStdout.length < 2
    ? undefined
    : onStdout.find(({ name }) => reporterKinds[name] === 'programs')?.name;
}
