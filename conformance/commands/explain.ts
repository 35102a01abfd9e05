/** `docfeed check --explain RULE`: the last failure of a rule, from the reports on disk. */
import { findCauses } from '../../reports/causes.js';
import { readLastResults } from '../../reports/last-results.js';
import { renderExplanation } from '../../reports/render/explain.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { checks } from '../areas/checks.js';
import { Refusal } from '../engine/refusal.js';
import { suggestion } from '../engine/suggestion.js';

/**
 * @param name id of a rule or of a check
 * @throws Refusal if the name does not exist, or no report has a result of it.
 */
export async function explain(name: string, reportDir: string): Promise<string> {
  const names = [...new Set(checks.flatMap(({ id, rule }) => [id, rule]))];
  if (!names.includes(name)) {
    throw new Refusal('usage', `--explain ${name} is not a rule or check${suggestion(name, names)}`);
  }
  const { stdout } = process;
  const colour = showsColour(stdout);
  const last = [...((await readLastResults(reportDir))?.values() ?? [])];
  const results = last.filter(({ result }) => result.rule === name || result.id === name);
  if (results.length === 0) throw new Refusal('file', `no report in ${reportDir} has a result of ${name}`);
  // A rule can have a check with the same id and others. The check that shows the cause most directly explains it.
  const [cause] = findCauses(results.map(({ result }) => result));
  const failed = results.filter(({ result }) => ['fail', 'warn', 'known'].includes(result.outcome));
  const shown = results.find(({ result }) => result === cause?.lead) ?? failed[0];
  if (!shown) return results.map(({ result }) => `${renderOutcomeLine(result, colour).trimEnd()}\n`).join('');
  const { report, result, folder } = shown;
  const others = failed.filter((one) => one !== shown).map((one) => one.result.id);
  return (
    renderExplanation(report, result, {
      colour,
      columns: stdout.isTTY ? stdout.columns : undefined,
      reportDir: folder,
    }) + (others.length === 0 ? '' : `\nAlso failing: ${others.join(', ')}\n`)
  );
}
