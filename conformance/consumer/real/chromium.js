/** Follows the database with the EventSource of Chromium, in a page of the server that has logged in. */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { readSince, say, url, writeSince } from './state.js';

const { origin, pathname, username, password } = new URL(url);
const query = new URLSearchParams({
  ...{ feed: 'eventsource', include_docs: true, heartbeat: 1000, since: readSince('0') },
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
process.once('SIGTERM', () => browser.close());
const context = await browser.newContext();
const login = { data: { name: username, password } };
while (!(await context.request.post(`${origin}/_session`, login)).ok()) await pause(1000);
const page = await context.newPage();
await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
await page.goto(`${origin}/`);
await page.exposeFunction('report', ({ data, lastEventId }) => {
  say(JSON.parse(data));
  writeSince(lastEventId);
});
await page.evaluate((feed) => {
  new EventSource(feed).onmessage = ({ data, lastEventId }) => globalThis.report({ data, lastEventId });
}, `${pathname}/_changes?${query}`);
