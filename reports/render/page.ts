/** The layout that all pages share. */
import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { escapeHtml } from './elements/markup.js';
import { pageScript } from './elements/page-script.js';
import { style } from './elements/style.js';

// A page shows values of an untrusted target: `<%=` escapes them, also line ends. `<%~` is for HTML.
const eta = new Eta({ autoEscape: true, escapeFunction: (value) => escapeHtml(String(value)) });

const scriptHash = createHash('sha256').update(pageScript).digest('base64');

/**
 * The page is one file: it loads nothing, and the only script that runs is its own. Its Content Security Policy makes
 * the browser enforce that, even if a value of a target were not escaped.
 */
const layout = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-<%~ it.scriptHash %>'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><span class="brand">docfeed</span> <span><%= it.kind %></span></header>
<main id="main">
<%~ it.body %>
</main>
<script><%~ it.script %></script>
</body>
</html>
`;

/** Makes a template available to others: `<%~ include('@name', data) %>`. */
export function defineTemplate(name: `@${string}`, template: string): void {
  eta.loadTemplate(name, template);
}

/**
 * @param kind what the page is, for its head line
 * @param body an Eta template that is rendered with `data`
 */
export function renderPage(page: { title: string; kind: string }, body: string, data: object): string {
  return eta.renderString(layout, {
    ...page,
    style,
    scriptHash,
    script: pageScript,
    body: eta.renderString(body, data),
  });
}
