/** The service document as reports quote it: rendered when it is generated, so that no report needs a Markdown parser. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { marked } from 'marked';

/** @returns a module with the sections of the document and its HTML, not yet formatted */
export async function serviceModule(root: string): Promise<string> {
  const document = await readFile(join(root, 'openapi/service.md'), 'utf8');
  // Its headings are below those of the page.
  const below = document.replace(/^# .*\n/, '').replaceAll(/^##/gm, '###');
  return `/** Generated from openapi/service.md by \`npm run generate\`. */

/** HTML, without the title. The line before each heading, or the start of a numbered item, is an anchor. */
export const serviceHtml: string = ${JSON.stringify(marked.parse(below, { async: false }))};

/** A section, or an item of a numbered list, which has no title. \`markdown\` has no anchors and links. */
export interface Section {
  readonly markdown: string;
  readonly html: string;
  readonly titleHtml?: string;
}

/** By the name of the anchor, such as \`section-5-4-key-rule-1\`. */
export const sections: Readonly<Record<string, Section>> = ${JSON.stringify(sectionsOf(document))};
`;
}

function sectionsOf(document: string): object {
  const anchors = [...document.matchAll(/^(\d\. )?<a id="([^"]*)"><\/a>/gm)];
  return Object.fromEntries(
    anchors.map(({ 0: anchor, 1: item, 2: id, index }) => {
      const markdown = document
        .slice(index + anchor.length)
        .split(item === undefined ? /\n<a id=/ : /\n\n|\n\d\. /, 1)[0]!
        .replaceAll(/<a id=[^>]*><\/a>/g, '')
        .replaceAll(/\[([^\]]*)\]\(#[^)]*\)/g, '$1')
        .replaceAll(/\n +/g, ' ')
        .trim();
      const [, title, body = markdown] = /^#+ [\d.]* (.*)\n([^]*)$/.exec(markdown) ?? [];
      const titleHtml = title === undefined ? {} : { titleHtml: marked.parseInline(title, { async: false }) };
      return [id!, { markdown, html: marked.parse(body, { async: false }), ...titleHtml }];
    }),
  );
}
