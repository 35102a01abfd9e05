/** The style of all pages. */
const light = `
  --ground: #fff; --panel: #f6f8fa; --line: #d1d9e0; --ink: #1f2328; --faint: #59636e; --link: #0550ae;
  --pass: #1a7f37; --fail: #cf222e; --undecided: #8a5a00; --warn: #8a5a00; --known: #0550ae; --error: #8250df;
  --bar-pass: #4ac26b; --bar-unchecked: #d1d9e0; --mark: #ffd7d5;`;

const dark = `
  --ground: #0d1117; --panel: #161b22; --line: #3d444d; --ink: #e6edf3; --faint: #9da7b1; --link: #79b8ff;
  --pass: #56d364; --fail: #ff8e86; --undecided: #e3b341; --warn: #e3b341; --known: #79b8ff; --error: #d2a8ff;
  --bar-pass: #2ea043; --bar-unchecked: #3d444d; --mark: #7d2320;`;

const base = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
[hidden] { display: none !important; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .25rem .5rem; z-index: 1; }
.top { padding: .6rem max(1rem, calc((100vw - var(--page)) / 2 + 1rem)); border-bottom: 1px solid var(--line); color: var(--faint); }
.brand { color: var(--ink); font-weight: 700; }
body { --page: 72rem; } body:has(.matrix) { --page: 92rem; }
main { max-width: var(--page); margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: clamp(1.5rem, 4vw, 2rem); line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
.story h3, .also > h3, .shown > h3 { font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--faint); margin: 1.4rem 0 .35rem; }
p { margin: .4rem 0; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .86em; unicode-bidi: isolate; }
pre code { font-size: inherit; }
:not(pre) > code { background: var(--panel); border-radius: 4px; padding: .1em .3em; }
pre {
  margin: .25rem 0; padding: .6rem .8rem; max-height: 26rem; overflow: auto; white-space: pre-wrap;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: .05em .1em; }
.key { color: var(--known); }
.faint, small { color: var(--faint); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead th { overflow-wrap: normal; }
table.properties { width: auto; }
table.properties th { font-weight: 400; color: var(--faint); white-space: nowrap; overflow-wrap: normal; }
table.properties th, table.properties td { border: 0; padding-block: .1rem; }
.scroll { overflow-x: auto; } .scroll table { overflow-wrap: break-word; }
code.option { white-space: nowrap; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 0; } dl.terms { font-size: .92em; color: var(--faint); }
.pass { --outcome: var(--pass); --bar: var(--bar-pass); } .fail { --outcome: var(--fail); --bar: var(--fail); }
.partly { --outcome: var(--pass); --bar: repeating-linear-gradient(135deg, var(--bar-pass) 0 4px, var(--bar-unchecked) 4px 8px); }
.error { --outcome: var(--error); } .warn { --outcome: var(--warn); } .known { --outcome: var(--known); }
.undecided, .blocked, .inconclusive { --outcome: var(--undecided); }
.skipped, .absent, .unchecked { --outcome: var(--faint); --bar: var(--bar-unchecked); }
.badge { color: var(--outcome); font-weight: 600; white-space: nowrap; }
.badge::before { display: inline-block; width: 1.3em; }
:is(.badge, .cell).pass::before { content: '✓' / ''; } :is(.badge, .cell).partly::before { content: '◐' / ''; } :is(.badge, .cell).fail::before { content: '✗' / ''; }
:is(.badge, .cell).warn::before, :is(.badge, .cell).error::before { content: '!' / ''; } :is(.badge, .cell).known::before { content: '≈' / ''; }
:is(.badge, .cell).skipped::before, :is(.badge, .cell).absent::before, :is(.badge, .cell).unchecked::before { content: '–' / ''; }
:is(.badge, .cell).blocked::before, :is(.badge, .cell).inconclusive::before, :is(.badge, .cell).undecided::before { content: '?' / ''; }
details > summary { cursor: pointer; }
.notice { margin: .75rem 0; padding: .6rem .9rem; background: var(--panel); border-left: 4px solid var(--warn); border-radius: 0 6px 6px 0; }
.notice.fail { border-color: var(--fail); }
`;

const overview = `
.verdict { border-left: 6px solid var(--outcome); padding-left: 1rem; }
.verdict h1 { color: var(--outcome); }
.verdict p { margin: .15rem 0; }
.bar { display: flex; height: .7rem; border-radius: .35rem; overflow: hidden; background: var(--bar-unchecked); min-width: 4rem; }
.bar span { background: var(--bar, var(--outcome)); min-width: 3px; }
.bar.large { height: 1rem; border-radius: .5rem; margin: 1rem 0 .35rem; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; padding: 0; margin: 0; list-style: none; }
.legend li { white-space: nowrap; }
.legend span:not(.cell) { display: inline-block; width: .7em; height: .7em; border-radius: 2px; background: var(--bar, var(--outcome)); margin-right: .4em; }
.glance { display: grid; grid-template: auto 1fr / minmax(0, 3fr) minmax(0, 2fr); gap: 0 2.5rem; }
.glance > :first-child { grid-row: 1 / span 2; }
/* Without long lists, the browser divides the sections so that the columns are about equally long. */
.glance.short { display: block; columns: 2; column-gap: 2.5rem; } .glance.short > div { break-inside: avoid; }
/* At the top of a column, a margin would have no effect. */
.glance > div { padding-top: 1.75rem; } .glance h2 { margin-top: 1.75rem; } .glance h2:first-child { margin-top: 0; }
.causes { padding: 0; margin: 0; list-style: none; counter-reset: cause; }
.causes li { counter-increment: cause; display: flex; gap: .6rem; padding: .2rem 0; line-height: 1.4; border-bottom: 1px solid var(--line); }
.causes li::before { content: counter(cause); color: var(--outcome); font-weight: 700; min-width: 1.4em; text-align: right; }
.causes a { color: var(--ink); text-decoration: none; flex: 1; }
.causes a:hover { text-decoration: underline; }
.causes small { white-space: nowrap; }
.areas td { padding-block: .18rem; } .areas td:first-child { white-space: nowrap; }
.areas td:nth-child(2) { width: 40%; vertical-align: middle; }
.areas th { font-weight: 400; font-size: .85em; color: var(--faint); padding-block: .2rem; }
.areas :is(th, td):last-child { white-space: nowrap; text-align: right; padding-right: 0; }
ul.plain { padding-left: 1.1rem; margin: .25rem 0; } ul.plain .todo { list-style: none; color: var(--faint); margin-bottom: .4rem; }
.endpoints :is(th, td) { padding-block: .18rem; } .endpoints tbody th { font-weight: 400; }
ul.states { list-style: none; margin: .5rem 0; padding: 0; }
.states li { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); padding: .15rem 0; line-height: 1.7; } .states code { display: inline-block; max-width: 100%; line-height: 1.4; }
`;

const stories = `
.cause { border: 1px solid var(--line); border-left: 5px solid var(--outcome); border-radius: 6px; margin: 0 0 .75rem; }
.cause > summary { padding: .6rem .9rem; font-weight: 600; }
.cause[open] > summary { border-bottom: 1px solid var(--line); }
.cause > summary small { font-weight: 400; }
.cause > .story, .cause > .also, .cause > .remark, .cause > .shown { padding: 0 1rem; margin-inline: 0; }
.cause > .also { padding-bottom: .75rem; }
.also details { border-top: 1px solid var(--line); padding: .35rem 0; }
.story { padding-bottom: 1rem; }
.rule { margin: .9rem 0 .3rem; padding-left: .9rem; border-left: 3px solid var(--line); }
blockquote { margin: .5rem 0; padding-left: .9rem; border-left: 3px solid var(--line); } blockquote p { margin: 0; }
.service > summary { color: var(--faint); } .service h4, .service h3 { margin-top: 1.2rem; } .service table { width: auto; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0 1rem; }
.columns { margin-top: 1.2rem; } .story .columns h3 { margin-top: .2rem; }
.command { position: relative; }
.command pre { padding-right: 5.5rem; }
button, input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; }
button { cursor: pointer; }
button.copy { display: none; position: absolute; top: .35rem; right: .4rem; font-size: .85rem; }
.scripted button.copy { display: block; }
.writes td { font-size: .95em; } .writes td:first-child { color: var(--faint); width: 2.5rem; }
/* A long id or text without spaces must not push the other columns out of the page. */
.writes td > code { display: inline-block; max-width: 30rem; } .writes td:nth-child(2) > code { max-width: 14rem; }
h3 .path { text-transform: none; letter-spacing: 0; font-family: ui-monospace, monospace; }
figure { margin: .8rem 0; } figcaption { color: var(--faint); font-size: .9em; margin-bottom: .4rem; }
svg { display: block; fill: var(--ink); font: 13px system-ui, sans-serif; }
.tree path { fill: none; stroke: var(--faint); } .tree circle { fill: var(--ground); stroke: var(--ink); stroke-width: 2; }
.tree .omitted { stroke-dasharray: 4 4; } .tree .winner circle { fill: var(--pass); stroke: var(--pass); } .tree .deleted circle { stroke-dasharray: 2 2; }
.timeline .axis path { stroke: var(--line); } .timeline .axis text { fill: var(--faint); font-size: 12px; }
.timeline .feed { stroke: var(--faint); stroke-width: 2; } .timeline .write rect { fill: var(--known); }
.timeline .row circle { fill: var(--pass); } .timeline .heartbeat path { stroke: var(--ink); stroke-width: 2; }
.timeline .end path, .timeline .end rect { stroke: var(--fail); fill: var(--fail); stroke-width: 3; }
.timeline .open path { stroke: var(--faint); stroke-width: 2; stroke-dasharray: 3 3; }
.timeline .due path { stroke: var(--faint); } .timeline .missed path { stroke: var(--fail); stroke-width: 3; }
.timeline .due.end path { stroke: var(--fail); stroke-dasharray: 3 2; }
.raw { margin-top: .5rem; } .raw summary { color: var(--faint); } .raw > :not(summary) { margin-left: 1rem; }
td.at { text-align: right; white-space: nowrap; color: var(--faint); width: 6rem; }
td.text { font-family: ui-monospace, monospace; font-size: .86em; white-space: pre-wrap; unicode-bidi: isolate; }
`;

const lists = `
form.filter { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin: .75rem 0; }
form.filter input[type=search] { flex: 1 1 14rem; min-width: 0; }
form.filter output { color: var(--faint); }
.area { border-bottom: 1px solid var(--line); }
.area > summary { padding: .45rem 0; font-weight: 600; }
.area > summary small { font-weight: 400; margin-left: .4em; }
.check { margin-left: 1rem; border-top: 1px solid var(--line); padding: .3rem 0; }
.check > summary { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr) auto; gap: 0 .75rem; list-style: none; }
.check > summary::-webkit-details-marker { display: none; }
.check > :not(summary) { margin-left: 8.25rem; }
.check > summary code { color: var(--faint); background: none; text-align: right; }
.matrix { overflow: auto; max-height: 92vh; }
.matrix table { border-collapse: separate; border-spacing: 0; }
.matrix :is(th, td) { padding: .2rem .4rem; }
.matrix th { position: sticky; background: var(--ground); }
.matrix thead th { top: 0; z-index: 2; vertical-align: bottom; }
.matrix thead th > span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 11rem; font-weight: 400; line-height: 1.25; }
.matrix tbody th { z-index: 1; font-weight: 400; min-width: min(16rem, 58vw); width: 100%; }
.matrix th:first-child { left: 0; padding-left: 0; }
.matrix thead th:first-child { z-index: 3; }
.matrix .what { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; font-size: .88em; color: var(--faint); }
.matrix .area :is(th, td) { padding-top: 1rem; vertical-align: middle; } .matrix .bar { min-width: 2.2rem; }
.matrix .folded .rule { display: none; }
button.fold { border: 0; padding: 0; font-weight: 600; }
button.fold::before { content: '▾ ' / ''; } .folded button.fold::before { content: '▸ ' / ''; }
.matrix details { font-size: .92em; } .matrix details p { max-width: 46rem; }
.observed thead th { text-align: left; } .observed :is(td, thead th) { min-width: 9rem; }
.cell { display: inline-block; position: relative; width: 2.2rem; line-height: 1.5rem; border-radius: 4px; text-align: center; text-decoration: none; font-weight: 700;
  color: var(--outcome); background: color-mix(in srgb, var(--outcome) 14%, var(--ground)); }
.cell.fail, .cell.warn { color: var(--ground); background: var(--outcome); }
.cell > span { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.legend .cell { width: 1.5rem; height: auto; margin: .1rem .2rem .1rem 0; } .hint { display: none; color: var(--faint); }
`;

const chart = `
.chart { margin: 1rem 0; } .chart dt { margin-top: .9rem; }
.chart dd { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) 3.5rem; gap: .6rem; align-items: center; margin: 0; line-height: 1.4; }
.chart strong { font-weight: 400; font-variant-numeric: tabular-nums; } .chart .note { display: block; max-width: 48rem; font-size: .9em; }
.track span { display: block; height: .8rem; min-width: 2px; border-radius: 2px; background: var(--hue); }
.hue0 { --hue: var(--known); } .hue1 { --hue: var(--undecided); } .hue2 { --hue: var(--error); } .hue3 { --hue: var(--pass); }
.curve { display: flex; flex-direction: column; justify-content: space-between; margin-bottom: 1.5rem; max-width: 34rem; }
.curves { text-anchor: middle; } .curves path { stroke: var(--faint); } .curves polyline { fill: none; stroke: var(--hue); stroke-width: 2; }
/* A line that passes behind a number must not strike it out. */
.curves text { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; } .curves tspan { fill: var(--hue); }
`;

const media = `
@media (max-width: 58rem) {
  .glance, .glance.short { display: block; columns: auto; }
  .areas { max-width: 34rem; }
}
@media (max-width: 46rem) {
  .hint { display: block; } .legend li { white-space: normal; }
  body { font-size: 15px; }
  .check > summary { grid-template-columns: minmax(0, 1fr) auto; }
  .check > summary .what { grid-column: 1 / -1; grid-row: 2; }
  .check > :not(summary) { margin-left: 0; }
  .causes li { display: block; padding-left: 2rem; } .causes li::before { float: left; margin-left: -2rem; } .causes small { white-space: normal; }
  .cause > .story, .cause > .also, .cause > .remark, .cause > .shown { padding: 0 .7rem; }
  table.properties th { white-space: normal; }
  .command pre { padding-right: .8rem; padding-top: 2.4rem; }
  /* Beside their column, numbers need no scrolling. */
  .stacked thead { display: none; } .stacked :is(table, tbody, tr, th, td) { display: block; } .stacked :is(th, td) { border: 0; padding-block: .1rem; }
  .stacked tr { border-bottom: 1px solid var(--line); padding-block: .4rem; }
  .stacked td { display: grid; grid-template-columns: 8rem minmax(0, 1fr); } .stacked td:empty { display: none; }
  .stacked td::before { content: attr(data-column); color: var(--faint); }
  .servers td:nth-child(2) { width: auto; }
  html:not(.scripted) .command pre { padding-top: .6rem; }
}
@media (prefers-color-scheme: dark) { :root {${dark} } }
@media print {
  :root {${light} }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  .top, .skip, nav.site, form.filter, button, .raw { display: none !important; }
  pre, .matrix { max-height: none; } .cause, .check { break-inside: avoid-page; } .cause[open] { break-inside: auto; }
  /* Paper does not scroll. */
  @page wide { size: A4 landscape; margin: 1cm; }
  .scroll table { overflow-wrap: anywhere; }
  .matrix { page: wide; overflow: visible; font-size: 8pt; } .matrix :is(thead, tbody) th { position: static; min-width: 0; }
  * { print-color-adjust: exact; }
}
`;

const site = `
nav.site { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .6rem max(1rem, calc((100vw - var(--page)) / 2 + 1rem)); border-bottom: 1px solid var(--line); }
nav.site a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.servers td:nth-child(2) { width: 45%; } .servers small { display: block; }
`;

export const style = `:root {${light} }${base}${overview}${stories}${lists}${chart}${site}${media}`;
