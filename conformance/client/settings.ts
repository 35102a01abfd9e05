/** What is known of a target's settings (SERVICE 2.8), whoever said it: its configuration, a file, or this run. */

/** Values by `section/key`, as in `chttpd/changes_timeout`; `null` stands for "has no value of its own". */
export type SettingValues = Readonly<Record<string, string | null>>;

interface SettingValue {
  readonly value: string | null;
  /** A phrase that says how this is known. */
  readonly source: string;
}

export class Settings {
  readonly #values: ReadonlyMap<string, SettingValue>;
  /** Sections that are known as a whole: a key that is not in them has no value. */
  readonly #sections: ReadonlyMap<string, string>;

  constructor(
    values: ReadonlyMap<string, SettingValue> = new Map(),
    sections: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#values = values;
    this.#sections = sections;
  }

  /** The value; `null` when it is known that there is none of its own, `undefined` when nothing is known. */
  get(name: string): string | null | undefined {
    return this.#known(name)?.value;
  }

  /** How the value is known. */
  sourceOf(name: string): string | undefined {
    return this.#known(name)?.source;
  }

  /** The keys of a section that have a value, and those values. */
  section(section: string): [key: string, value: string][] {
    return [...this.#values].flatMap(([name, { value }]) =>
      name.startsWith(`${section}/`) && value !== null ? [[name.slice(section.length + 1), value]] : [],
    );
  }

  /** These settings, and over them others. */
  with(values: SettingValues, source: string): Settings {
    const added = Object.entries(values).map(([name, value]) => [name, { value, source }] as const);
    return new Settings(new Map([...this.#values, ...added]), this.#sections);
  }

  /** These settings, and over them a whole section. */
  withSection(section: string, values: Readonly<Record<string, string>>, source: string): Settings {
    const others = [...this.#values].filter(([name]) => !name.startsWith(`${section}/`));
    const own = Object.entries(values).map(
      ([key, value]) => [`${section}/${key}`, { value, source }] as const,
    );
    return new Settings(new Map([...others, ...own]), new Map([...this.#sections, [section, source]]));
  }

  #known(name: string): SettingValue | undefined {
    const source = this.#sections.get(sectionAndKey(name).section);
    return this.#values.get(name) ?? (source === undefined ? undefined : { value: null, source });
  }
}

/** The values that must not be shown. The public halves of keys are among them, which does no harm. */
export function secretsIn(settings: Settings): string[] {
  const secret = settings.get('chttpd_auth/secret');
  return [...(secret ? [secret] : []), ...settings.section('jwt_keys').map(([, value]) => value)];
}

/** A key may hold slashes, a section does not. */
export function sectionAndKey(name: string): { section: string; key: string } {
  const slash = name.indexOf('/');
  return { section: name.slice(0, slash), key: name.slice(slash + 1) };
}
