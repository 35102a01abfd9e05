/**
 * Groups violations that probably have one cause. The cause is found from what the checks report: the same unexpected
 * response, the same missing field, the same kind of difference, the same rule. It does not know any server.
 */
import { groupBy } from './group.js';
import { type CheckResult, type Counterexample, type RecordedExchange, violatingExchange } from './report.js';

export interface Cause {
  /** The check that shows the cause most directly. */
  readonly lead: CheckResult;
  /** The other checks that probably fail for the same cause. */
  readonly others: readonly CheckResult[];
  /** What all the checks have in common, if one phrase says it. */
  readonly shared?: string;
}

/** A violation with the parts of its evidence that causes are found from. */
interface Violation {
  readonly check: CheckResult;
  readonly counterexample: Counterexample;
  readonly exchange: RecordedExchange | undefined;
}

/** @returns the causes of the outcomes `fail` and `warn`: the cause of most violations comes first. */
export function findCauses(checks: readonly CheckResult[]): Cause[] {
  const violations = checks.flatMap((check): Violation[] => {
    const { outcome, counterexample = { message: check.reason ?? '', exchanges: [] } } = check;
    if (outcome !== 'fail' && outcome !== 'warn') return [];
    const exchange = violatingExchange(counterexample);
    return [{ check, counterexample, exchange }];
  });
  const { groups, rest } = groupByResponse(violations);
  return [...groups, ...groupByDifference(rest)]
    .map(({ shared, members }): Cause => {
      const [lead, ...others] = mostDirectFirst(members).map(({ check }) => check);
      return { lead: lead!, others, ...(others.length === 0 || shared === undefined ? {} : { shared }) };
    })
    .sort(
      (a, b) =>
        urgencyOf(a) - urgencyOf(b) ||
        b.others.length - a.others.length ||
        checks.indexOf(a.lead) - checks.indexOf(b.lead),
    );
}

const urgencyOf = ({ lead, others }: Cause): number =>
  [lead, ...others].some(({ outcome }) => outcome === 'fail') ? 0 : 1;

interface Group {
  readonly shared: string | undefined;
  readonly members: readonly Violation[];
}

/**
 * A response with an unexpected status or media type says more than what else is wrong with it, so it also explains
 * violations of other rules.
 */
function groupByResponse(violations: readonly Violation[]): { groups: Group[]; rest: Violation[] } {
  const refused = violations.filter(
    ({ counterexample, exchange }) =>
      counterexample.path === '$status' && (exchange?.response?.status ?? 0) >= 400,
  );
  const groups: Group[] = groupBy(refused, ({ exchange }) => describeRefusal(exchange!)).map(
    ([shared, members]) => ({ shared, members }),
  );
  let rest = violations.filter((violation) => !refused.includes(violation));
  for (const finding of violations.filter(isMediaTypeFinding)) {
    const wanted = finding.exchange && describeMediaType(finding.exchange);
    if (wanted === undefined || !rest.includes(finding)) continue;
    const explains = ({ counterexample }: Violation): boolean =>
      counterexample.exchanges.some((exchange) => describeMediaType(exchange) === wanted);
    groups.push({ shared: wanted, members: rest.filter(explains) });
    rest = rest.filter((violation) => !explains(violation));
  }
  return { groups, rest };
}

const isMediaTypeFinding = ({ counterexample: { path = '' } }: Violation): boolean =>
  /content-type/i.test(path);

/** Violations are related if one of these texts is equal. */
function groupByDifference(violations: readonly Violation[]): Group[] {
  const groups: { keys: Set<string>; members: Violation[] }[] = [];
  for (const violation of violations) {
    const keys = differencesOf(violation);
    const related = groups.filter((group) => keys.some((key) => group.keys.has(key)));
    const merged = {
      keys: new Set([...related.flatMap((group) => [...group.keys]), ...keys]),
      members: [...related.flatMap(({ members }) => members), violation],
    };
    groups.splice(0, groups.length, ...groups.filter((group) => !related.includes(group)), merged);
  }
  return groups.map(({ members }) => ({ shared: sharedDifference(members), members }));
}

/** The most specific description that violations have in common is the last one. */
function differencesOf({ check, counterexample, exchange }: Violation): string[] {
  const { message, path, expected, actual } = counterexample;
  return [
    // Other areas can expect the same, such as `nothing` for a caller who is not authenticated, for other causes.
    ...(path !== undefined && typeof expected === 'string' && expected.includes(' ')
      ? [`the expectation “${generalize(expected)}” for ${generalize(path)} (${check.area})`]
      : []),
    `the rule \`${check.rule}\``,
    `the observation “${generalize(message)}”`,
    ...(isRevision(expected) && isRevision(actual) ? ['another revision than the expected one'] : []),
    ...(path?.startsWith('$.') && actual === undefined && exchange
      ? [
          `no \`${path.slice(2).replaceAll(/\[\d+\]/g, '[*]')}\` in the response to ${describeRequest(exchange, ['feed'])}`,
        ]
      : []),
  ];
}

function sharedDifference(members: readonly Violation[]): string | undefined {
  const [first, ...others] = members.map(differencesOf);
  return first!.findLast((key) => others.every((keys) => keys.includes(key)));
}

/** Whether the value is a revision, a list of revisions, or a phrase that starts with one. */
function isRevision(value: unknown): boolean {
  const text = Array.isArray(value) ? (value as unknown[])[0] : value;
  return typeof text === 'string' && /^[1-9]\d*-[0-9a-f]{32}(,|$)/.test(text);
}

/** Replaces generated values, so that the same message about other values is equal. */
const generalize = (message: string): string =>
  message.replaceAll(/\{.*\}|\[.*\]|"[^"]*"|\d+/gs, '…').replaceAll(/\/docfeed\S*/g, '/…');

/** @returns the method and path without generated names, with the given parameters. */
function describeRequest(
  { request: { method, path } }: RecordedExchange,
  shownParameters: readonly string[],
): string {
  const [pathname = '', query = ''] = path.split('?');
  const parameters = [...new URLSearchParams(query)]
    .filter(([name]) => shownParameters.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  // GET and POST of the feed have the same meaning.
  const isFeed = pathname.endsWith('/_changes');
  const place = isFeed ? '/{db}/_changes' : `${method} ${pathname.replaceAll(/docfeed-[^/]+/g, '{name}')}`;
  return `\`${place}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}\``;
}

function describeRefusal(exchange: RecordedExchange): string {
  const { status, chunks } = exchange.response!;
  const body = chunks.map(({ text }) => text).join('');
  const error = /"error"\s*:\s*"([^"]{0,80})"/.exec(body)?.[1];
  const answer = [String(status), ...(error === undefined ? [] : [error])].join(' ');
  return `the response ${answer} to ${describeRequest(exchange, ['filter'])}`;
}

/** @returns `undefined` for a response that is an error or has no media type. */
function describeMediaType(exchange: RecordedExchange): string | undefined {
  const { status = 0, headers = {} } = exchange.response ?? {};
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return type === undefined || status >= 400
    ? undefined
    : `the media type ${type.split(';')[0]!} in the response to ${describeRequest(exchange, ['feed'])}`;
}

/** The evidence with the fewest exchanges needs the least explanation. The main check of a rule has no variant. */
function mostDirectFirst(members: readonly Violation[]): Violation[] {
  const distance = (violation: Violation): number =>
    isMediaTypeFinding(violation) ? 0 : violation.counterexample.exchanges.length || Infinity;
  const variants = ({ check }: Violation): number => check.id.split('/').length;
  return members.toSorted((a, b) => distance(a) - distance(b) || variants(a) - variants(b));
}
