/** `docfeed report render|diff|merge|matrix`: works on report files and needs no target. */
import { Command, CommanderError } from 'commander';
import { type Change, diffReports } from '../diff.js';
import { mergeReports } from '../merge.js';
import { readReport } from '../read.js';
import { renderMatrix } from '../render/matrix.js';
import { renderTerminal, showsColour } from '../render/terminal.js';
import { printable } from '../render/text.js';
import { exitCode } from '../report.js';

export function reportCommand(): Command {
  return new Command('report')
    .description('render, compare and join the reports of runs')
    .addCommand(renderSubcommand())
    .addCommand(diffSubcommand())
    .addCommand(mergeSubcommand())
    .addCommand(matrixSubcommand());
}

function renderSubcommand(): Command {
  return new Command('render')
    .description('write report.html, junit.xml and summary.md of a report')
    .argument('<file>', 'a report.json')
    .requiredOption('--out <dir>', 'folder for the files')
    .action(async (file: string, { out }: { out: string }) => {
      const { writeReport } = await import('../write.js');
      await writeReport(await readReport(file), out);
    });
}

function diffSubcommand(): Command {
  return new Command('diff')
    .description('list the checks whose outcome changed')
    .argument('<before>', 'a report.json')
    .argument('<after>', 'a report.json')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', '\nExit codes: 0 nothing got worse, 1 something did, 2 a file is wrong.')
    .action(async (before: string, after: string, { json }: { json?: true }) => {
      const changes = diffReports(await readReport(before), await readReport(after));
      process.stdout.write(json ? `${JSON.stringify(changes, null, 2)}\n` : changes.map(line).join(''));
      const worse = changes.filter(({ verdict }) => verdict === 'worse').length;
      if (worse > 0) throw new CommanderError(1, 'docfeed.worse', `${worse} of the outcomes got worse`);
    });
}

function mergeSubcommand(): Command {
  return new Command('merge')
    .description('join the reports of all shards of one run')
    .argument('<files...>', 'the report.json of every shard')
    .requiredOption('--out <dir>', 'folder for the files of the joined report')
    .option('--strict', 'a warning fails the run')
    .addHelpText('after', '\nExit codes are those of the whole run, as docfeed check has them.')
    .action(async (files: string[], { out, strict }: { out: string; strict?: true }) => {
      const shards = await Promise.all(
        files.map(async (file) => ({ name: file, report: await readReport(file) })),
      );
      const { writeReport } = await import('../write.js');
      const report = await writeReport(mergeReports(shards), out);
      const colour = showsColour(process.stdout);
      process.stdout.write(renderTerminal(report, { colour, reportDir: out }));
      process.exitCode = exitCode(report, strict);
    });
}

function matrixSubcommand(): Command {
  return new Command('matrix')
    .description('set the reports of several servers side by side, rule by rule')
    .argument('<files...>', 'the report.json of every server')
    .requiredOption('--out <file>', 'the HTML file to write')
    .action(async (files: string[], { out }: { out: string }) => {
      const { writeWhole } = await import('../write.js');
      await writeWhole(out, renderMatrix(await Promise.all(files.map(readReport))));
    });
}

function line({ id, before, after, verdict }: Change): string {
  const label = { worse: 'worse ', better: 'better', other: 'other ' }[verdict];
  return `${label}  ${printable(id)}: ${before} -> ${after}\n`;
}
