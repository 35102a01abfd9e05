/** Follows the database with the EventSource of Chromium, in a page of the server that logs in. */
import { chromium } from 'playwright-core';
import { credentials, readSince, say, url, writeSince } from './state.js';

const { origin, pathname } = new URL(url);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
process.once('SIGTERM', () => browser.close());
const page = await browser.newPage();
page.on('console', (message) => console.error(message.text()));
await page.exposeFunction('take', (row, seq) => {
  say(row);
  writeSince(seq);
});
await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
await page.goto(`${origin}/`);
await page.evaluate(follow, { pathname, credentials, since: readSince('0') });

/** Runs in the page. */
async function follow({ pathname, credentials, since }) {
  const login = { method: 'POST', body: new URLSearchParams(credentials) };
  // An EventSource ends for good at any status but 200, and does not say which one it was.
  const again = () => setTimeout(() => follow({ pathname, credentials, since }), 1000);
  const { ok } = await fetch('/_session', login).catch(() => ({ ok: false }));
  if (!ok) return void again();
  const query = new URLSearchParams({ feed: 'eventsource', include_docs: true, heartbeat: 1000, since });
  const source = new EventSource(`${pathname}/_changes?${query}`);
  source.onmessage = ({ data, lastEventId }) => {
    since = lastEventId;
    globalThis.take(JSON.parse(data), since);
  };
  source.onerror = () => source.readyState === EventSource.CLOSED && again();
}
