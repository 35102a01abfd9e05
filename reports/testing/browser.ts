import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isExecutable } from './programs.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Fails with one line if Chromium is missing. Use it in `test.before`, so that the tests of the file do not run. */
export async function requireBrowser(t: ExecutionContext): Promise<void> {
  if (await isExecutable(executablePath)) t.pass();
  else t.fail('Tests of HTML pages need Chromium: apt-get install chromium, or set CHROMIUM=/path');
}

/** All tests of a file use one, since each takes longer to start than a page to open. */
let browser: Promise<Browser> | undefined;
test.after.always(async () => (await browser)?.close());

/** A page that a real browser opened from disk. */
export interface OpenPage {
  page: Page;
  /** Script errors, console messages, dialogs, and requests for anything except the file itself. */
  problems: string[];
}

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** The part of the address after the file, such as `#checks`. */
  readonly hash?: string;
  readonly javaScriptEnabled?: boolean;
}

export async function openFile(
  t: ExecutionContext,
  file: string,
  { width = 1280, hash = '', ...options }: PageOptions = {},
): Promise<OpenPage> {
  browser ??= chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const context = await (await browser).newContext({ ...options, viewport: { width, height: 900 } });
  t.teardown(() => context.close());
  const page = await context.newPage();
  // The timeout of the test is enough, and a busy machine may need most of it.
  page.setDefaultTimeout(0);
  const url = pathToFileURL(file).href;
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url && request.url() !== url + hash) problems.push(request.url());
  });
  await page.goto(url + hash);
  return { page, problems };
}
