import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type ErrorObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { summarize } from './outcomes.js';
import { refusal } from './refuse.js';
import { outcomes, type Report } from './report.js';
import { inline, printable } from './render/text.js';

const format = 'docfeed-report/1' satisfies Report['format'];

let compiled: ValidateFunction<Report> | undefined;

/**
 * Reads a `report.json`.
 *
 * @throws CommanderError (exit code 2) that names the file and the first thing that is wrong with it.
 */
export async function readReport(file: string): Promise<Report> {
  const wrong = (what: string) => refusal(`${file}: ${what}`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrong(`cannot be read (${error.code ?? error.message})`);
  });
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw wrong('is not JSON');
  }
  const found = (report as { format?: unknown } | null)?.format;
  if (found !== format) {
    throw wrong(
      found === undefined ? 'is no docfeed report' : `is of format ${inline(found)}, not ${format}`,
    );
  }
  const validate = (compiled ??= compile());
  if (!validate(report)) throw wrong(complaint(validate.errors![0]!));
  const problem = contradiction(report);
  if (problem !== undefined) throw wrong(problem);
  return report;
}

function compile(): ValidateFunction<Report> {
  const schema = createRequire(import.meta.url)('docfeed/reports/report.schema.json') as object;
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  return ajv.compile<Report>(schema);
}

function complaint({ instancePath, message, params }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  const { additionalProperty, allowedValues } = params as Record<string, unknown>;
  const detail = additionalProperty ?? allowedValues;
  return printable(`$${steps.join('')} ${message}${detail === undefined ? '' : `: ${inline(detail)}`}`);
}

/** What a schema cannot say, and what would make a wrong report look right. */
function contradiction({ checks, summary }: Report): string | undefined {
  const ids = new Set<string>();
  for (const { id } of checks) {
    if (ids.has(id)) return `has two results of check ${printable(id)}`;
    ids.add(id);
  }
  const counted = summarize(checks);
  const wrong = outcomes.find((outcome) => counted[outcome] !== summary[outcome]);
  return wrong && `its summary says ${summary[wrong]} ${wrong}, its checks ${counted[wrong]}`;
}
