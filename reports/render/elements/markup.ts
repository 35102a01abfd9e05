/** Text as HTML. Every function escapes its text: values of a target are untrusted. */
import { escapeInvisible } from '../text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes markup and invisible characters, except those in `keep`. */
export function escapeHtml(text: string, keep = ''): string {
  return escapeInvisible(text, keep).replace(/[&<>"']/g, (character) => entities[character]!);
}

/** A code span, a web address, or an option of the command line. */
const special = /`([^`]+)`|(https?:\/\/[^\s<>"'`()]*[^\s<>"'`().,;:])|(?<![\w-])(--[a-z][a-z-]+)/g;

/** Renders one-line prose: `code`, command-line options and web addresses get their markup. */
export function renderProse(text: string): string {
  let end = 0;
  const parts = [...text.matchAll(special)].map((match) => {
    const [whole, code, address, option] = match;
    const before = escapeHtml(text.slice(end, match.index));
    end = match.index + whole.length;
    if (option !== undefined) return `${before}<code class="option">${escapeHtml(option)}</code>`;
    if (code !== undefined) return `${before}<code>${escapeHtml(code)}</code>`;
    return `${before}<a href="${escapeHtml(address!)}">${escapeHtml(address!)}</a>`;
  });
  return parts.join('') + escapeHtml(text.slice(end));
}

/** @returns the first sentence of a statement. */
export function firstSentence(text: string): string {
  return /^.*?[.](?=\s+[A-Z`])/s.exec(text)?.[0] ?? text;
}
