/** Results of earlier runs, in the folder of their reports. */
import { basename, join } from 'node:path';
import type { CommanderError } from 'commander';
import { fileError } from './file-error.js';
import { readReport } from './read.js';
import { isDecided } from './outcomes.js';
import type { CheckResult, Report } from './report.js';

/** Subfolders for the reports of runs with fewer checks or cases: see `folderFor`. */
export const partNames = {
  replay: 'replay',
  lastFailed: 'last-failed',
  selection: 'selection',
  stopped: 'stopped',
  smaller: 'smaller',
} as const;

/** A passed replay does not show that the other cases of its check pass. */
const consideredParts = [partNames.lastFailed, partNames.selection, partNames.stopped, partNames.smaller];

/** Nor does a check that passed with fewer cases. */
const isTooSmall = ({ outcome }: CheckResult, folder: string): boolean =>
  outcome === 'pass' && basename(folder) === partNames.smaller;

export interface LastResult {
  readonly result: CheckResult;
  /** The report with the result. */
  readonly report: Report;
  readonly folder: string;
}

/**
 * Reads the reports of a folder and of its subfolders for partial runs.
 *
 * @param options.includesUndecided whether the latest result counts, whatever its outcome
 * @returns for each check its latest result that decides whether the target follows the rule, by id; `undefined` if
 * there is no report
 */
export async function readLastResults(
  folder: string,
  { includesUndecided = false }: { includesUndecided?: boolean } = {},
): Promise<Map<string, LastResult> | undefined> {
  const oldestFirst = await readReports(folder, consideredParts);
  if (oldestFirst.length === 0) return undefined;
  return new Map(
    oldestFirst.flatMap(({ report, folder }) =>
      report.checks
        .filter((check) => includesUndecided || (isDecided(check) && !isTooSmall(check, folder)))
        .map((result): [string, LastResult] => [result.id, { result, report, folder }]),
    ),
  );
}

/** The page of the last run, whatever it ran: it is in the folder or in one of its subfolders for partial runs. */
export async function lastPage(folder: string): Promise<string> {
  const last = (await readReports(folder, Object.values(partNames))).at(-1);
  if (!last) throw noReport(folder);
  return join(last.folder, 'report.html');
}

export const noReport = (folder: string): CommanderError =>
  fileError(`${folder} has no report; make one with: docfeed check URL`);

/** The reports of the folder and of these subfolders, oldest first. */
async function readReports(folder: string, parts: readonly string[]): Promise<FoundReport[]> {
  const folders = [folder, ...parts.map((part) => join(folder, part))];
  const reports = (await Promise.all(folders.map(readIfPossible))).flat();
  return reports.toSorted((a, b) => a.report.suite.startedAt.localeCompare(b.report.suite.startedAt));
}

interface FoundReport {
  readonly report: Report;
  readonly folder: string;
}

async function readIfPossible(folder: string): Promise<FoundReport[]> {
  const report = await readReport(join(folder, 'report.json')).catch(() => undefined);
  return report ? [{ report, folder }] : [];
}
