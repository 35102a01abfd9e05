/** Configuration files. */
import { readFile } from 'node:fs/promises';
import { InvalidSetting, warningOf, type Configuration } from './configuration.js';
import { parseIni } from './ini.js';

/** The file cannot be used. The message has the file and the line. */
export class ConfigurationFileError extends Error {}

/**
 * Applies the settings of a file. Unknown settings only cause warnings, because files for CouchDB have many of them.
 *
 * @returns warnings, one line each
 * @throws ConfigurationFileError
 */
export async function applyFile(file: string, configuration: Configuration): Promise<string[]> {
  const warnings: string[] = [];
  for (const { number, setting } of parseIni(await contentOf(file))) {
    const position = `${file}, line ${number}`;
    if (!setting) {
      warnings.push(`${position}: ignored, because it is neither a section nor a setting`);
      continue;
    }
    const { section, key, value } = setting;
    const warning = warningOf(section, key);
    if (warning !== undefined) warnings.push(`${position}: ${warning}`);
    try {
      if (value === '') configuration.delete(section, key);
      else await configuration.set(section, key, value);
    } catch (error) {
      throw error instanceof InvalidSetting
        ? new ConfigurationFileError(`${position}: ${error.message}`)
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
      `cannot read ${file}: ${code === 'ENOENT' ? 'the file does not exist' : (error as Error).message}`,
    );
  }
}
