/** `docfeed check --list`: the selected checks. */
import { checks } from '../rules/checks.js';
import { type Selection, select } from '../engine/select.js';
import { ruleOf } from '../session/scope/rule-checks.js';

/** How much of a statement a line shows, in characters. */
const titleLength = 90;

/** One line per check with a title of its rule, or a JSON array with the whole statement and the needed capabilities. */
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
    .map(
      ({ check, level, statement }) => `${check.padEnd(width)}  ${level.padEnd(6)}  ${titleOf(statement)}\n`,
    )
    .join('');
}

/** The first sentence of a statement, or as many whole words of it as one line shows. */
function titleOf(statement: string): string {
  const [sentence] = statement.split(/(?<=\.) /, 1) as [string];
  if (sentence.length <= titleLength) return sentence;
  const words = sentence.slice(0, titleLength).replace(/[,;:]? \S*$/, '');
  return `${words} …`;
}
