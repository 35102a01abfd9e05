/**
 * INI files by CouchDB's rules: `;` begins a comment at the start of a line and after a space or tab; the first ` = `
 * separates, so that a key may contain `=` (SERVICE 5.4 keys 5), and where there is none the first `=`; nothing is
 * quoted, nested or escaped.
 */
export interface IniLine {
  /** From 1. */
  readonly number: number;
  /** Absent for a line that is no setting. */
  readonly setting?: {
    readonly section: string;
    readonly key: string;
    /** Empty: takes away what an earlier line or file has set. */
    readonly value: string;
  };
}

/** The lines that set something, and those that are neither that nor a section, a comment or empty. */
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
