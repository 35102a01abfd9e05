/** The configuration of one server: texts by section and key, and the settings that they mean. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { mapSections, namedSettings, type Settings } from './settings.js';
import { InvalidValue } from './value-parsers.js';

/** Why a setting cannot have the value: a sentence that names the setting, never the value. */
export class InvalidSetting extends Error {}

/** Values by key. */
export type Section = Readonly<Record<string, string>>;

const named = Object.entries(namedSettings);
const free = Object.entries(mapSections);

/** Whether the server reads a setting of that name. */
export function isKnown(section: string, key: string): boolean {
  return (
    named.some(([, setting]) => setting.section === section && setting.key === key) ||
    free.some(([, one]) => one.section === section)
  );
}

export class Configuration {
  /** Always the same object: its values follow the texts. */
  readonly settings: Settings;
  readonly #meanings: Record<string, unknown> = {};
  /** By section and key. */
  readonly #texts = new Map<string, Map<string, string>>();
  /** By the name under which code reads the setting. */
  readonly #initial = new Map<string, string>();

  constructor(dialect: DialectNames) {
    this.settings = this.#meanings as unknown as Settings;
    for (const [name] of free) this.#meanings[name] = new Map();
    for (const [name, { section, key, initial }] of named) {
      const text = typeof initial === 'function' ? initial(dialect) : initial;
      if (text === undefined) continue;
      this.#initial.set(name, text);
      this.#put(section, key, text);
    }
  }

  all(): Readonly<Record<string, Section>> {
    return Object.fromEntries([...this.#texts.keys()].map((name) => [name, this.section(name)]));
  }

  /** Empty when nothing has a value there. */
  section(name: string): Section {
    return Object.fromEntries(this.#texts.get(name) ?? []);
  }

  get(section: string, key: string): string | undefined {
    return this.#texts.get(section)?.get(key);
  }

  /**
   * Gives a setting a value, which applies at once. One that the server does not know is kept and means nothing.
   * Throws an `InvalidSetting`, and then nothing has changed.
   *
   * @returns the value until now
   */
  async set(section: string, key: string, value: string): Promise<string | undefined> {
    const keep = free.find(([, one]) => one.section === section)?.[1].keep;
    try {
      const text = keep ? await keep(value, this.settings) : value;
      if (/[\p{Cc}[\]]/u.test(section + key)) throw new InvalidValue('is a name that no setting can have');
      if (/[^\P{Cc}\t]/u.test(text)) throw new InvalidValue('must be one line of text');
      const old = this.get(section, key);
      this.#put(section, key, text);
      return old;
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidSetting(`${section}/${key} ${error.message}`) : error;
    }
  }

  /**
   * Takes a value away. The initial one counts again, if there is one.
   *
   * @returns the value until now
   */
  delete(section: string, key: string): string | undefined {
    const old = this.get(section, key);
    const name = named.find(([, setting]) => setting.section === section && setting.key === key)?.[0];
    const initial = name === undefined ? undefined : this.#initial.get(name);
    if (initial !== undefined) this.#put(section, key, initial);
    else this.#remove(section, key);
    return old;
  }

  #put(section: string, key: string, text: string): void {
    this.#understand(section, key, text);
    const texts = this.#texts.get(section) ?? new Map<string, string>();
    this.#texts.set(section, texts.set(key, text));
  }

  #remove(section: string, key: string): void {
    this.#understand(section, key, undefined);
    const texts = this.#texts.get(section);
    texts?.delete(key);
    if (texts?.size === 0) this.#texts.delete(section);
  }

  #understand(section: string, key: string, text: string | undefined): void {
    for (const [name, setting] of named) {
      if (setting.section !== section || setting.key !== key) continue;
      this.#meanings[name] = text === undefined ? undefined : setting.read(text);
    }
    for (const [name, { section: its, read }] of free) {
      if (its !== section) continue;
      const meanings = this.#meanings[name] as Map<string, unknown>;
      if (text === undefined) meanings.delete(key);
      else meanings.set(key, read(text, key));
    }
  }
}
