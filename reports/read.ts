import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fileError } from './file-error.js';
import { jsonPath, parseJson } from './read-json.js';
import { summarize } from './outcomes.js';
import { outcomes, type Report } from './report.js';
import { describeSchemaError } from './schema-error.js';
import { escapeInvisible } from './escape.js';
import { inlineJson, shorten } from './render/text.js';

const format = 'docfeed-report/2' satisfies Report['format'];

let compiledSchema: ValidateFunction<Report> | undefined;

/**
 * Reads a `report.json` and validates it.
 *
 * @throws CommanderError (exit code 2) that names the file and its first error.
 */
export async function readReport(file: string): Promise<Report> {
  const invalid = (problem: string) => fileError(`${file}: ${problem}`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalid(`cannot read the file (${error.code ?? error.message})`);
  });
  const report = parseJson(text);
  if (report === undefined) throw invalid('not a JSON file');
  const { format: actualFormat } = (report ?? {}) as { format?: unknown };
  if (actualFormat === undefined) throw invalid('not a docfeed report');
  if (actualFormat === 'docfeed-report/1') {
    throw invalid('an earlier version of docfeed wrote this report (docfeed-report/1); run the check again');
  }
  if (actualFormat !== format) {
    throw invalid(`the format is ${inlineJson(actualFormat)}, expected "${format}"`);
  }
  const validate = (compiledSchema ??= compileSchema());
  if (!validate(report)) {
    const [error] = validate.errors!;
    throw invalid(shorten(`${jsonPath(error!.instancePath)} ${describeSchemaError(error!)}`, 500));
  }
  const problem = findInconsistency(report);
  if (problem !== undefined) throw invalid(problem);
  return report;
}

function compileSchema(): ValidateFunction<Report> {
  const schema = createRequire(import.meta.url)('docfeed/reports/report.schema.json') as object;
  const ajv = new Ajv2020({ verbose: true });
  addFormats.default(ajv);
  return ajv.compile<Report>(schema);
}

/** Checks what the schema cannot express and what would make an edited report look right. */
function findInconsistency({ target, checks, summary }: Report): string | undefined {
  const isUrl = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);
  if (!target.url.split(' ').every(isUrl)) {
    return `$.target.url must be one or more URLs that spaces separate, not ${inlineJson(target.url, 100)}`;
  }
  const ids = checks.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return `check ${escapeInvisible(repeated)} has two results`;
  const counted = summarize(checks);
  const outcome = outcomes.find((candidate) => counted[candidate] !== summary[candidate]);
  return outcome && `the summary counts ${summary[outcome]} ${outcome}, the checks have ${counted[outcome]}`;
}
