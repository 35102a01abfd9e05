import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { CommanderError } from 'commander';
import type { Report } from './report.js';

let validate: ValidateFunction<Report> | undefined;

/**
 * Reads a `report.json`.
 *
 * @throws CommanderError (exit code 2) that names the file and what is wrong with it: unreadable, not JSON, or not a
 *   report of this format.
 */
export async function readReport(file: string): Promise<Report> {
  let report: unknown;
  try {
    report = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommanderError(2, 'docfeed.report', `cannot read report ${file}: ${(error as Error).message}`);
  }
  validate ??= new Ajv2020({ strict: false, validateFormats: false }).compile<Report>(
    createRequire(import.meta.url)('docfeed/reports/report.schema.json') as object,
  );
  if (validate(report)) return report;
  const [first] = validate.errors ?? [];
  const where = `$${(first?.instancePath ?? '').replaceAll('/', '.')}`;
  throw new CommanderError(
    2,
    'docfeed.report',
    `${file} is not a docfeed-report/1: ${where} ${first?.message}`,
  );
}
