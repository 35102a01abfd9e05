/** The outcomes of real consumers: `consumers.json` in the published results. */
import { renderTable, describeDeviations } from '../render/matrix-markdown.js';
import type { CheckResult } from '../report.js';

export interface ConsumerResult {
  readonly name: string;
  /** Empty if the consumer does not come from a package. */
  readonly version: string;
  readonly measuredAt: string;
  readonly checks: readonly Pick<CheckResult, 'id' | 'rule' | 'area' | 'outcome' | 'reason'>[];
}

/** @returns a table with a row for each scenario and a column for each consumer, and why they fail, in Markdown */
export function renderConsumers(consumers: readonly ConsumerResult[]): string {
  const columns = consumers.map(({ name, version, ...rest }) => ({
    name: `${name} ${version}`.trim(),
    ...rest,
  }));
  return [
    '## Consumers',
    'What real consumers of the feed do in the scenarios of `docfeed consumer`. `npm run results:consumers` runs them.',
    '✓ the consumer survives · known: it does not, for a reason below · – the consumer does not do what the scenario is about · ✗ it does not survive · ? undecided',
    renderTable(columns, 'id'),
    '### Why consumers fail',
    ...columns.flatMap(({ name, checks }) => describeDeviations(name, checks)),
  ].join('\n\n');
}
