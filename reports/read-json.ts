/** Reading JSON and addressing values in it. */

/** @returns the value of a JSON text; `undefined`, which JSON cannot express, if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Code that walks through a value calls itself for each level, and parsing a text of empty arrays can block this process
 * for many seconds.
 */
const maxLevels = 100;

/** What a body of a target may have at most, far more than a conforming target sends. */
const maxValuesOfBody = 200_000;

export interface Bounds {
  readonly maxValues?: number;
}

/** @returns the value of a body, or `undefined` if it is not JSON, or has too many levels or values. */
export const parseBody = (text: string, { maxValues = maxValuesOfBody }: Bounds = {}): unknown =>
  isTooLarge(text, maxValues) ? undefined : parseJson(text);

/** What a body that {@link parseBody} refuses should have been. */
export const readableBody = (text: string, { maxValues = maxValuesOfBody }: Bounds = {}): string =>
  isTooLarge(text, maxValues) ? `JSON with at most ${maxLevels} levels and ${maxValues} values` : 'JSON';

function isTooLarge(text: string, maxValues: number): boolean {
  if (text.length < 2 * maxLevels) return false;
  let levels = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === ',') values += 1;
    else if (character === ']' || character === '}') levels -= 1;
    else if (character === '[' || character === '{') {
      levels += 1;
      values += 1;
    }
    if (levels > maxLevels || values > maxValues) return true;
  }
  return false;
}

/** @returns the JSONPath of a JSON pointer: `$.checks[0].outcome` for `/checks/0/outcome`. */
export function jsonPath(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return /^[\w$-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    });
  return `$${steps.join('')}`;
}

const step = /\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/** @returns the names and indices in a JSONPath without its `$`: `results` and `2` for `.results[2]`. */
export function pathSteps(path: string): string[] {
  return [...path.matchAll(step)].map(
    ([, name, index, quoted]) => name ?? index ?? (JSON.parse(quoted!) as string),
  );
}
