import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { makeFolder } from './folder.js';
import { readReport } from './read.js';
import { refusal } from './refuse.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import { renderMarkdown } from './render/markdown.js';
import { scriptOf } from './render/script.js';
import type { CheckResult, Report } from './report.js';

/**
 * Writes `report.json` and its renderings `report.html`, `junit.xml` and `summary.md` into a folder, which is made
 * when it is missing, and the scripts of counterexamples into the folder `scripts` there, from which those of an
 * earlier report go. Nobody ever sees half a file: each is written under another name there and then renamed.
 *
 * @returns the report with the paths of its scripts.
 * @throws CommanderError (exit code 2) when the file system refuses.
 */
export async function writeReport(plain: Report, directory: string): Promise<Report> {
  const scripts = new Map<string, string>();
  const report = { ...plain, checks: plain.checks.map((check) => withScript(plain, check, scripts)) };
  const files = {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': renderHtml(report),
    'junit.xml': renderJunit(report),
    'summary.md': renderMarkdown(report),
  };
  await allowed(directory, () => makeFolder(directory));
  const before = await readReport(join(directory, 'report.json')).catch(() => undefined);
  for (const [name, text] of Object.entries(files)) await writeWhole(join(directory, name), text);
  for (const [name, text] of scripts) {
    const file = join(directory, name);
    await allowed(file, () => makeFolder(dirname(file)));
    await writeWhole(file, text, 0o755);
  }
  for (const { script } of before?.checks ?? []) {
    if (script === undefined || scripts.has(script)) continue;
    // Only ever a file of that folder, whatever the earlier report says.
    await rm(join(directory, 'scripts', basename(script)), { force: true });
  }
  return report;
}

/** Writes one file as {@link writeReport} does. */
export async function writeWhole(file: string, text: string, mode?: number): Promise<void> {
  await allowed(file, () => writeFileAtomic(file, text, { mode }));
}

/** The result with the path of its script, which is added to `scripts`, or with the reason why there is none. */
function withScript(report: Report, check: CheckResult, scripts: Map<string, string>): CheckResult {
  const script = scriptOf(report, check);
  if (!script) return check;
  // What an earlier version has written may be out of date.
  if ('none' in script) return { ...check, script: undefined, noScript: script.none };
  scripts.set(script.file, script.text);
  return { ...check, script: script.file, noScript: undefined };
}

async function allowed(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw refusal(`cannot write ${path} (${code ?? message})`);
  }
}
