/**
 * The service document of this package. Rules cite its sections. A report that somebody sends by mail cannot link to a
 * file, so the reports show the words themselves.
 */
import { type Section, sections } from './generated/service.js';

/** @returns the id of a section as rules cite it: `section-5-4-key-rule-1` for `5.4 key rule 1`. */
export const anchorOf = (section: string): string => `section-${section.replaceAll(/[. ]/g, '-')}`;

/** Whether the section is one item of a numbered list, such as `4.7 rule 2`, and so one short paragraph. */
export const isItem = (section: string): boolean => section.includes(' ');

/** @returns a section, such as `4.7 rule 2`; `undefined` if the document has no such section. */
export const sectionOf = (section: string): Section | undefined => sections[anchorOf(section)];
