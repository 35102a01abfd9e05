/** Texts of a target are untrusted: they must not control a terminal, a page or a CI system. */

/** Control, format (bidirectional overrides) and private characters, lone surrogates, and Unicode line ends. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

/**
 * What the logs of CI systems take for a command: `##[add-mask]` and `##vso[task.setvariable]` anywhere in a line, and
 * `::error::` at its beginning.
 */
const command = /(?<=#)#(?=\w*\[)|(?<=^\s*):(?=:)/gm;

const escapeCharacter = (character: string): string =>
  escapes[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;

/**
 * Makes a text of a target harmless wherever people read it. Escapes its invisible characters, except those in `keep`,
 * and what a CI system would take for a command.
 */
export function escapeInvisible(text: string, keep = ''): string {
  return text
    .replace(invisible, (character) => (keep.includes(character) ? character : escapeCharacter(character)))
    .replace(command, escapeCharacter);
}

/** @returns the value as JSON, in which an escape replaces what {@link escapeInvisible} would escape. */
export const printableJson = (value: unknown, indent?: number): string =>
  escapeInJson(JSON.stringify(value, null, indent));

/**
 * Like {@link escapeInvisible}, for a text that is JSON, as `JSON.stringify` makes it. The escapes are those of JSON, so
 * the value stays the same.
 */
export function escapeInJson(json: string): string {
  const escape = (character: string): string =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return json
    .replace(invisible, (character) => (character === '\n' ? character : escape(character)))
    .replace(command, escape);
}
