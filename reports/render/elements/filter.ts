/** A form that filters the elements with `data-text`. Without scripts it stays hidden, and all of them are shown. */
import { defineTemplate } from '../page.js';

defineTemplate(
  '@filter',
  `<form class="filter" hidden aria-label="Filter">
<input type="search" name="search" placeholder="Search (press /)" aria-label="Search">
<% for (const { name, label, options } of it.selects) { %>
<select name="<%= name %>" aria-label="<%= label %>"><option value="">Any <%= label.toLowerCase() %></option>
<% for (const option of options) { %><option><%= option %></option><% } %>
</select>
<% } %>
<% if (it.different) { %><label><input type="checkbox" name="different" value="yes"> <%= it.different %></label><% } %>
<button type="reset">Clear</button> <output></output>
</form>`,
);

/**
 * @param different label of a checkbox that shows only elements with `data-different`; no checkbox without it
 * @returns the data of the template `@filter`
 */
export function viewFilter({
  outcomes,
  areas,
  different,
}: {
  outcomes: readonly string[];
  areas: readonly string[];
  different?: string;
}) {
  return {
    different,
    selects: [
      { name: 'outcome', label: 'Outcome', options: outcomes },
      { name: 'area', label: 'Area', options: areas },
      { name: 'level', label: 'Level', options: ['MUST', 'SHOULD'] },
    ],
  };
}
