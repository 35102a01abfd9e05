/** Recorded requests as curl commands for a shell. */
import {
  bodyOf,
  type CheckResult,
  type Counterexample,
  type RecordedExchange,
  type Report,
} from '../report.js';
import { escapeInJson, escapeInvisible } from '../escape.js';
import { parseJson } from '../read-json.js';
import { describeDifference, formatSettings, quote, shorten } from './text.js';

/** How much of a response a comment shows, in characters. */
const shown = { response: 200, violation: 4000 };

/** What a command needs to know of a report. */
interface Addressed {
  readonly target: Pick<Report['target'], 'url'>;
  readonly suite?: Pick<Report['suite'], 'traffic'>;
}

/** @returns the command that sends the request again. It reads the administrator from `DOCFEED_ADMIN`. */
export function curlCommand({ target }: Addressed, { request, response, time }: RecordedExchange): string {
  const { method, path, url, headers, body, truncated, as, node = 0 } = request;
  const { origin } = rootOf(target, node);
  const isOpen = response === undefined || response.unfinished === true;
  const seconds = Math.ceil(((time?.endMs ?? 1000) - (time?.startMs ?? 0)) / 1000) + 1;
  const words = [
    'curl -i',
    // Without -N, curl shows the rows of an open feed late.
    ...(isOpen ? [`-N --max-time ${seconds}`] : []),
    ...(as === 'admin' ? ['-u "$DOCFEED_ADMIN"'] : []),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...Object.entries(headers)
      .filter(([name]) => !(as === 'admin' && name.toLowerCase() === 'authorization'))
      // curl sends this one anyway.
      .filter(([name, value]) => !(name.toLowerCase() === 'accept' && value === '*/*'))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${truncated ? '@BODY' : quoteBody(body)}`]),
    quote(url ?? origin + path),
    ...(truncated ? ['# BODY: a file with the whole body, of which the report has only the beginning'] : []),
  ];
  return escapeInvisible(words.join(' '), '\n');
}

/** The names of everything that a run creates begin so, and it removes all that when it ends. */
const ownName = 'docfeed-';

/**
 * @returns the command that sends the request again; before it, if the request is about a database of the run, the
 * command that makes this database again. The documents that it held are missing.
 */
export function curlFromScratch(report: Addressed, exchange: RecordedExchange): string[] {
  const { method, path, as, node = 0 } = exchange.request;
  const { origin, base } = rootOf(report.target, node);
  const [name = ''] = path.slice(base.length).split(/[/?]/);
  const database = base + name;
  const command = curlCommand(report, exchange);
  const isMissing =
    !report.suite?.traffic &&
    path.startsWith(base) &&
    name.startsWith(ownName) &&
    !(method === 'PUT' && path === database);
  if (!isMissing) return [command];
  const credentials = as === 'admin' ? '-u "$DOCFEED_ADMIN" ' : '';
  const remark = 'The run has removed this database, with its documents.';
  return [`curl -X PUT ${credentials}${quote(escapeInvisible(origin + database))} # ${remark}`, command];
}

/** The origin of a node, and the path below which its databases are. */
function rootOf({ url }: Addressed['target'], node: number): { origin: string; base: string } {
  const address = url.split(' ')[node] ?? url;
  if (!URL.canParse(address)) return { origin: address, base: '/' };
  const { origin, pathname } = new URL(address);
  return { origin, base: pathname.replace(/\/?$/, '/') };
}

const quoteBody = (body: string): string => quote(parseJson(body) === undefined ? body : escapeInJson(body));

/**
 * @returns the commands that send all recorded requests again, in order, with the rule, the recorded responses and the
 * difference as comments, for a bug report; `undefined` if there are no requests. The commands decide nothing:
 * `--replay` does.
 */
export function curlCommands(report: Report, check: CheckResult): string | undefined {
  const { counterexample, id, level, statement } = check;
  if (!counterexample || counterexample.exchanges.length === 0) return undefined;
  const { exchanges, message, omitted = 0 } = counterexample;
  const settings = formatSettings(check);
  const head = [
    `${id} (${level}): ${statement ?? message}`,
    ...(exchanges.some(isByAdmin) ? ['First: export DOCFEED_ADMIN=name:password'] : []),
    ...(settings === undefined ? [] : [`The server has these settings: ${settings}`]),
    ...(omitted === 0 ? [] : [describeOmitted(omitted)]),
  ];
  return `${[head.map(comment).join('\n'), ...curlSteps(report, counterexample)].join('\n\n')}\n`;
}

/** Whether the request needs `DOCFEED_ADMIN` when a command sends it again. */
export const isByAdmin = ({ request }: RecordedExchange): boolean => request.as === 'admin';

export const describeOmitted = (omitted: number): string =>
  `The report does not have the ${omitted} requests before these.`;

/** @returns for each recorded request the command that sends it again, and what came as comments */
export function curlSteps(report: Addressed, counterexample: Counterexample): string[] {
  const { exchanges, message, violating } = counterexample;
  return exchanges.map((exchange, index) => {
    const isViolation = index === violating;
    return [
      curlCommand(report, exchange),
      comment(formatResponse(exchange, isViolation ? shown.violation : shown.response)),
      ...(isViolation ? [comment(`${message}.`), ...describeDifference(counterexample).map(comment)] : []),
    ].join('\n');
  });
}

/** @returns the commands that send the request again, and the response, as label and one-line text */
export function describeExchange(
  report: Addressed,
  exchange: RecordedExchange,
): [label: string, text: string][] {
  const commands = curlFromScratch(report, exchange);
  return [
    ...commands.map((command, index): [string, string] => [
      index === commands.length - 1 ? 'request' : 'first',
      command,
    ]),
    ['answer', formatResponse(exchange)],
  ];
}

/** @returns status and body on one line, cut after `limit` characters */
export function formatResponse(exchange: RecordedExchange, limit = 600): string {
  const { response } = exchange;
  return response ? shorten(`${response.status} ${bodyOf(exchange).trim()}`, limit) : 'no response';
}

const comment = (text: string): string => `# ${escapeInvisible(text)}`;
