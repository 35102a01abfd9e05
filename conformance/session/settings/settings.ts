/** Holds the settings of a target that the suite knows, and where each value comes from (SERVICE 2.8). */

/** Values by `section/key`, as in `chttpd/changes_timeout`; `null` means that no value is set. */
export type SettingValues = Readonly<Record<string, string | null>>;

interface SettingValue {
  readonly value: string | null;
  /** How the suite knows the value, as a phrase for reports. */
  readonly source: string;
}

export class Settings {
  readonly #values: ReadonlyMap<string, SettingValue>;
  /** Sections that are known completely, with their source: a key that is missing in one has no value. */
  readonly #sections: ReadonlyMap<string, string>;

  constructor(
    values: ReadonlyMap<string, SettingValue> = new Map(),
    sections: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#values = values;
    this.#sections = sections;
  }

  /** The value; `null` if no value is set, `undefined` if the suite does not know. */
  get(name: string): string | null | undefined {
    return this.#find(name)?.value;
  }

  /** How the suite knows the value. */
  sourceOf(name: string): string | undefined {
    return this.#find(name)?.source;
  }

  /** The keys and values of a section. */
  section(section: string): [key: string, value: string][] {
    return [...this.#values].flatMap(([name, { value }]) =>
      name.startsWith(`${section}/`) && value !== null ? [[name.slice(section.length + 1), value]] : [],
    );
  }

  /** Returns a copy with other values. */
  with(values: SettingValues, source: string): Settings {
    const added = Object.entries(values).map(([name, value]) => [name, { value, source }] as const);
    return new Settings(new Map([...this.#values, ...added]), this.#sections);
  }

  /** Returns a copy in which a section has these values and no others. */
  withSection(section: string, values: Readonly<Record<string, string>>, source: string): Settings {
    const others = [...this.#values].filter(([name]) => !name.startsWith(`${section}/`));
    const own = Object.entries(values).map(
      ([key, value]) => [`${section}/${key}`, { value, source }] as const,
    );
    return new Settings(new Map([...others, ...own]), new Map([...this.#sections, [section, source]]));
  }

  #find(name: string): SettingValue | undefined {
    const source = this.#sections.get(sectionAndKey(name).section);
    return this.#values.get(name) ?? (source === undefined ? undefined : { value: null, source });
  }
}

/** Values that must not appear in reports. They include public keys, which does no harm. */
export function secretsIn(settings: Settings): string[] {
  const secret = settings.get('chttpd_auth/secret');
  return [...(secret ? [secret] : []), ...settings.section('jwt_keys').map(([, value]) => value)];
}

/** Splits at the first slash, since keys may contain slashes and sections do not. */
export function sectionAndKey(name: string): { section: string; key: string } {
  const slash = name.indexOf('/');
  return { section: name.slice(0, slash), key: name.slice(slash + 1) };
}
