/** Configuration files. */
import { readFile } from 'node:fs/promises';
import { InvalidSetting, warningOf, type Configuration } from './configuration.js';
import { parseIni, type IniLine } from './ini.js';

/** The file cannot be used. The message has the file and the line. */
export class ConfigurationFileError extends Error {}

/** A setting in a file. */
type FileSetting = NonNullable<IniLine['setting']> & {
  /** The file and the line. */
  readonly position: string;
};

/** The configuration files of a server. */
export class ConfigurationFiles {
  readonly #files: readonly string[];
  readonly #configuration: Configuration;
  /** What the files had when they were last applied, by section and key. */
  readonly #applied = new Map<string, FileSetting>();

  /** @param files later ones override earlier ones */
  constructor(files: readonly string[], configuration: Configuration) {
    this.#files = files;
    this.#configuration = configuration;
  }

  /**
   * Applies what has changed in the files since the last time. Unknown settings only cause warnings, because files for
   * CouchDB have many of them.
   *
   * @returns warnings, one line each
   * @throws ConfigurationFileError
   */
  async apply(): Promise<string[]> {
    const { settings, warnings } = await readFiles(this.#files);
    for (const [place, { section, key }] of [...this.#applied]) {
      if (settings.has(place)) continue;
      this.#configuration.delete(section, key);
      this.#applied.delete(place);
    }
    for (const [place, setting] of settings) {
      if (setting.value === this.#applied.get(place)?.value) continue;
      await this.#set(setting);
      this.#applied.set(place, setting);
    }
    return warnings;
  }

  async #set({ section, key, value, position }: FileSetting): Promise<void> {
    try {
      if (value === '') this.#configuration.delete(section, key);
      else await this.#configuration.set(section, key, value);
    } catch (error) {
      throw error instanceof InvalidSetting
        ? new ConfigurationFileError(`${position}: ${error.message}`)
        : error;
    }
  }
}

async function readFiles(files: readonly string[]) {
  const settings = new Map<string, FileSetting>();
  const warnings: string[] = [];
  for (const file of files)
    for (const { number, setting } of parseIni(await contentOf(file))) {
      const position = `${file}, line ${number}`;
      if (!setting) {
        warnings.push(`${position}: ignored, because it is neither a section nor a setting`);
        continue;
      }
      const { section, key } = setting;
      const warning = warningOf(section, key);
      if (warning !== undefined) warnings.push(`${position}: ${warning}`);
      settings.set(JSON.stringify([section, key]), { ...setting, position });
    }
  return { settings, warnings };
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
