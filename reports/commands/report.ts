import { Command, CommanderError } from 'commander';
import { diffReports } from '../diff.js';
import { mergeReports } from '../merge.js';
import { renderMatrix } from '../render/matrix.js';
import { renderTerminal } from '../render/terminal.js';
import { readReport } from '../read.js';
import { exitCode } from '../report.js';
import { writeReport, writeWhole } from '../write.js';

/** `docfeed report render|diff|merge|matrix`: works on report files, needs no target. */
export function reportCommand(): Command {
  return new Command('report')
    .description('work on report files')
    .addCommand(
      new Command('render')
        .description('write the HTML, JUnit and Markdown files of a report')
        .argument('<file>', 'a report.json')
        .requiredOption('--out <dir>', 'where to write them')
        .action(async (file: string, { out }: { out: string }) => {
          await writing(out, writeReport(await readReport(file), out));
        }),
    )
    .addCommand(
      new Command('diff')
        .description('show the checks whose outcome changed; exit 1 when one got worse')
        .argument('<before>', 'a report.json')
        .argument('<after>', 'a report.json')
        .option('--json', 'print the changes as JSON')
        .action(async (before: string, after: string, { json }: { json?: boolean }) => {
          const changes = diffReports(await readReport(before), await readReport(after));
          if (json) process.stdout.write(`${JSON.stringify(changes, null, 2)}\n`);
          else if (changes.length === 0) process.stdout.write('no check changed its outcome\n');
          else
            for (const { id, from, to, worse } of changes)
              process.stdout.write(`${worse ? 'worse ' : 'better'}  ${id}: ${from} -> ${to}\n`);
          if (changes.some((change) => change.worse)) process.exitCode = 1;
        }),
    )
    .addCommand(
      new Command('merge')
        .description('join the reports of the shards of one run; exits as docfeed check does')
        .argument('<files...>', 'report.json of each shard')
        .requiredOption('--out <dir>', 'where to write the joined report')
        .option('--strict', 'a warning is a failure')
        .action(async (files: string[], { out, strict }: { out: string; strict?: boolean }) => {
          const report = mergeReports(await Promise.all(files.map(readReport)));
          await writing(out, writeReport(report, out));
          process.stdout.write(
            renderTerminal(report, { colour: process.stdout.isTTY === true, reportDir: out }),
          );
          process.exitCode = exitCode(report, strict);
        }),
    )
    .addCommand(
      new Command('matrix')
        .description('set several servers side by side, rule by rule')
        .argument('<files...>', 'a report.json of each server')
        .requiredOption('--out <file>', 'the HTML file to write')
        .action(async (files: string[], { out }: { out: string }) => {
          await writing(out, writeWhole(out, renderMatrix(await Promise.all(files.map(readReport)))));
        }),
    );
}

async function writing(out: string, write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    throw new CommanderError(2, 'docfeed.report', `cannot write ${out}: ${(error as Error).message}`);
  }
}
