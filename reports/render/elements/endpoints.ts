/** The endpoints of a target: a table of feeds and modes, and a line for each state of the others. */
import type { EndpointTable } from '../../endpoints.js';
import { defineTemplate } from '../page.js';

defineTemplate(
  '@endpoints',
  `<h2 id="endpoints">Endpoints</h2>
<% if (it.operations.length > 0) { %>
<div class="scroll" tabindex="0" role="region" aria-label="Feeds by mode">
<table class="endpoints">
<thead><tr><th scope="col">Mode</th><% for (const operation of it.operations) { %><th scope="col"><code><%= operation %></code></th><% } %></tr></thead>
<tbody>
<% for (const { mode, cells } of it.rows) { %>
<tr><th scope="row"><%= mode %></th>
<% for (const cell of cells) { %><td><% if (cell?.check) { %><a class="badge <%= cell.outcome %>" href="#<%= encodeURIComponent(cell.check) %>"><%= cell.label %></a><% } else if (cell) { %><span class="badge <%= cell.outcome %>"><%= cell.label %></span><% } %></td><% } %>
</tr>
<% } %>
</tbody>
</table>
</div>
<% } %>
<ul class="states">
<% for (const { label, outcome, endpoints } of it.others) { %>
<li><span class="badge <%= outcome %>"><%= label %></span> <span><% for (const { operation, check } of endpoints) { %><% if (check) { %><a href="#<%= encodeURIComponent(check) %>"><code><%= operation %></code></a> <% } else { %><code><%= operation %></code> <% } %><% } %></span></li>
<% } %>
</ul>
<% for (const sentence of it.legend) { %><p class="faint"><%= sentence %></p><% } %>`,
);

/** @returns the data of the template `@endpoints` */
export function viewEndpoints({ operations, modes, cellOf, others }: EndpointTable) {
  const rows = modes.map((mode) => ({
    mode,
    cells: operations.map((operation) => cellOf(operation, mode)),
  }));
  const all = [...rows.flatMap(({ cells }) => cells), ...others.flatMap(([, states]) => states)];
  const occurs = (label: RegExp): boolean => all.some((one) => one && label.test(one.label));
  return {
    operations,
    rows,
    others: others.map(([label, states]) => ({
      label,
      outcome: states[0]!.outcome,
      endpoints: states,
    })),
    legend: [
      ...(occurs(/^ignored$/) ? ['“ignored”: the target answers as in the normal mode.'] : []),
      ...(occurs(/^only /)
        ? ['“only” a status: no response was successful. Checks may have wanted that.']
        : []),
    ],
  };
}
