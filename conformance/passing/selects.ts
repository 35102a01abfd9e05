/** Which bodies a selector matches, as far as a passer-by knows them. */
import { matches } from '../oracle/selector.js';
import type { Ternary } from '../oracle/ternary.js';
import { isPlainObject } from './judges.js';

/** Members that the server adds may differ where the filter is applied. */
const isKnown = (name: string): boolean => !name.startsWith('_') || name === '_id' || name === '_rev';

const isAboutContent = (selector: unknown): boolean =>
  Array.isArray(selector)
    ? selector.every(isAboutContent)
    : !isPlainObject(selector) ||
      Object.entries(selector).every(([name, condition]) => isKnown(name) && isAboutContent(condition));

/**
 * Whether a document matches; nothing if that is not certain, such as if the server has an operator, or reads one in a
 * way, that the model has not.
 */
export function selects(selector: unknown, document: object | undefined): Ternary {
  if (document === undefined || !isPlainObject(selector) || !isAboutContent(selector)) return undefined;
  try {
    return matches(selector, document);
  } catch {
    return undefined;
  }
}
