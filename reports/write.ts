import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { fileError } from './file-error.js';
import { makeFolder } from './folder.js';
import { partNames } from './last-results.js';
import { isUnfinished } from './outcomes.js';
import { readReport } from './read.js';
import type { Report } from './report.js';

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `summary.md` into a folder. Creates missing folders. Each file is
 * written under a temporary name and then renamed, so that no reader sees an incomplete file.
 *
 * @throws CommanderError (exit code 2) if a file cannot be written
 */
export async function writeReport(report: Report, folder: string): Promise<void> {
  // Most of the modules of a page load only now: a run may end before it has a report.
  const { renderHtml } = await import('./render/html.js');
  const { renderJunit } = await import('./render/junit.js');
  const { renderMarkdown } = await import('./render/markdown.js');
  const files = {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': renderHtml(report),
    'junit.xml': renderJunit(report),
    'summary.md': renderMarkdown(report),
  };
  await withFileErrors(folder, () => makeFolder(folder));
  for (const [name, text] of Object.entries(files)) await writeOutputFile(join(folder, name), text);
}

/**
 * Decides where the report of a run belongs. The report of a run that was limited or stopped, or that had fewer cases
 * by its profile, does not replace a report of more: it goes to a subfolder.
 *
 * @param part name of the subfolder for the report of a run that was limited or stopped; `undefined` for other runs
 */
export async function folderFor(report: Report, folder: string, part?: string): Promise<string> {
  const previous = await readReport(join(folder, 'report.json')).catch(() => undefined);
  if (!previous) return folder;
  const difference = countFinished(previous) - countFinished(report);
  if (part !== undefined) return difference > 0 ? join(folder, part) : folder;
  const isSmaller = sizeOf(report) < sizeOf(previous) && difference >= 0;
  return isSmaller ? join(folder, partNames.smaller) : folder;
}

const sizeOf = ({ suite }: Report): number => ['smoke', 'default', 'thorough'].indexOf(suite.profile);

const countFinished = (report: Report): number =>
  report.checks.filter((check) => !isUnfinished(report, check)).length;

/**
 * Writes a file under a temporary name and then renames it.
 *
 * @throws CommanderError (exit code 2) if the file cannot be written
 */
export async function writeOutputFile(file: string, text: string): Promise<void> {
  await withFileErrors(file, () => writeFileAtomic(file, text));
}

async function withFileErrors(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fileError(`cannot write ${path} (${code ?? message})`);
  }
}
