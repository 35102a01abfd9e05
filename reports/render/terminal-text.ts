/** Wraps and colours texts for a terminal. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { Help } from 'commander';

const styles = ['bold', 'dim', 'cyan', 'green', 'magenta', 'red', 'yellow'] as const;

export type Colours = Readonly<Record<(typeof styles)[number], (text: string) => string>>;

/** @returns functions that add the codes of a style to a text, or leave it as it is. */
export function coloursFor(isColoured: boolean): Colours {
  // The caller has decided about colours; without the option, newer versions of Node.js look at the stream again.
  const options = { validateStream: false };
  const entries = styles.map((style) => [
    style,
    (text: string): string => (isColoured ? styleText(style, text, options) : text),
  ]);
  return Object.fromEntries(entries) as Colours;
}

/**
 * @param columns width of the terminal; `undefined` if texts are not wrapped
 * @returns a function that wraps a text. Further lines begin below the text, after the label.
 */
export function wrapperFor(columns: number | undefined) {
  return (label: string, text: string, colour = (part: string): string => part): string => {
    if (columns === undefined) return label + colour(text);
    const indent = stripVTControlCharacters(label).length;
    // Narrow columns stay as they are: they are harder to read than long lines.
    const lines = new Help().boxWrap(text, columns - indent).split('\n');
    return label + lines.map(colour).join(`\n${' '.repeat(indent)}`);
  };
}

type Lines = readonly (readonly [label: string, text: string])[];

/** Texts that people copy: a line end in them would break them. */
const neverWrapped = ['replay', 'script', 'first', 'request'];

/** Renders labels and texts as two indented columns, with a mark where `expected` and `actual` differ. */
export function renderLabelled(
  lines: Lines,
  colours: Colours,
  wrap: ReturnType<typeof wrapperFor>,
): string[] {
  const marked = markDifference(Object.fromEntries(lines), colours);
  return lines.map(([label, text]) => {
    const start = `  ${colours.dim(label.padEnd(8))} `;
    return neverWrapped.includes(label) ? start + text : wrap(start, marked[label] ?? text);
  });
}

/** Colours the expected and the actual value from the first character that differs. */
function markDifference(
  { expected, actual }: Readonly<Record<string, string>>,
  colours: Colours,
): Readonly<Record<string, string>> {
  if (expected === undefined || actual === undefined) return {};
  // By code points: a colour code must not divide a surrogate pair.
  const [wanted, found] = [[...expected], [...actual]];
  const differing = wanted.findIndex((character, position) => character !== found[position]);
  const same = differing === -1 ? wanted.length : differing;
  const mark = (text: readonly string[], colour: (part: string) => string): string =>
    text.slice(0, same).join('') + colour(text.slice(same).join(''));
  return { expected: mark(wanted, colours.green), actual: mark(found, colours.red) };
}
