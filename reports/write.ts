import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { refusal } from './refuse.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import { renderMarkdown } from './render/markdown.js';
import type { Report } from './report.js';

/**
 * Writes `report.json` and its renderings `report.html`, `junit.xml` and `summary.md` into a folder, which is made
 * when it is missing. Nobody ever sees half a file: each is written under another name there and then renamed.
 *
 * @throws CommanderError (exit code 2) when the file system refuses.
 */
export async function writeReport(report: Report, directory: string): Promise<void> {
  const files = {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': renderHtml(report),
    'junit.xml': renderJunit(report),
    'summary.md': renderMarkdown(report),
  };
  await allowed(directory, () => mkdir(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeWhole(join(directory, name), text);
}

/** Writes one file as {@link writeReport} does. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await allowed(file, () => writeFileAtomic(file, text));
}

async function allowed(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw refusal(`cannot write ${path} (${code ?? message})`);
  }
}
