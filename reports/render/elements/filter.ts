/** A form that filters the elements with `data-text`. Without scripts it stays hidden, and all of them are shown. */
import { defineTemplate } from '../page.js';

defineTemplate(
  '@filter',
  `<form class="filter" hidden aria-label="Filter">
<input type="search" name="search" placeholder="Search (press /)" aria-label="Search">
<% for (const { name, label, values } of it.selects) { %>
<select name="<%= name %>" aria-label="<%= label %>"><option value="">Any <%= label.toLowerCase() %></option>
<% for (const value of values) { %><option><%= value %></option><% } %>
</select>
<% } %>
<% if (it.different) { %><label><input type="checkbox" name="different" value="yes"> <%= it.different %></label><% } %>
<button type="reset">Clear</button> <output></output>
</form>`,
);

/**
 * @param options what can be chosen of each kind, such as `Area`: elements have it in `data-area`
 * @param different label of a checkbox that shows only elements with `data-different`; no checkbox without it
 * @returns the data of the template `@filter`
 */
export const viewFilter = (options: Readonly<Record<string, readonly string[]>>, different?: string) => ({
  different,
  selects: Object.entries(options).map(([label, values]) => ({ name: label.toLowerCase(), label, values })),
});
