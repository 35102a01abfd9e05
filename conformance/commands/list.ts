/** `docfeed check --list`: the selected checks. */
import { checks } from '../areas/checks.js';
import { type Selection, select } from '../engine/select.js';
import { ruleOf } from '../target/check.js';

/** One line per check, or a JSON array with the needed capabilities as well. */
export function formatList(selection: Selection, json: boolean): string {
  const entries = select(checks, selection).map((check) => {
    const { id: rule, level, statement, since, needs } = ruleOf(check);
    return {
      check: check.id,
      rule,
      level,
      since,
      needs: [...new Set([...needs, ...check.needs])],
      statement,
    };
  });
  if (json) return `${JSON.stringify(entries, null, 2)}\n`;
  const width = Math.max(...entries.map(({ check }) => check.length));
  return entries
    .map(({ check, level, statement }) => `${check.padEnd(width)}  ${level.padEnd(6)}  ${statement}\n`)
    .join('');
}
