/**
 * The service document of this package. Rules cite its sections. A report that somebody sends by mail cannot link to a
 * file, so the reports show the words themselves.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './environment.js';

/** Markdown. The line before each heading, or the start of a numbered item, is an anchor: see {@link anchorOf}. */
export const serviceDocument = readFileSync(join(packageFolder, 'openapi/service.md'), 'utf8');

/** @returns the id of a section as rules cite it: `section-5-4-key-rule-1` for `5.4 key rule 1`. */
export const anchorOf = (section: string): string => `section-${section.replaceAll(/[. ]/g, '-')}`;

/** Whether the section is one item of a numbered list, such as `4.7 rule 2`, and so one short paragraph. */
export const isItem = (section: string): boolean => section.includes(' ');

/** The Markdown of each section by its anchor, without anchors, links and line breaks within a list item. */
const sections: ReadonlyMap<string, string> = new Map(
  [...serviceDocument.matchAll(/^(\d\. )?<a id="([^"]*)"><\/a>/gm)].map(
    ({ 0: anchor, 1: item, 2: id, index }) => [
      id!,
      serviceDocument
        .slice(index + anchor.length)
        .split(item === undefined ? /\n<a id=/ : /\n\n|\n\d\. /, 1)[0]!
        .replaceAll(/<a id=[^>]*><\/a>/g, '')
        .replaceAll(/\[([^\]]*)\]\(#[^)]*\)/g, '$1')
        .replaceAll(/\n +/g, ' ')
        .trim(),
    ],
  ),
);

/** @returns the Markdown of a section, such as `4.7 rule 2`; `undefined` if the document has no such section. */
export const sectionText = (section: string): string | undefined => sections.get(anchorOf(section));
