/** `npm run abuse`: attacks a reference server, and measures how long other clients wait meanwhile. */
import { Command } from 'commander';
import picomatch from 'picomatch';
import { wrongUsage } from '../../commands/arguments.js';
import { markdownTable, runTool } from '../command-line.js';
import { quantileOf, runScenario, targetMs, type ScenarioResult } from './run-scenario.js';
import { scenarios } from './scenarios.js';

const program = new Command('abuse')
  .description(
    'attack reference servers, and measure the latency of other clients. Exits with 1 if, in two runs, a server does not ' +
      `react as it should, or the p99 of \`GET /\` or of a PUT grows by more than ${targetMs} ms.`,
  )
  .option('--only <glob>', 'run only matching scenarios', '*')
  .option('--short', 'use smaller sizes and shorter times')
  .action(run);

await runTool(program);

async function run({ only, short = false }: { only: string; short?: boolean }): Promise<void> {
  const selected = scenarios.filter(({ name }) => picomatch.isMatch(name, only));
  if (selected.length === 0) throw wrongUsage(`no scenario matches ${only}`);
  const results: ScenarioResult[] = [];
  for (const scenario of selected) {
    process.stderr.write(`${scenario.name} ... `);
    let result = await runScenario(scenario, short);
    // Other processes can spoil one run, but hardly two.
    if (result.problems.length > 0) {
      process.stderr.write(`${result.problems.join('; ')}; again ... `);
      result = await runScenario(scenario, short);
    }
    results.push(result);
    process.stderr.write(`${result.problems.join('; ') || 'ok'}\n`);
  }
  process.stdout.write(await table(results));
  if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}

async function table(results: readonly ScenarioResult[]): Promise<string> {
  const head = [
    'scenario',
    'request',
    'p50 / p99 / max without attack',
    'with attack, ms',
    'outcome',
    'problems',
  ];
  const rows = results.flatMap(({ scenario, calm, attacked, outcome, problems }) => [
    [
      scenario,
      '`GET /`',
      formatLatencies(calm.get),
      formatLatencies(attacked.get),
      outcome,
      problems.join('; '),
    ],
    ['', 'PUT', formatLatencies(calm.put), formatLatencies(attacked.put), '', ''],
  ]);
  return markdownTable(head, rows);
}

function formatLatencies(samples: readonly number[]): string {
  return [0.5, 0.99, 1].map((share) => quantileOf(samples, share).toFixed(0)).join(' / ');
}
