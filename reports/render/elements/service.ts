/** The sections of the service document that a rule cites: links to them, their words, and the document itself. */
import { serviceHtml } from '../../generated/service.js';
import { anchorOf, sectionOf } from '../../service-document.js';
import { defineTemplate } from '../page.js';
import { escapeHtml } from './markup.js';

defineTemplate(
  '@service',
  `<h2>The service document</h2>
<details id="service-document" class="service"><summary>The document that the rules come from</summary>
<%~ it.service %>
</details>`,
);

defineTemplate(
  '@quotes',
  `<% for (const { section, title, words } of it.quotes) { %>
<% if (title === undefined) { %><blockquote><small>Service document, <%= section %></small><%~ words %></blockquote>
<% } else { %><details class="service"><summary>What the service document says in <%= section %>: <%~ title %></summary><%~ words %></details>
<% } %>
<% } %>`,
);

/** @returns the sections as links to the service document on the same page, such as `SERVICE 4.5, 4.7 rule 2`. */
export function renderSources(sections: readonly string[]): string {
  if (sections.length === 0) return '';
  const links = sections.map((section) => {
    const text = escapeHtml(section);
    return sectionOf(section) === undefined ? text : `<a href="#${anchorOf(section)}">${text}</a>`;
  });
  return `SERVICE ${links.join(', ')}`;
}

/**
 * An item of a list is shown at once; a section with a heading folds.
 *
 * @param id of the check, since the labels of a page must differ
 * @returns the data of the template `@quotes`
 */
export function viewQuotes(sections: readonly string[], id: string) {
  return sections.flatMap((section) => {
    const { html, titleHtml: title } = sectionOf(section) ?? {};
    if (html === undefined) return [];
    return {
      section,
      title,
      words: withScrollingTables(`${id}, SERVICE ${section}`, html),
    };
  });
}

/** @returns the data of the template `@service`. */
export function viewService() {
  return { service: withScrollingTables('service document', serviceHtml) };
}

function withScrollingTables(name: string, html: string): string {
  let count = 0;
  return html
    .replaceAll('<table>', () => {
      count += 1;
      const label = escapeHtml(`${name}, table ${count}`);
      return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>`;
    })
    .replaceAll('</table>', '</table></div>');
}
