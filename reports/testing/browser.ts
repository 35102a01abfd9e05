import { pathToFileURL } from 'node:url';
import type { ExecutionContext } from 'ava';
import { chromium, type Page } from 'playwright-core';

/** A page opened from disk in a real browser, and everything that the browser found wrong with it. */
export interface OpenPage {
  page: Page;
  /** Script errors, console messages, dialogs, and requests for anything but the file itself. */
  complaints: string[];
}

export async function openFile(
  t: ExecutionContext,
  file: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<OpenPage> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  t.teardown(() => browser.close());
  const page = await browser.newPage({ colorScheme });
  const url = pathToFileURL(file).href;
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) complaints.push(request.url());
  });
  await page.goto(url);
  return { page, complaints };
}
