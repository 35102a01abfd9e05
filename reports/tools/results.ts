/**
 * The published results in `reports/results/`: the data of runs, and the pages that are rendered from it.
 *
 * - `npm run results` renders the pages again.
 * - `npm run results -- NAME FILE` first publishes a `report.json` as the result of the server NAME.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findViolatingExchange } from '../violating-exchange.js';
import { makeFolder } from '../folder.js';
import { readReport } from '../read.js';
import { renderBadge } from '../render/badge.js';
import { renderHtml } from '../render/html.js';
import { renderMatrix } from '../render/matrix.js';
import { renderSelftest } from '../render/selftest.js';
import type { Counterexample, Report } from '../report.js';
import type { SelftestReport } from '../selftest.js';
import { writeOutputFile } from '../write.js';

export const resultsFolder = new URL('../results/', import.meta.url).pathname;

/** The evidence of a known deviation is an illustration: these limits keep the repository small. */
const maxExchanges = 4;
const maxBody = 2_000;

/** @returns the pages by their path in the folder, rendered from the data there. */
export async function renderResults(): Promise<Map<string, string>> {
  const entries = await readdir(resultsFolder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  const columns = await Promise.all(
    names.map(async (name) => ({
      name,
      href: `${encodeURIComponent(name)}/report.html`,
      report: await readReport(join(resultsFolder, name, 'report.json')),
    })),
  );
  const selftest = await readFile(join(resultsFolder, 'selftest.json'), 'utf8');
  return new Map([
    ['selftest.html', renderSelftest(JSON.parse(selftest) as SelftestReport)],
    ['matrix.html', renderMatrix(columns)],
    ...columns.flatMap(({ name, report }): [string, string][] => [
      [`${name}/report.html`, renderHtml(report)],
      [`${name}/badge.svg`, renderBadge(report)],
    ]),
  ]);
}

/** Shortens evidence, and removes the folders of files of the machine that the run had. */
function toPublish(report: Report): Report {
  const { suite, target } = report;
  return {
    ...report,
    suite: { ...suite, options: suite.options?.map((option) => basename(option)) },
    target: {
      ...target,
      capabilities: target.capabilities.map((capability) => ({
        ...capability,
        how: capability.how.replaceAll(/\(from [^)]*\//g, '(from '),
      })),
    },
    checks: report.checks.map((check) => ({
      ...check,
      script: undefined,
      ...(check.counterexample ? { counterexample: shorten(check.counterexample) } : {}),
    })),
  };
}

function shorten(counterexample: Counterexample): Counterexample {
  const { exchanges, omitted = 0, input, ...rest } = counterexample;
  const violating = findViolatingExchange(counterexample);
  const end = Math.max(violating + 1, Math.min(exchanges.length, maxExchanges));
  const kept = exchanges.slice(Math.max(0, end - maxExchanges), end);
  const removed = omitted + exchanges.length - kept.length;
  return {
    ...rest,
    ...(input !== undefined && JSON.stringify(input).length <= maxBody ? { input } : {}),
    ...(removed > 0 ? { omitted: removed } : {}),
    exchanges: kept.map(({ request, response, time }) => ({
      request:
        (request.body?.length ?? 0) > maxBody
          ? { ...request, body: request.body!.slice(0, maxBody), truncated: true }
          : request,
      ...(response && { response: { ...response, ...shortenBody(response.chunks) } }),
      ...(time && { time }),
    })),
  };
}

function shortenBody(chunks: NonNullable<Counterexample['exchanges'][number]['response']>['chunks']) {
  let room = maxBody;
  const kept = chunks.flatMap(({ atMs, text }) => {
    const shown = text.slice(0, room);
    room -= shown.length;
    return shown === '' ? [] : [{ atMs, text: shown }];
  });
  const isWhole = kept.length === chunks.length && kept.at(-1)?.text === chunks.at(-1)?.text;
  return isWhole ? {} : { chunks: kept, truncated: true };
}

async function main([name, file]: string[]): Promise<void> {
  if (name !== undefined && file !== undefined) {
    const folder = join(resultsFolder, name);
    await makeFolder(folder);
    const report = toPublish(await readReport(file));
    await writeOutputFile(join(folder, 'report.json'), `${JSON.stringify(report)}\n`);
  }
  for (const [path, text] of await renderResults()) await writeOutputFile(join(resultsFolder, path), text);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
