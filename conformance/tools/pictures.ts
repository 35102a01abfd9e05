/**
 * `npm run pictures`: makes the pictures of the READMEs from two runs against a server in the making and from the
 * published results, and the text in them, `pictures.txt`. A test compares that text with that of today, so a picture cannot show what is no more.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { escapeHtml } from '../../reports/render/elements/markup.js';
import { renderHtml } from '../../reports/render/html.js';
import { renderTerminal } from '../../reports/render/terminal.js';
import type { Report } from '../../reports/report.js';
import { renderPages } from '../../reports/tools/results.js';
import { type ConformanceOptions, runConformance } from '../index.js';
import { startUnfinishedServer } from '../testing/unfinished-server.js';

export const imagesFolder = new URL('../../reports/images/', import.meta.url).pathname;

interface Picture {
  readonly name: string;
  readonly html: string;
  /** What to show of the page. */
  readonly selector: string;
  /** Where the text is that must not be old. Default: in all that the picture shows. */
  readonly texts?: string;
  /** Cuts the picture. */
  readonly height?: number;
  readonly isFolded?: boolean;
}

const address = 'http://127.0.0.1:5984/';

/** A check that the unfinished server fails, and that does not lack a part of it. */
const shownFailure = 'filter-doc-ids';

/** Makes pictures and returns the text in them; numbers and generated names, which differ in each run, are masked. */
export async function makePictures(save: (name: string, png: Buffer) => Promise<void>): Promise<string> {
  const pictures = [await comparison(), ...(await runs())];
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1080, height: 900 } });
    const texts: string[] = [];
    for (const picture of pictures) texts.push(`# ${picture.name}\n\n${await take(page, picture, save)}\n`);
    return mask(texts.join('\n'));
  } finally {
    await browser.close();
  }
}

async function take(
  page: Page,
  { name, html, selector, texts = selector, isFolded, height }: Picture,
  save: (name: string, png: Buffer) => Promise<void>,
): Promise<string> {
  await page.setContent(html);
  const shown = page.locator(selector);
  if (isFolded) {
    // It may be within other folded elements.
    const start = `document.querySelector(${JSON.stringify(selector)})`;
    await page.evaluate(`for (let each = ${start}; each; each = each.parentElement) each.open = true`);
  }
  const { x, y, width } = (await shown.boundingBox())!;
  await save(
    name,
    await (height === undefined ? shown.screenshot() : page.screenshot({ clip: { x, y, width, height } })),
  );
  return (await page.locator(texts).allInnerTexts()).join('\n\n');
}

const comparison = async (): Promise<Picture> => ({
  name: 'comparison.png',
  html: (await renderPages()).get('index.html')!,
  selector: '.servers',
});

async function runs(): Promise<Picture[]> {
  const server = await startUnfinishedServer();
  const run = async (options: Partial<ConformanceOptions>): Promise<Report> => {
    const report = await runConformance({ urls: [server.url], seed: 6, profile: 'smoke', ...options });
    const { suite, target } = report;
    return {
      ...report,
      suite: { ...suite, startedAt: '2026-01-02T03:04:05.678Z' },
      target: { ...target, url: address },
      // A busy machine has other warnings.
      warnings: [],
    };
  };
  try {
    const [whole, part] = [await run({}), await run({ only: ['root-*'] })];
    return [
      { name: 'terminal.png', html: terminalPage(part), selector: 'pre' },
      {
        name: 'failing-report.png',
        html: renderHtml(whole),
        selector: 'main',
        texts: '.verdict, .glance',
        height: 880,
      },
      {
        name: 'failure.png',
        html: renderHtml(whole),
        selector: `details[id="${shownFailure}"]`,
        isFolded: true,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** By the number in an escape sequence of a terminal, how a page shows the text after it. */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight:700',
  2: 'color:#8b949e',
  31: 'color:#ff7b72',
  32: 'color:#56d364',
  33: 'color:#e3b341',
};

function terminalPage(report: Report): string {
  const text = renderTerminal(report, { colour: true, columns: 100, reportDir: 'docfeed-report/' });
  const [first, ...parts] = text.split('\u001b[');
  const coloured = parts.map((part) => {
    const [, code = '', rest = ''] = /^(\d+)m([^]*)$/.exec(part)!;
    return `</span><span style="${styles[code] ?? ''}">${escapeHtml(rest, '\n')}`;
  });
  const command = `npx docfeed check ${address} --only 'root-*'`;
  return `<body style="margin:0"><pre style="margin:0;padding:1.5em;width:104ch;white-space:pre-wrap;overflow-wrap:anywhere;background:#0d1117;color:#e6edf3;font:14px/1.45 monospace"><span style="${styles['32']}">$</span> ${escapeHtml(command)}\n\n<span>${escapeHtml(first!, '\n')}${coloured.join('')}</span></pre>`;
}

const mask = (text: string): string =>
  text
    // How small the input is depends on the time for shrinking.
    .replaceAll(/^( +input +).*$/gm, '$1INPUT')
    .replaceAll(/eyJ[\w-]+/g, 'TOKEN')
    .replaceAll(/docfeed-[0-9a-f]{8}-\d+/g, 'docfeed-NAME')
    .replaceAll(/\d+(\.\d+)*/g, '#')
    .replaceAll(/[ \t]+$/gm, '');

if (process.argv[1] === import.meta.filename) {
  const text = await makePictures((name, png) => writeFile(join(imagesFolder, name), png));
  await writeFile(join(imagesFolder, 'pictures.txt'), text);
}
