import { Eta } from 'eta';
import { outcomes } from '../report.js';

// A page shows values of an untrusted target: `<%=` escapes them.
const eta = new Eta({ autoEscape: true });

/**
 * The page is one file: it loads nothing and runs no script. Its Content Security Policy makes the browser enforce
 * that, even if a value of a target were not escaped.
 */
const layout = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<%~ it.body %>
</body>
</html>
`;

const style = `
:root {
  --ground: #fff; --panel: #f6f7f9; --line: #d5d9e0; --ink: #1c2129; --faint: #5b6472;
  --pass: #1a7f37; --fail: #c5221f; --error: #9c27b0; --undecided: #9a5b00; --warn: #9a5b00; --known: #0b67c2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151a; --panel: #1b2028; --line: #353c48; --ink: #e4e8ee; --faint: #9aa4b2;
    --pass: #4cc26a; --fail: #ff7b72; --error: #d694e8; --undecided: #e3a64b; --warn: #e3a64b; --known: #6cb6ff;
  }
}
* { box-sizing: border-box; }
body {
  max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
code, pre, td.text { font-family: ui-monospace, monospace; font-size: .87em; unicode-bidi: isolate; }
pre, td.text { white-space: pre-wrap; }
pre {
  margin: .25rem 0; padding: .5rem .75rem; max-height: 28rem; overflow: auto;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
.faint { color: var(--faint); }
.warning { margin: .5rem 0; padding: .5rem .75rem; background: var(--panel); border-left: 4px solid var(--warn); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
table.properties { width: auto; }
table.properties th { font-weight: normal; color: var(--faint); white-space: nowrap; }
table.properties th, table.properties td { border: 0; padding-block: .1rem; }
td.at { text-align: right; white-space: nowrap; color: var(--faint); width: 6rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 1rem; }
.columns h3 { margin-top: .5rem; }
.command { user-select: all; }
details > p { margin: .25rem 0; }
details > summary { cursor: pointer; }
details > :not(summary) { margin-left: 1rem; }
details > table:not(.properties) { width: calc(100% - 1rem); }
.check { padding: .35rem .75rem; border: 1px solid var(--line); border-left: 4px solid var(--outcome); }
.check + .check { border-top: 0; }
.outcome { color: var(--outcome); font-weight: 600; display: inline-block; min-width: 7rem; }
.pass { --outcome: var(--pass); } .fail { --outcome: var(--fail); } .error { --outcome: var(--error); }
.blocked, .inconclusive { --outcome: var(--undecided); } .warn { --outcome: var(--warn); }
.known { --outcome: var(--known); } .skipped, .absent { --outcome: var(--faint); }
.filter { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1.5rem 0 .75rem; padding: 0; border: 0; }
.filter label { color: var(--outcome); font-weight: 600; }
.matrix { overflow-x: auto; }
.matrix thead th { position: sticky; top: 0; background: var(--ground); }
.matrix td, .matrix tbody th { min-width: 9rem; font-weight: inherit; }
.matrix .outcome { min-width: 0; }
body:has(#only-different:checked) .same { display: none; }
${outcomes.map((outcome) => `body:has(#show-${outcome}:not(:checked)) .check.${outcome} { display: none; }`).join('\n')}
`;

/** @param body an Eta template that is rendered with `data` */
export function renderPage(title: string, body: string, data: object): string {
  return eta.renderString(layout, { title, style, body: eta.renderString(body, data) });
}
