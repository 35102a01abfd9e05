/** Shows JSON with a mark at one place. */
import { isDeepStrictEqual } from 'node:util';
import { pathSteps } from '../../read-json.js';
import { prettyJson } from '../text.js';
import { escapeHtml } from './markup.js';

/** Renders indented JSON as HTML. Marks the value at a JSONPath, or the place where it is missing. */
export function renderJson(value: unknown, markedPath?: string): string {
  return render(value, markedPath === undefined ? undefined : pathSteps(markedPath), '');
}

/** @param rest steps from this value to the marked one; `undefined` if that is somewhere else. */
function render(value: unknown, rest: readonly string[] | undefined, indent: string): string {
  if (rest?.length === 0) return `<mark>${render(value, undefined, indent)}</mark>`;
  if (typeof value !== 'object' || value === null) return escapeHtml(JSON.stringify(value), '\n');
  const inline = JSON.stringify(value);
  // Rows are easier to compare if each is one line.
  if (rest === undefined && inline.length <= 90) return renderInline(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const inner = `${indent}  `;
  const [next, ...further] = rest ?? [];
  const members = Object.entries(value).map(([key, member]) => {
    const name = isArray ? '' : `<span class="key">${escapeHtml(JSON.stringify(key))}</span>: `;
    return `${inner}${name}${render(member, rest && next === key ? further : undefined, inner)}`;
  });
  const isMissing = next !== undefined && !Object.hasOwn(value, next);
  const missing = isMissing ? [`${inner}<mark>${escapeHtml(next)} is missing</mark>`] : [];
  const lines = [...members, ...missing];
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function renderInline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escapeHtml(JSON.stringify(value), '\n');
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `<span class="key">${escapeHtml(JSON.stringify(key))}</span>: ${renderInline(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export interface Comparison {
  expected: string;
  actual: string;
}

/** Renders two values as HTML and marks their first difference. A phrase that describes the value gets no mark. */
export function compareValues(expected: unknown, actual: unknown): Comparison {
  const [left, right] = [readable(expected), readable(actual)];
  const isPhrase = typeof expected === 'string' && typeof actual !== 'string';
  if (isPhrase || isDeepStrictEqual(expected, actual) || actual === undefined) {
    return { expected: escapeHtml(left, '\n'), actual: escapeHtml(right, '\n') };
  }
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
  // Whole words are easier to see than single characters.
  while (start > 0 && /[\w-]/.test(left[start - 1]!)) start -= 1;
  return { expected: markFrom(left, start), actual: markFrom(right, start) };
}

/** Marks the rest of the line at an index. */
function markFrom(text: string, start: number): string {
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const marked = escapeHtml(text.slice(start, end));
  return `${escapeHtml(text.slice(0, start), '\n')}${marked === '' ? '' : `<mark>${marked}</mark>`}${escapeHtml(text.slice(end), '\n')}`;
}

/** Text stays as it is, other values become JSON. */
const readable = (value: unknown): string => (typeof value === 'string' ? value : prettyJson(value));
