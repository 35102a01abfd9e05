/**
 * INI files with CouchDB's syntax: `;` starts a comment at the beginning of a line or after a space or tab. The first
 * ` = ` separates key and value, so keys may contain `=` (SERVICE 5.4 keys 5); without ` = `, the first `=` does. There
 * is no quoting, nesting or escaping.
 */
export interface IniLine {
  /** Line number, starting at 1. */
  readonly number: number;
  /** Absent if the line is invalid. */
  readonly setting?: {
    readonly section: string;
    readonly key: string;
    /** An empty value deletes the value of an earlier line or file. */
    readonly value: string;
  };
}

/** Returns the settings and the invalid lines. */
export function parseIni(text: string): IniLine[] {
  let section: string | undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines.flatMap((line, index): IniLine[] => {
    const content = line.replace(/(?:^\s*| |\t);.*$/, '').trim();
    if (content === '') return [];
    const number = index + 1;
    const header = /^\[([^[\]]+)\]$/.exec(content)?.[1];
    if (header !== undefined) {
      section = header;
      return [];
    }
    const [, key = '', value = ''] = /^(.*?) = (.*)$/.exec(content) ?? /^(.+?)=(.*)$/.exec(content) ?? [];
    if (section === undefined || key.trim() === '') return [{ number }];
    return [{ number, setting: { section, key: key.trim(), value: value.trim() } }];
  });
}
