/** Remembers in the report folder at which rung the last climb stopped, so that the next one begins there. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { asObject, parseJson } from '../http/parse-json.js';

const fileIn = (reportDir: string): string => join(reportDir, 'bring-up.json');

/** @returns the name of the rung, if the last climb was one of these nodes and stopped */
export async function lastStop(reportDir: string, urls: readonly string[]): Promise<string | undefined> {
  // Without the file, or with another content, a climb begins at its first rung.
  const text = await readFile(fileIn(reportDir), 'utf8').catch(() => '');
  const { target, rung } = asObject(parseJson(text));
  return target === urls.join(' ') && typeof rung === 'string' ? rung : undefined;
}

/** @param rung `undefined` if the climb reached the end */
export async function rememberStop(
  reportDir: string,
  urls: readonly string[],
  rung: string | undefined,
): Promise<void> {
  const file = fileIn(reportDir);
  if (rung === undefined) await rm(file, { force: true });
  else await writeFileAtomic(file, `${JSON.stringify({ target: urls.join(' '), rung })}\n`);
}
