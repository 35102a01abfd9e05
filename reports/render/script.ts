/** A counterexample as a shell script that shows it by itself. */
import { quote } from 'shlex';
import type { CheckResult, Counterexample, RecordedExchange, Report } from '../report.js';
import { functions, programs } from './script-parts.js';
import { expectation, inline, printable, replayCommand, settingsText } from './text.js';

/** A script and the path of its file beside the report, or why there is none. */
export type Script = { readonly file: string; readonly text: string } | { readonly none: string };

/**
 * The script of a check that has a counterexample: it sends the recorded requests again, in a database of its own and
 * with what the responses give now, and exits with 1 when each response says what the recorded one said. That shows the
 * violation, since the verdict follows from the responses. It exits with 0 as soon as one differs.
 */
export function scriptOf(report: Report, check: CheckResult): Script | undefined {
  if (!check.counterexample) return undefined;
  const none = obstacle(report, check, check.counterexample);
  if (none !== undefined) return { none };
  const steps = new Steps(report.target.url.split(' '));
  try {
    for (const exchange of check.counterexample.exchanges) steps.add(exchange);
  } catch (error) {
    if (error instanceof NotRepeatable) return { none: error.message };
    throw error;
  }
  return { file: `scripts/${check.id.replace(/[^\w-]+/g, '.')}.sh`, text: written(report, check, steps) };
}

/** A request that cannot be sent again. */
class NotRepeatable extends Error {}

/** Why requests one after the other would not show what was recorded. */
function obstacle(
  { target: { provided = [] } }: Report,
  check: CheckResult,
  { exchanges, omitted = 0 }: Counterexample,
): string | undefined {
  const settings = settingsText(check);
  if (settings !== undefined) return `The check judges under settings of its own: ${settings}.`;
  if (exchanges.length === 0) return 'No exchange was recorded.';
  if (provided.includes(handlers) && exchanges.some(asksWho)) {
    return `The run had set ${handlers}, on which the answers hang.`;
  }
  const isCut = ({ request, response }: RecordedExchange): boolean =>
    request.truncated === true || response?.truncated === true;
  if (omitted > 0) return 'What was exchanged before is not in the evidence.';
  if (exchanges.some(isCut)) return 'A body in the evidence is not whole.';
  const isLive = ({ request, response }: RecordedExchange): boolean =>
    !response || response.unfinished === true || /[?&]feed=(?!normal(&|$))/.test(request.path);
  if (exchanges.some(isLive)) return 'The verdict is about a response in time, not about its content alone.';
  const areBeside = exchanges.some(
    (one, index) =>
      isWrite(one) && exchanges.some((other, place) => place !== index && areAtOnce(one, other)),
  );
  return areBeside
    ? 'Requests were under way beside a write, in an order that nobody can repeat.'
    : undefined;
}

/** The list of what tells the target who asks. */
const handlers = 'chttpd/authentication_handlers';
const asksWho = ({ request: { path } }: RecordedExchange): boolean => /\/_session(\?|$)/.test(path);

const isWrite = ({ request: { method, path } }: RecordedExchange): boolean =>
  !(method === 'GET' || method === 'HEAD' || (method === 'POST' && /\/_changes(\?|$)/.test(path)));

function areAtOnce({ time: one }: RecordedExchange, { time: other }: RecordedExchange): boolean {
  return one !== undefined && other !== undefined && one.startMs < other.endMs && other.startMs < one.endMs;
}

/** A part of a word of the shell: text as it is, or the name of a variable. */
type Piece = string | { readonly variable: string };

/** As names, passwords and the like hold it: the run, then a number. */
const runName = /docfeed-([0-9a-f]{8})-\d+/;
const redacted = '[redacted';
/** Sequences as they come back in requests. */
const sinceParameter = /^(since|last-event-id)=(.*)$/s;
const hashes = /\b[0-9a-f]{32}\b/g;

/** Makes the commands of the script, request by request. */
class Steps {
  readonly lines: string[] = [];
  /** The digits in the names of the recorded run. */
  run = '';
  /** Revisions that the requests give, with which those of the responses are compared as they are. */
  readonly sent = new Set<string>();
  needsAdmin = false;
  /** Paths below the base URL, as words of the shell. */
  readonly databases = new Set<string>();
  readonly users = new Set<string>();

  readonly #prefixes: readonly string[];
  readonly #made = new Set<string>();
  readonly #literals = new Set<string>();
  /** Where hashes of revisions, sequences and cookies were seen first, as commands that take them from there. */
  readonly #hashes = new Map<string, string>();
  readonly #sequences = new Map<string, string>();
  readonly #cookies = new Map<string, string>();
  /** By the command that gives their value. */
  readonly #variables = new Map<string, string>();

  constructor(urls: readonly string[]) {
    this.#prefixes = urls.map((url) => new URL(url).pathname.replace(/\/$/, ''));
  }

  add({ request, response }: RecordedExchange): void {
    const step = this.lines.length + 1;
    const path = request.path.slice(this.#prefixes[request.node ?? 0]?.length);
    this.run ||= runName.exec(`${path} ${request.body ?? ''}`)?.[1] ?? '';
    this.#mustBeMade(request.method, path);

    const before = this.#variables.size;
    const text = `${request.method} ${path}`;
    const url = [{ variable: request.node ? `url_${request.node + 1}` : 'url' }, ...this.#path(path)];
    const words = [
      ...(request.as === 'admin' ? ['-K "$admin"'] : []),
      ...(request.method === 'HEAD' ? ['--head'] : [`-X ${quote(request.method)}`]),
      ...Object.entries(request.headers).flatMap(([name, value]) => this.#header(request, name, value)),
      ...(request.body === undefined ? [] : [`--data-raw ${word(this.#text(request.body))}`]),
      // What curl would say of the body by itself.
      ...(request.body !== undefined && !('content-type' in request.headers) ? ["-H 'content-type:'"] : []),
      word(url),
    ];
    if (request.as === 'admin') this.needsAdmin = true;
    const assignments = [...this.#variables]
      .slice(before)
      .map(([command, name]) => `${name}=$(${command})\n`);
    const title = word(this.#pieces(printable(text)));
    this.lines.push(
      `${assignments.join('')}send ${step} ${title} \\\n  ${words.join(' \\\n  ')}\n` +
        `compare <<'RECORDED'\n${JSON.stringify(asReceived(response!))}\nRECORDED\n`,
    );
    this.#learn(step, response!);
  }

  /** A database that the evidence does not show being made is not there when the script runs. */
  #mustBeMade(method: string, path: string): void {
    const [, name, rest] = /^\/(docfeed-[0-9a-f]{8}-\d+)(\/?)/.exec(path) ?? [];
    if (name !== undefined) {
      if (method === 'PUT' && rest === '') {
        this.#made.add(name);
        this.databases.add(word(this.#pieces(`/${name}`)));
      } else if (!this.#made.has(name)) {
        throw new NotRepeatable('The evidence does not show how the database came to be as it is.');
      }
    }
    if (method === 'PUT' && path.startsWith('/_users/')) {
      this.users.add(word(this.#pieces(path.replace(/\?.*/s, ''))));
    }
  }

  #path(path: string): Piece[] {
    const [place, query] = [path.replace(/\?.*/s, ''), /\?(.*)/s.exec(path)?.[1]];
    const parameters = query?.split('&').flatMap((parameter, index): Piece[] => {
      const [, name, value] = sinceParameter.exec(parameter) ?? [];
      const source = value === undefined ? undefined : this.#sequences.get(decodeURIComponent(value));
      const pieces: Piece[] =
        source === undefined
          ? this.#text(parameter)
          : [`${name}=`, this.#variable('since', `${source.replace(/'$/, '')} | tostring | @uri'`)];
      return [index === 0 ? '?' : '&', ...pieces];
    });
    return [...this.#text(place), ...(parameters ?? [])];
  }

  #header({ as }: RecordedExchange['request'], name: string, value: string): string[] {
    if (name === 'authorization' && as === 'admin') return [];
    if (name === 'authorization' && value.startsWith('Basic ')) return [this.#basic(value)];
    if (value === '') return [`-H ${quote(`${name};`)}`];
    const cookie = /\[redacted \w+\]/.exec(value)?.[0];
    const source = cookie === undefined ? undefined : this.#cookies.get(cookie);
    if (source === undefined) return [`-H ${word([`${name}: `, ...this.#text(value)])}`];
    const [start, end] = value.split(cookie!) as [string, string];
    return [
      `-H ${word([`${name}: `, ...this.#text(start), this.#variable('cookie', source), ...this.#text(end)])}`,
    ];
  }

  /** Credentials of a user that the run has made up. Those of this run have other names. */
  #basic(value: string): string {
    const token = value.slice('Basic '.length);
    const credentials = Buffer.from(token, 'base64').toString('utf8');
    const isWhole = Buffer.from(credentials, 'utf8').toString('base64') === token;
    if (isWhole && token !== '') {
      const variable = this.#variable('basic', `encoded ${word(this.#text(credentials))}`);
      return `-H ${word(['authorization: Basic ', variable])}`;
    }
    if (runName.test(credentials) || runName.test(token))
      throw new NotRepeatable('The credentials of a request are malformed.');
    return `-H ${word([`authorization: `, ...this.#text(value)])}`;
  }

  /** A text of a request, in which revisions that the target has chosen are those of now. */
  #text(text: string): Piece[] {
    if (text.includes(redacted)) {
      throw new NotRepeatable('A request holds a secret, which is not recorded.');
    }
    for (const [hash] of text.matchAll(hashes)) if (!this.#hashes.has(hash)) this.#literals.add(hash);
    for (const [rev] of text.matchAll(/\b[1-9]\d*-[0-9a-f]{32}\b/g)) {
      if (this.#literals.has(rev.slice(rev.indexOf('-') + 1))) this.sent.add(rev);
    }
    const known = [...text.matchAll(hashes)].filter(([hash]) => !this.#literals.has(hash));
    let end = 0;
    const pieces = known.flatMap(({ 0: hash, index }): Piece[] => {
      const before = this.#pieces(text.slice(end, index));
      end = index + hash.length;
      return [...before, this.#variable('hash', this.#hashes.get(hash)!)];
    });
    return [...pieces, ...this.#pieces(text.slice(end))];
  }

  /** A text in which the names of the run are those of now. */
  #pieces(text: string): Piece[] {
    if (this.run === '') return [text];
    // In any case: a password may be sent in capitals, to see whether that is refused.
    return text
      .split(new RegExp(`(?<=-)${this.run}(?=-\\d)`, 'i'))
      .flatMap((part, index): Piece[] => (index === 0 ? [part] : [{ variable: 'run' }, part]));
  }

  #variable(kind: string, command: string): Piece {
    const name = this.#variables.get(command) ?? `${kind}_${this.#variables.size + 1}`;
    this.#variables.set(command, name);
    return { variable: name };
  }

  #learn(step: number, response: NonNullable<RecordedExchange['response']>): void {
    for (const cookie of asReceived(response).cookies) {
      const mark = /^AuthSession=(\[redacted \w+\])/.exec(cookie)?.[1];
      if (mark !== undefined) this.#cookies.set(mark, `cookie_from ${step}`);
    }
    let body: unknown;
    try {
      body = JSON.parse(textOf(response));
    } catch {
      return;
    }
    for (const [path, value] of leaves(body)) {
      const hash = typeof value === 'string' ? /^[1-9]\d*-([0-9a-f]{32})$/.exec(value)?.[1] : undefined;
      if (hash !== undefined && !this.#hashes.has(hash) && !this.#literals.has(hash)) {
        this.#hashes.set(hash, `taken ${step} ${quote(`${path} | split("-")[1]`)}`);
      }
    }
    for (const [path, value] of sequencesIn(body)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      this.#sequences.set(text, `taken ${step} '${path}'`);
    }
  }
}

/** One word of the shell. */
function word(pieces: readonly Piece[]): string {
  const parts = pieces.reduce<Piece[]>((before, piece) => {
    const last = before.at(-1);
    if (typeof piece !== 'string' || typeof last !== 'string') return [...before, piece];
    return [...before.slice(0, -1), last + piece];
  }, []);
  const shown = parts.map((part) => {
    if (typeof part !== 'string') return `"$${part.variable}"`;
    return part === '' ? '' : quote(part);
  });
  return shown.join('') || "''";
}

/** Every value in a JSON text that is neither array nor object, with its path in jq. */
function* leaves(value: unknown, path = '.'): Generator<[path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, value];
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `[${JSON.stringify(key)}]`;
    yield* leaves(member, path + step);
  }
}

function sequencesIn(body: unknown): [path: string, value: unknown][] {
  const { results, last_seq: last } = (body ?? {}) as { results?: unknown; last_seq?: unknown };
  const rows = Array.isArray(results) ? (results as unknown[]) : [];
  const all = [
    ...rows.map((row, index) => [`.results[${index}].seq`, (row as { seq?: unknown } | null)?.seq] as const),
    ['.last_seq', last] as const,
  ];
  return all.flatMap(([path, value]) => (value === undefined || value === null ? [] : [[path, value]]));
}

const textOf = ({ chunks }: NonNullable<RecordedExchange['response']>): string =>
  chunks.map(({ text }) => text).join('');

/** In the form that the script gives to a response that it gets. */
function asReceived(response: NonNullable<RecordedExchange['response']>) {
  const header = (wanted: string): string =>
    Object.entries(response.headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  return {
    status: response.status,
    type: header('content-type'),
    cookies: header('set-cookie')
      .split('\n')
      .filter((cookie) => cookie !== ''),
    text: textOf(response),
  };
}

function written(report: Report, check: CheckResult, steps: Steps): string {
  const found = check.counterexample!;
  const urls = report.target.url.split(' ').map((url) => url.replace(/\/$/, ''));
  const names = urls.map((_, node) => (node === 0 ? 'url' : `url_${node + 1}`));
  const verdict = [
    `${found.message}.`,
    ...(found.path === undefined ? [] : [`at       ${found.path}`]),
    ...('expected' in found ? [`expected ${expectation(found.expected)}`] : []),
    ...(found.path === undefined ? [] : [`actual   ${inline(found.actual)}`]),
  ].map((line) => printable(line));
  const usage = `Usage: ${steps.needsAdmin ? 'DOCFEED_ADMIN=name:password ' : ''}$0 [URL]${' [URL]'.repeat(urls.length - 1)}`;
  return `#!/usr/bin/env bash
# ${printable(check.id)} (${check.level}): ${verdict[0]}
#
# Sends the requests that showed it, and compares the responses with those that were recorded.
# Exit codes: 1 the violation shows, 0 a response is another one, 2 the script cannot tell.${
    check.replay === undefined ? '' : `\n# As a run of its own: ${replayCommand(report, check.replay)}`
  }
# shellcheck disable=SC2016,SC2317
set -euo pipefail

if [ $# -gt ${urls.length} ] || [[ "\${1:-}" = -* ]]; then
  echo ${quote(usage).replace('$0', `'"$0"'`)} >&2
  exit 2
fi
for tool in curl jq; do
  if ! command -v "$tool" >/dev/null; then
    echo "This script needs $tool." >&2
    exit 2
  fi
done
${urls.map((url, node) => `${names[node]}=\${${node + 1}:-${quote(url)}}\n${names[node]}=\${${names[node]}%/}\n`).join('')}DOCFEED_ADMIN=\${DOCFEED_ADMIN:-}

# Names of this run: digits, since those have no case.
run=$(printf '%08d' $(((RANDOM * 32768 + RANDOM) % 100000000)))
recorded_run=${quote(steps.run)}
sent=${quote(JSON.stringify([...steps.sent]))}
received=${quote(programs.received)}
normal=${quote(programs.normal)}
${functions}
# What the requests make.
remove() {
${[
  ...[...steps.databases].map((path) => `  delete "$url"${path}\n`),
  ...[...steps.users].map((path) => `  delete_document "$url"${path}\n`),
  '  return 0\n',
].join('')}}

${steps.needsAdmin ? 'as_admin\n\n' : ''}${steps.lines.join('\n')}
echo
printf '%s\\n' ${[`Each response is as it was recorded. ${printable(check.id)} is violated:`, ...verdict].map(quote).join(' \\\n  ')}
exit 1
`;
}
