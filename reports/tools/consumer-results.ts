/** The outcomes of real consumers: `consumers.json` in the published results, and `consumer-causes.json`, why they fail. */
import { renderEnvironment } from '../origin.js';
import { groupBy } from '../group.js';
import { escapeMarkdown } from '../render/markdown.js';
import { renderComparison } from '../render/matrix-markdown.js';
import type { CheckResult, Environment, Outcome } from '../report.js';

export interface ConsumerResult {
  readonly name: string;
  /** Empty if the consumer does not come from a package. */
  readonly version: string;
  /** Where the outcomes come from: several runs if scenarios were added later. */
  readonly environments: readonly Environment[];
  readonly checks: readonly Pick<CheckResult, 'id' | 'rule' | 'area' | 'outcome' | 'reason'>[];
  /** Ids of scenarios whose outcome is not published, whatever it is: it could disclose a defect that attackers can use. */
  readonly withheld?: readonly string[];
}

/** What one consumer does wrong, and the scenarios that it does not survive therefore. */
export interface ConsumerCause {
  readonly consumer: string;
  readonly cause: string;
  readonly scenarios: readonly string[];
  /** URL of a report that others have made of it. */
  readonly link?: string;
}

/**
 * @returns a table with a row for each scenario and a column for each consumer, and why they fail, in Markdown
 * @throws Error if a cause explains what does not fail
 */
export function renderConsumers(
  consumers: readonly ConsumerResult[],
  causes: readonly ConsumerCause[],
): string {
  for (const { consumer, scenarios } of causes) {
    const { checks = [] } = consumers.find(({ name }) => name === consumer) ?? {};
    const stale = scenarios.find((id) => !checks.some((check) => check.id === id && isFailed(check.outcome)));
    if (stale !== undefined) throw new Error(`${consumer} does not fail ${stale}, which has a cause`);
  }
  return [
    '## Consumers',
    'What real consumers of the feed do in the scenarios of `docfeed consumer`. `npm run results:consumers` runs them.',
    '✓ the consumer survives · ! it could do better · ✗ it does not · – it does not do what the scenario is about · ? undecided',
    renderComparison(
      consumers.map(({ name, version, checks }) => ({ name: `${name} ${version}`.trim(), checks })),
      'id',
    ),
    ...groupBy(
      consumers.filter(({ withheld }) => withheld),
      ({ withheld = [] }) => withheld.map((id) => `\`${id}\``).join(', '),
    ).map(
      ([ids, group]) =>
        `${group.map(({ name }) => name).join(', ')}: the outcomes of ${ids} are withheld, whatever they are, until all that they may disclose is public.`,
    ),
    ...groupBy(consumers, ({ environments }) => environments.map(renderEnvironment).join('; ')).map(
      ([madeBy, group]) => `${group.map(({ name }) => name).join(', ')}: made by ${madeBy}.`,
    ),
    '### Why consumers fail',
    ...consumers.flatMap(({ name, checks }) => describeFailures(name, checks, causes)),
  ].join('\n\n');
}

/** A `warn` is a recommendation that the consumer does not follow. */
const isFailed = (outcome: Outcome): boolean => outcome === 'fail' || outcome === 'warn';

function describeFailures(
  name: string,
  checks: ConsumerResult['checks'],
  causes: readonly ConsumerCause[],
): string[] {
  const own = causes.filter(({ consumer }) => consumer === name);
  const unexplained = checks.filter(
    ({ id, outcome }) => isFailed(outcome) && !own.some(({ scenarios }) => scenarios.includes(id)),
  );
  const items = [
    ...own,
    ...unexplained.map(({ id, reason = '' }) => ({
      cause: `Not explained yet: ${reason.split(':')[0]}.`,
      scenarios: [id],
      link: undefined,
    })),
  ].map(({ cause, scenarios, link }) => {
    const ids = scenarios.map((id) => `\`${id}\``).join(', ');
    return `- ${escapeMarkdown(cause)} (${ids}${link ? `; [report](${link})` : ''})`;
  });
  return items.length === 0 ? [] : [`#### ${name}`, items.join('\n')];
}
