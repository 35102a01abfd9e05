/** `docfeed report last|open|issue|render|diff|merge|matrix|badge`: work with report files, without a target. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Change } from '../diff.js';
import { exitCode, type Report } from '../report.js';

// Actions import what they need, so that help and usage errors appear immediately.

export function reportCommand(): Command {
  return new Command('report')
    .description('render, compare and merge the reports of runs')
    .addCommand(lastSubcommand())
    .addCommand(openSubcommand())
    .addCommand(issueSubcommand())
    .addCommand(renderSubcommand())
    .addCommand(diffSubcommand())
    .addCommand(mergeSubcommand())
    .addCommand(matrixSubcommand())
    .addCommand(badgeSubcommand());
}

function lastSubcommand(): Command {
  return new Command('last')
    .description('print the summary of the last run')
    .argument('[dir]', 'folder of the report', 'docfeed-report/')
    .addHelpText('after', '\nExamples:\n  docfeed report last')
    .action(async (dir: string) => {
      const { readReport } = await import('../read.js');
      await printSummary(await readReport(join(dir, 'report.json')), dir);
    });
}

function openSubcommand(): Command {
  return new Command('open')
    .description('open the report of the last run in a browser')
    .argument('[dir]', 'folder of the report', 'docfeed-report/')
    .addHelpText('after', '\nExamples:\n  docfeed report open')
    .action(async (dir: string) => {
      const { lastPage } = await import('../last-results.js');
      const { openPage } = await import('../open-page.js');
      const page = await lastPage(dir);
      await openPage(page);
      process.stdout.write(`${page}\n`);
    });
}

function issueSubcommand(): Command {
  return new Command('issue')
    .description('print a violation as a text for the tracker of the server, in Markdown')
    .argument('<check>', 'id of the check that failed, as the report shows it')
    .argument('[dir]', 'folder of the report', 'docfeed-report/')
    .addHelpText(
      'after',
      '\nThe text has the server, curl commands, what came and what the rule says. It has no credentials.\n' +
        'Do not publish how somebody gets in who must not: tell the makers of the server privately.\n' +
        '\nExamples:\n  docfeed report issue feed-pending > issue.md',
    )
    .action(async (id: string, dir: string) => {
      const { findViolation } = await import('../find-violation.js');
      const { renderIssue } = await import('../render/issue.js');
      const { report, check } = await findViolation(id, dir);
      process.stdout.write(renderIssue(report, check));
      process.stderr.write(
        'docfeed: read the text before you publish it. If it shows how somebody gets in who must not, tell the makers privately.\n',
      );
    });
}

function renderSubcommand(): Command {
  return new Command('render')
    .description('write the report.html, junit.xml and summary.md of a report.json')
    .argument('<file>', 'report.json to render')
    .requiredOption('--out <dir>', 'folder to write the files to')
    .addHelpText('after', '\nExamples:\n  docfeed report render docfeed-report/report.json --out rendered/')
    .action(async (file: string, { out }: { out: string }) => {
      const { readReport } = await import('../read.js');
      const { writeReport } = await import('../write.js');
      await writeReport(await readReport(file), out);
    });
}

function diffSubcommand(): Command {
  return new Command('diff')
    .description('list the checks whose outcome differs between two reports')
    .argument('<before>', 'report.json of the earlier run')
    .argument('<after>', 'report.json of the later run')
    .option('--json', 'print the changes as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 no outcome got worse, 1 an outcome got worse, 2 invalid arguments or files\n' +
        '\nExamples:\n  docfeed report diff before/report.json after/report.json',
    )
    .action(async (before: string, after: string, { json }: { json?: true }) => {
      const { readReport } = await import('../read.js');
      const { diffReports } = await import('../diff.js');
      const { escapeInvisible, printableJson } = await import('../escape.js');
      const formatChange = ({ id, before, after, verdict }: Change): string =>
        `${verdict.padEnd(6)}  ${escapeInvisible(id)}: ${before} -> ${after}\n`;
      const changes = diffReports(await readReport(before), await readReport(after));
      process.stdout.write(json ? `${printableJson(changes, 2)}\n` : changes.map(formatChange).join(''));
      const worse = changes.filter(({ verdict }) => verdict === 'worse').length;
      if (worse > 0) {
        const message = `${worse} ${worse === 1 ? 'outcome' : 'outcomes'} got worse`;
        throw new CommanderError(1, 'docfeed.worse', message);
      }
    });
}

function mergeSubcommand(): Command {
  return new Command('merge')
    .description('merge the reports of all shards of one run (docfeed check --shard I/N)')
    .argument('<files...>', 'report.json of every shard')
    .requiredOption('--out <dir>', 'folder to write the merged report to')
    .option('--strict', 'fail if a check has the outcome warn')
    .addHelpText(
      'after',
      '\nExit codes: those of docfeed check for the whole run\n' +
        '\nExamples:\n  docfeed report merge shard-1/report.json shard-2/report.json --out docfeed-report/',
    )
    .action(async (files: string[], { out, strict }: { out: string; strict?: true }) => {
      const { readReport } = await import('../read.js');
      const { mergeReports } = await import('../merge.js');
      const shards = await Promise.all(
        files.map(async (file) => ({ name: file, report: await readReport(file) })),
      );
      const { writeReport } = await import('../write.js');
      const report = mergeReports(shards);
      await writeReport(report, out);
      await printSummary(report, out);
      process.exitCode = exitCode(report, strict);
    });
}

function matrixSubcommand(): Command {
  return new Command('matrix')
    .description('write an HTML page that compares several servers rule by rule')
    .argument('<files...>', 'report.json of every server')
    .requiredOption('--out <file>', 'HTML file to write')
    .addHelpText(
      'after',
      '\nExamples:\n  docfeed report matrix couchdb/report.json pouchdb/report.json --out matrix.html',
    )
    .action(async (files: string[], { out }: { out: string }) => {
      const { readReport } = await import('../read.js');
      const { renderMatrix } = await import('../render/matrix.js');
      const { writeOutputFile } = await import('../write.js');
      const columns = files.map(async (file) => {
        const page = join(dirname(file), 'report.html');
        const href = relative(dirname(out), page).split(sep).map(encodeURIComponent).join('/');
        return { report: await readReport(file), ...(existsSync(page) ? { href } : {}) };
      });
      await writeOutputFile(out, renderMatrix(await Promise.all(columns)));
    });
}

function badgeSubcommand(): Command {
  return new Command('badge')
    .description('write the data of a badge, which shields.io draws for the README of a server')
    .argument('<file>', 'report.json of the server')
    .requiredOption('--out <file>', 'JSON file to write')
    .addHelpText(
      'after',
      '\nExamples:\n  docfeed report badge docfeed-report/report.json --out docfeed-badge.json',
    )
    .action(async (file: string, { out }: { out: string }) => {
      const { readReport } = await import('../read.js');
      const { renderBadge } = await import('../render/badge.js');
      const { writeOutputFile } = await import('../write.js');
      await writeOutputFile(out, renderBadge(await readReport(file)));
    });
}

async function printSummary(report: Report, reportDir: string): Promise<void> {
  const { createReporters } = await import('../reporters/index.js');
  await createReporters([{ name: 'default' }], { verbose: true }).onRunEnd({
    report,
    reportDir,
    exitCode: exitCode(report),
    isReplay: false,
  });
}
