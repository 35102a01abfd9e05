/** Published reports: the report of a run, small enough to be committed. */
import { basename } from 'node:path';
import type { CheckResult, Counterexample, Report } from '../report.js';

/**
 * The evidence of a known deviation is an illustration: it has the violating exchange only, and this limit in characters
 * keeps the repository small. Longer bodies are cut; a history that is longer as JSON is left out.
 */
const maxLength = 500;

type OfRule = Pick<CheckResult, 'area' | 'level' | 'statement' | 'source'>;

/** A report that says once what its checks say of their rule. */
export interface PublishedReport extends Omit<Report, 'format' | 'checks'> {
  readonly format: 'docfeed-published-report/1';
  readonly rules: Readonly<Record<string, OfRule>>;
  readonly checks: readonly Omit<CheckResult, keyof OfRule>[];
}

/** Shortens evidence, and removes the folders of files of the machine that the run had. */
export function publishReport(report: Report): PublishedReport {
  const { suite, target } = report;
  return {
    ...report,
    format: 'docfeed-published-report/1',
    rules: Object.fromEntries(
      report.checks.map(({ rule, area, level, statement, source }) => [
        rule,
        { area, level, statement, source },
      ]),
    ),
    suite: { ...suite, options: suite.options?.map((option) => basename(option)) },
    target: {
      ...target,
      capabilities: target.capabilities.map((capability) => ({
        ...capability,
        how: capability.how.replaceAll(/\(from [^)]*\//g, '(from '),
      })),
    },
    checks: report.checks.map(({ area: _, level: _1, statement: _2, source: _3, ...check }) => ({
      ...check,
      ...(check.counterexample ? { counterexample: shorten(check.counterexample) } : {}),
    })),
  };
}

/** The report, but for evidence that was shortened. */
export function unfoldReport({ rules, checks, ...report }: PublishedReport): Report {
  return {
    ...report,
    format: 'docfeed-report/2',
    checks: checks.map((check) => ({ ...check, ...rules[check.rule]! })),
  };
}

function shorten(counterexample: Counterexample): Counterexample {
  const { exchanges, violating = exchanges.length - 1, omitted = 0, ...others } = counterexample;
  const { input, terms, writes, trees, symptoms: _, ...rest } = others;
  const kept = exchanges.slice(violating, violating + 1);
  const removed = omitted + exchanges.length - kept.length;
  return {
    ...rest,
    ...(isShort(input) ? { input, terms } : {}),
    ...(isShort(trees) ? { trees } : {}),
    ...(removed > 0 ? { omitted: removed } : {}),
    ...(kept.length > 0 ? { violating: 0 } : {}),
    ...(isShort(writes) && {
      writes: writes.map(({ exchange = -1, ...write }) =>
        exchange < violating ? write : { ...write, exchange: exchange - violating },
      ),
    }),
    exchanges: kept.map(({ request, response, time }) => ({
      request:
        (request.body?.length ?? 0) > maxLength
          ? { ...request, body: cut(request.body!, maxLength), truncated: true }
          : request,
      ...(response && { response: { ...response, ...shortenBody(response.chunks) } }),
      ...(time && { time }),
    })),
  };
}

const isShort = <T>(value: T | undefined): value is T =>
  value !== undefined && JSON.stringify(value).length <= maxLength;

function shortenBody(chunks: NonNullable<Counterexample['exchanges'][number]['response']>['chunks']) {
  let room = maxLength;
  const published = chunks.map(({ atMs, text }) => ({ atMs, text: text.replaceAll(foldersOfModules, '') }));
  const kept = published.flatMap(({ atMs, text }) => {
    const shown = cut(text, room);
    room -= shown.length;
    return shown === '' ? [] : [{ atMs, text: shown }];
  });
  const isWhole = kept.length === published.length && kept.at(-1)?.text === published.at(-1)?.text;
  return isWhole ? { chunks: kept } : { chunks: kept, truncated: true };
}

/** In the stack traces that some servers send. */
const foldersOfModules = /(\/[\w.-]+)+(?=\/node_modules\/)/g;

/** Does not cut a character in two, since half of one is not valid JSON for some readers. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
