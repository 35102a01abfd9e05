import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from './report.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import { renderMarkdown } from './render/markdown.js';

/** Every rendering that stands beside `report.json`, by file name. */
const renderings: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report, null, 2)}\n`,
  'report.html': renderHtml,
  'junit.xml': renderJunit,
  'summary.md': renderMarkdown,
};

/**
 * Writes the report and its renderings into `directory`, which is made when it is missing. Each file appears whole or
 * not at all: a reader never sees half of one. File system errors are thrown as they are.
 */
export async function writeReport(report: Report, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, render] of Object.entries(renderings))
    await writeWhole(join(directory, name), render(report));
}

/** Writes a file under another name and then renames it, so that it is never seen half-written. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}
