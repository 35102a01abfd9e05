/** What the commands of the suite share: options, report folders. */
import { access, constants } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { makeFolder } from '../../reports/folder.js';
import { dialects } from '../../openapi/generated/dialects.js';
import { parseReporter, reporterNames, type ReporterSpec } from '../../reports/reporters/spec.js';
import { Refusal } from '../engine/refusal.js';
import type { Credentials } from '../http/client.js';

/** Used if the option `--target` is not given. */
export const defaultTargetFile = 'docfeed.target.yaml';

export const adminOption = (): Option =>
  new Option('--admin <name:password>', 'administrator of the target').env('DOCFEED_ADMIN');

export const dialectOption = (): Option =>
  new Option('--dialect <dialect>', 'target dialect (default: detected)').choices(Object.keys(dialects));

/** @param effect how much is generated with each profile */
export const profileOption = (effect: string): Option =>
  new Option('--profile <profile>', effect).choices(['smoke', 'default', 'thorough']).default('default');

/** @param generated what the seed decides */
export const seedOption = (generated: string): Option =>
  new Option('--seed <n>', `seed of all generated ${generated} (default: random)`).argParser(
    wholeNumber(-(2 ** 31), 2 ** 31 - 1),
  );

/**
 * @param what the things of which so many run at a time
 * @param byDefault how many without this option
 */
export const concurrencyOption = (what: string, byDefault: string): Option =>
  new Option('--concurrency <n>', `number of ${what} at a time (default: ${byDefault})`).argParser(
    wholeNumber(1, 200),
  );

export const reporterOption = (): Option =>
  new Option(
    '--reporter <name[=file]>',
    `what to print or write to a file: ${reporterNames.join(', ')} (repeatable; default: default)`,
  ).argParser(addReporter);

/**
 * Parses the value of `--admin`. This is not the parser of the option: commander repeats a refused value in its
 * message, and this one may be a password.
 */
export function parseCredentials(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 1) throw new Refusal('usage', '--admin and DOCFEED_ADMIN must be name:password');
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The parser of an option whose value is a whole number in a range. */
export const wholeNumber =
  (least: number, greatest: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= least && value <= greatest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${greatest}.`);
  };

/** The parser of an option whose value is a time in seconds, such as `0.5`. */
export function parseSeconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= mostSeconds) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0 and up to ${mostSeconds}.`);
}

const mostSeconds = 3600;

/** The parser of `--shard I/N`: part I of N, counted from 1. */
export function parseShard(text: string): { index: number; count: number } {
  const [, index, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index && count && index <= count) return { index, count };
  throw new InvalidArgumentError('It must be I/N with I from 1 to N, such as 2/4.');
}

/** The parser of a repeatable option. A variadic option would also take the URL that follows it. */
export function repeatable(text: string, previous: readonly string[] = []): string[] {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return [...previous, text];
}

function addReporter(text: string, previous: readonly ReporterSpec[] = []): ReporterSpec[] {
  const spec = parseReporter(text);
  if (typeof spec === 'string') throw new InvalidArgumentError(spec);
  return [...previous, spec];
}

/** Commands call this before a run, so that no results are lost because they cannot be written. */
export async function prepareReportFolder(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    await access(dir, constants.W_OK);
  } catch (error) {
    throw new Refusal('file', `cannot write to report folder ${dir}: ${fileErrorReason(error)}`);
  }
}

/** Without the system call and the path, which Node.js appends after a comma. */
export const fileErrorReason = (error: unknown): string => (error as Error).message.split(',')[0]!;
