import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { fileError } from './file-error.js';
import { makeFolder } from './folder.js';
import { partNames } from './last-results.js';
import { isUnfinished } from './outcomes.js';
import { readReport } from './read.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import { renderMarkdown } from './render/markdown.js';
import { scriptOf } from './render/script.js';
import type { CheckResult, Report } from './report.js';

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `summary.md` into a folder, and the scripts of counterexamples
 * into its subfolder `scripts`. Creates missing folders and removes the scripts of the report that it replaces. Each
 * file is written under a temporary name and then renamed, so that no reader sees an incomplete file.
 *
 * @returns the report with the paths of its scripts
 * @throws CommanderError (exit code 2) if a file cannot be written
 */
export async function writeReport(original: Report, directory: string): Promise<Report> {
  const scripts = new Map<string, string>();
  const report = {
    ...original,
    checks: original.checks.map((check) => addScript(original, check, scripts)),
  };
  const files = {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': renderHtml(report),
    'junit.xml': renderJunit(report),
    'summary.md': renderMarkdown(report),
  };
  await withFileErrors(directory, () => makeFolder(directory));
  const previous = await readReport(join(directory, 'report.json')).catch(() => undefined);
  for (const [name, text] of Object.entries(files)) await writeOutputFile(join(directory, name), text);
  for (const [name, text] of scripts) {
    const file = join(directory, name);
    await withFileErrors(file, () => makeFolder(dirname(file)));
    await writeOutputFile(file, text, 0o755);
  }
  for (const { script } of previous?.checks ?? []) {
    if (script === undefined || scripts.has(script)) continue;
    // `basename`: the previous report must not make this remove a file outside of the folder.
    await rm(join(directory, 'scripts', basename(script)), { force: true });
  }
  return report;
}

/**
 * Decides where the report of a run belongs. The report of a run that was limited or stopped, or that had fewer cases
 * by its profile, does not replace a report of more: it goes to a subfolder.
 *
 * @param part name of the subfolder for the report of a run that was limited or stopped; `undefined` for other runs
 */
export async function folderFor(report: Report, directory: string, part?: string): Promise<string> {
  const previous = await readReport(join(directory, 'report.json')).catch(() => undefined);
  if (!previous) return directory;
  const difference = countFinished(previous) - countFinished(report);
  if (part !== undefined) return difference > 0 ? join(directory, part) : directory;
  const isSmaller = sizeOf(report) < sizeOf(previous) && difference >= 0;
  return isSmaller ? join(directory, partNames.smaller) : directory;
}

const sizeOf = ({ suite }: Report): number => ['smoke', 'default', 'thorough'].indexOf(suite.profile);

const countFinished = (report: Report): number =>
  report.checks.filter((check) => !isUnfinished(report, check)).length;

/**
 * Writes a file under a temporary name and then renames it.
 *
 * @throws CommanderError (exit code 2) if the file cannot be written
 */
export async function writeOutputFile(file: string, text: string, mode?: number): Promise<void> {
  await withFileErrors(file, () => writeFileAtomic(file, text, { mode }));
}

/** Adds the script of the check to `scripts`, and its path, or the reason why it has none, to the result. */
function addScript(report: Report, check: CheckResult, scripts: Map<string, string>): CheckResult {
  const script = scriptOf(report, check);
  if (!script) return check;
  // `undefined` replaces the value of a report that another version of docfeed wrote.
  if ('none' in script) return { ...check, script: undefined, noScript: script.none };
  scripts.set(script.file, script.text);
  return { ...check, script: script.file, noScript: undefined };
}

async function withFileErrors(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fileError(`cannot write ${path} (${code ?? message})`);
  }
}
