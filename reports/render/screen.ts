/** Fits a summary on one screen of a terminal. */
import { stripVTControlCharacters } from 'node:util';

/** Rows of a screen. */
const screenRows = 40;

type Block = readonly string[];

interface Summary {
  readonly head: readonly Block[];
  /** What the summary is about, most important first: in full, or as one line. */
  readonly entries: readonly { readonly full: Block; readonly line: string }[];
  /** Lines that stand before and after the lines of entries. */
  readonly before: Block;
  readonly after: Block;
  readonly tail: readonly Block[];
}

interface ScreenOptions {
  /** Width of the terminal. Default: it wraps nothing. */
  readonly columns?: number | undefined;
  /** The last line, if so many lines do not fit. */
  readonly cut: (left: number) => string;
}

/** Shows as many entries in full as fit when all others have one line, and cuts the lines if even they do not fit. */
export function fitScreen(
  { head, entries, before, after, tail }: Summary,
  { columns, cut }: ScreenOptions,
): string {
  const rowsOf = (blocks: readonly Block[]): number => countRows(joinBlocks(blocks), columns);
  const kept = [...head];
  // Long warnings must leave room for what was found.
  while (kept.length > 1 && rowsOf([...kept, ...tail]) > screenRows - 8) kept.pop();
  const room = screenRows - rowsOf([...kept, [''], ...tail]);
  const body = (full: number): Block[] => [
    ...entries.slice(0, full).map((entry) => entry.full),
    [...before, ...entries.slice(full).map(({ line }) => line), ...after],
  ];
  const full = entries.findLastIndex((_, index) => rowsOf(body(index + 1)) <= room) + 1;
  const chosen = body(full);
  if (rowsOf(chosen) <= room) return joinBlocks([...kept, ...chosen, ...tail]);
  const lines = chosen.at(-1)!;
  const shown = lines.findLastIndex((_, index) => rowsOf([lines.slice(0, index + 1)]) < room) + 1;
  return joinBlocks([...kept, [...lines.slice(0, shown), cut(lines.length - shown)], ...tail]);
}

/** Blocks are separated by empty lines. */
export const joinBlocks = (blocks: readonly Block[]): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');

/** The number of rows that a text fills on a terminal, which wraps what is longer than a row. */
function countRows(text: string, columns = Infinity): number {
  const lines = stripVTControlCharacters(text).replace(/\n$/, '').split('\n');
  return text === ''
    ? 0
    : lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
