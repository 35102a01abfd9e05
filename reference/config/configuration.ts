/** The configuration of a server: values by section and key, as text and as parsed settings. */
import { closest, distance } from 'fastest-levenshtein';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { Moment } from './admin-passwords.js';
import { mapSections, namedSettings, type Settings } from './settings.js';
import { InvalidValue } from './value-parsers.js';

/** A setting cannot have the value. The message names the setting, but never the value, which may be a secret. */
export class InvalidSetting extends Error {}

/** Values by key. */
export type Section = Readonly<Record<string, string>>;

const map = Object.entries(mapSections);

/** The property in `Settings` of each setting with a fixed name. */
const properties = new Map(Object.entries(namedSettings).map(([name, { place }]) => [place, name]));

/** Names of sections in CouchDB 2. A value there counts unless the present section has one. */
const presentSections: Readonly<Record<string, string>> = {
  couch_httpd_auth: 'chttpd_auth',
  httpd: 'chttpd',
};

const formerSections = new Map(Object.entries(presentSections).map(([former, present]) => [present, former]));

/** @returns a warning if the setting has no effect on this server. It has the name of the setting, but never the value. */
export function warningOf(section: string, key: string): string | undefined {
  const place = `${presentSections[section] ?? section}/${key}`;
  if (properties.has(place) || map.some(([, one]) => one.section === section)) return undefined;
  const nearest = closest(place, [...properties.keys()]);
  const hint = distance(place, nearest) <= place.length / 4 ? `; did you mean ${nearest}?` : '';
  return `${section}/${key} has no effect on this server${hint}`;
}

export class Configuration {
  /** Parsed values. This is always the same object; its properties change with the configuration. */
  readonly settings: Settings;
  readonly #parsed: Record<string, unknown> = {};
  /** Texts by section and key. */
  readonly #texts = new Map<string, Map<string, string>>();
  /** Texts of defaults by `section/key`. */
  readonly #defaults = new Map<string, string>();

  /**
   * @param defaults texts by `section/key`: defaults of settings that replace the usual ones, and others, which only tell
   *   how the server was started
   */
  constructor(dialect: DialectNames, defaults: Readonly<Record<string, string>> = {}) {
    this.settings = this.#parsed as unknown as Settings;
    for (const [name] of map) this.#parsed[name] = new Map();
    for (const { place, default: initial } of Object.values(namedSettings)) {
      const text = typeof initial === 'function' ? initial(dialect) : initial;
      if (text !== undefined) this.#defaults.set(place, text);
    }
    for (const [place, text] of Object.entries(defaults)) this.#defaults.set(place, text);
    for (const [place, text] of this.#defaults)
      this.#put(...(place.split('/') as [section: string, key: string]), text);
  }

  all(): Readonly<Record<string, Section>> {
    return Object.fromEntries([...this.#texts.keys()].map((name) => [name, this.section(name)]));
  }

  /** Returns an empty object if the section has no values. */
  section(name: string): Section {
    return Object.fromEntries(this.#texts.get(name) ?? []);
  }

  get(section: string, key: string): string | undefined {
    return this.#texts.get(section)?.get(key);
  }

  /**
   * Sets a value, which takes effect immediately. Unknown settings are stored without effect: see `warningOf`.
   *
   * @returns the previous value
   * @throws InvalidSetting without changing anything
   */
  async set(
    section: string,
    key: string,
    value: string,
    moment: Moment = 'start',
  ): Promise<string | undefined> {
    const normalize = map.find(([, one]) => one.section === section)?.[1].normalize;
    try {
      const text = normalize ? await normalize(value, this.settings, moment) : value;
      if (/[\p{Cc}[\]]/u.test(section + key)) throw new InvalidValue('is not a valid name');
      if (/[^\P{Cc}\t]/u.test(text)) throw new InvalidValue('must be a single line of text');
      const old = this.get(section, key);
      this.#put(section, key, text);
      return old;
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidSetting(`${section}/${key} ${error.message}`) : error;
    }
  }

  /**
   * Deletes a value. The default, if any, applies again.
   *
   * @returns the previous value
   */
  delete(section: string, key: string): string | undefined {
    const old = this.get(section, key);
    this.#put(section, key, this.#defaults.get(`${section}/${key}`));
    return old;
  }

  /** @param text undefined to remove the value */
  #put(section: string, key: string, text: string | undefined): void {
    const present = presentSections[section] ?? section;
    const former = formerSections.get(present);
    const initial = this.#defaults.get(`${present}/${key}`);
    const own = present === section ? text : this.get(present, key);
    const others = former === section ? text : former && this.get(former, key);
    this.#parse(present, key, own === initial ? (others ?? initial) : own);
    const texts = this.#texts.get(section) ?? new Map<string, string>();
    if (text === undefined) texts.delete(key);
    else texts.set(key, text);
    if (texts.size > 0) this.#texts.set(section, texts);
    else this.#texts.delete(section);
  }

  #parse(section: string, key: string, text: string | undefined): void {
    const property = properties.get(`${section}/${key}`);
    if (property !== undefined)
      this.#parsed[property] = text === undefined ? undefined : namedSettings[property]!.parse(text);
    for (const [name, { section: its, parse }] of map) {
      if (its !== section) continue;
      const values = this.#parsed[name] as Map<string, unknown>;
      if (text === undefined) values.delete(key);
      else values.set(key, parse(text, key));
    }
  }
}
