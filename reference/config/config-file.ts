/** Configuration files. */
import { readFile } from 'node:fs/promises';
import { InvalidSetting, isKnown, type Configuration } from './configuration.js';
import { parseIni } from './ini.js';

/** A file that cannot be used; the message names it, and the line. */
export class ConfigurationFileError extends Error {}

/**
 * Sets what the file sets. Files written for CouchDB have much that this server does not know: it is told, not
 * refused. Throws a `ConfigurationFileError`.
 *
 * @returns what is wrong with the file and does not matter, a line each
 */
export async function applyFile(file: string, configuration: Configuration): Promise<string[]> {
  const warnings: string[] = [];
  for (const { number, setting } of parseIni(await contentOf(file))) {
    const place = `${file}, line ${number}`;
    if (!setting) {
      warnings.push(`${place}: neither a section nor a setting: ignored`);
      continue;
    }
    const { section, key, value } = setting;
    if (!isKnown(section, key)) warnings.push(`${place}: ${section}/${key} has no effect on this server`);
    try {
      if (value === '') configuration.delete(section, key);
      else await configuration.set(section, key, value);
    } catch (error) {
      throw error instanceof InvalidSetting
        ? new ConfigurationFileError(`${place}: ${error.message}`)
        : error;
    }
  }
  return warnings;
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationFileError(
      `cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : (error as Error).message}`,
    );
  }
}
