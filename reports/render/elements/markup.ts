/** Text as HTML. Every function escapes its text: values of a target are untrusted. */
import { Eta } from 'eta';
import type { CheckResult } from '../../report.js';
import { escapeInvisible } from '../../escape.js';

const { escapeFunction } = new Eta().config;

/** Escapes markup and invisible characters, except those in `keep`. */
export function escapeHtml(text: string, keep = ''): string {
  return escapeFunction(escapeInvisible(text, keep));
}

/** A code span, or an option of the command line. */
const special = /`([^`]+)`|(?<![\w-])(--[a-z][a-z-]+)/g;
const address = /(https?:\/\/[^\s<>"'`()]*[^\s<>"'`().,;:])/g;

/** Renders one-line prose: `code` and command-line options get their markup. It has no links, since it may quote a target. */
export function renderProse(text: string): string {
  let end = 0;
  const parts = [...text.matchAll(special)].map((match) => {
    const [whole, code, option] = match;
    const before = escapeHtml(text.slice(end, match.index));
    end = match.index + whole.length;
    if (option !== undefined) return `${before}<code class="option">${escapeHtml(option)}</code>`;
    return `${before}<code>${escapeHtml(code!)}</code>`;
  });
  return parts.join('') + escapeHtml(text.slice(end));
}

/** Renders the reason of a result. That of a known deviation is from the baseline, so web addresses become links. */
export function renderReason({ outcome, reason = '' }: Pick<CheckResult, 'outcome' | 'reason'>): string {
  if (outcome !== 'known') return renderProse(reason);
  // With one group in the expression, every second part is an address.
  return reason
    .split(address)
    .map((part, index) =>
      index % 2 === 0 ? renderProse(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');
}

/** @returns the first sentence of a statement. */
export function firstSentence(text: string): string {
  return /^.*?[.](?=\s+[A-Z`])/s.exec(text)?.[0] ?? text;
}
