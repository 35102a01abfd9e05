/** `docfeed check --explain RULE`: the last results of a rule, from the reports on disk. */
import { findCauses } from '../../reports/causes.js';
import { readLastResults } from '../../reports/last-results.js';
import { mostUrgentFirst } from '../../reports/outcomes.js';
import { renderExplanation } from '../../reports/render/explain.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { checks } from '../rules/checks.js';
import { allScenarios } from '../consumer/scenarios.js';
import { Refusal } from '../engine/refusal.js';
import { suggestion } from '../../reports/suggestion.js';

/**
 * @param name id of a rule, of a check, or of a scenario for consumers
 * @throws Refusal if the name does not exist, or no report has a result of it.
 */
export async function explain(name: string, reportDir: string): Promise<string> {
  const names = [...new Set([...checks, ...allScenarios].flatMap(({ id, rule }) => [id, rule]))];
  if (!names.includes(name)) {
    throw new Refusal('usage', `--explain ${name} is not a rule or check${suggestion(name, names)}`);
  }
  const { stdout } = process;
  const colour = showsColour(stdout);
  const last = [...((await readLastResults(reportDir, { includesUndecided: true }))?.values() ?? [])];
  const results = last.filter(({ result }) => result.rule === name || result.id === name);
  if (results.length === 0) throw new Refusal('file', `no report in ${reportDir} has a result of ${name}`);
  // A rule can have a check with the same id and others. The check that shows the cause most directly explains it.
  const [cause] = findCauses(results.map(({ result }) => result));
  const [urgent, ...others] = mostUrgentFirst(results.map(({ result }) => result));
  const result = cause?.lead ?? urgent!;
  const { report, folder } = results.find((one) => one.result === result)!;
  const explanation = renderExplanation(report, result, {
    colour,
    columns: stdout.columns,
    reportDir: folder,
  });
  if (others.length === 0) return explanation;
  const rest = [urgent!, ...others].filter((one) => one !== result);
  const lines = rest.map((one) => `  ${renderOutcomeLine(one, colour).trimEnd()}\n`);
  return `${explanation}\nOther checks of the rule\n${lines.join('')}`;
}
