import { quote } from 'shlex';
import { parseBody } from '../json.js';
import type { RecordedExchange } from '../report.js';
import { escapeInvisible } from '../escape.js';

type RecordedResponse = NonNullable<RecordedExchange['response']>;

/** A request that a script cannot send again. The message is the reason. */
export class NotRepeatable extends Error {}

/** Literal text, or a shell variable whose value is inserted. */
type WordPart = string | { readonly variable: string };

/** Matches names, passwords and so on that a run generates: the random digits of the run, then a number. */
const runName = /docfeed-([0-9a-f]{8})-\d+/;
const redacted = '[redacted';
const sinceParameter = /^(since|last-event-id)=(.*)$/s;
const revisionHash = /\b[0-9a-f]{32}\b/g;
const revision = /\b[1-9]\d*-[0-9a-f]{32}\b/g;

/**
 * Builds the shell commands of a script, request by request. Values that the target chose in an earlier response
 * (revisions, sequences, cookies) become shell variables, which the script reads from the new response.
 */
export class ScriptSteps {
  readonly commands: string[] = [];
  /** The digits in the names of the recorded run. */
  run = '';
  /** Revisions that the requests contain. The target did not choose them, so they are the same in each run. */
  readonly sentRevisions = new Set<string>();
  needsAdmin = false;
  /** Databases and users that the requests create, as quoted paths below the base URL. */
  readonly databases = new Set<string>();
  readonly users = new Set<string>();

  readonly #basePaths: readonly string[];
  readonly #createdDatabases = new Set<string>();
  /** Hashes of revisions that a request contained before any response did. */
  readonly #sentHashes = new Set<string>();
  /** Commands that read a hash, a sequence or a cookie from the response in which it occurred first. */
  readonly #hashCommands = new Map<string, string>();
  readonly #sequenceCommands = new Map<string, string>();
  readonly #cookieCommands = new Map<string, string>();
  /** Names of variables, by the command that gives their value. */
  readonly #variables = new Map<string, string>();

  constructor(urls: readonly string[]) {
    this.#basePaths = urls.map((url) => new URL(url).pathname.replace(/\/$/, ''));
  }

  /** @throws NotRepeatable */
  add({ request, response }: RecordedExchange): void {
    const step = this.commands.length + 1;
    const path = request.path.slice(this.#basePaths[request.node ?? 0]?.length);
    this.run ||= runName.exec(`${path} ${request.body ?? ''}`)?.[1] ?? '';
    this.#noteCreation(request.method, path);

    const variableCount = this.#variables.size;
    const url = [
      { variable: request.node ? `url_${request.node + 1}` : 'url' },
      ...this.#replaceInPath(path),
    ];
    const curlArguments = [
      ...(request.as === 'admin' ? ['-K "$admin"'] : []),
      ...(request.method === 'HEAD' ? ['--head'] : [`-X ${quote(request.method)}`]),
      ...Object.entries(request.headers).flatMap(([name, value]) =>
        this.#headerArguments(request, name, value),
      ),
      ...(request.body === undefined ? [] : [`--data-raw ${quoteParts(this.#replaceValues(request.body))}`]),
      // Otherwise curl adds a content type of its own.
      ...(request.body !== undefined && !('content-type' in request.headers) ? ["-H 'content-type:'"] : []),
      quoteParts(url),
    ];
    if (request.as === 'admin') this.needsAdmin = true;
    const assignments = [...this.#variables]
      .slice(variableCount)
      .map(([command, name]) => `${name}=$(${command})\n`);
    const title = quoteParts(this.#replaceRun(escapeInvisible(`${request.method} ${path}`)));
    this.commands.push(
      `${assignments.join('')}send_request ${step} ${title} \\\n  ${curlArguments.join(' \\\n  ')}\n` +
        `compare_response <<'RECORDED'\n${JSON.stringify(parseResponse(response!))}\nRECORDED\n`,
    );
    this.#noteResponse(step, response!);
  }

  /** A script can only use databases that it creates. */
  #noteCreation(method: string, path: string): void {
    const [, name, rest] = /^\/(docfeed-[0-9a-f]{8}-\d+)(\/?)/.exec(path) ?? [];
    if (name !== undefined) {
      if (method === 'PUT' && rest === '') {
        this.#createdDatabases.add(name);
        this.databases.add(quoteParts(this.#replaceRun(`/${name}`)));
      } else if (!this.#createdDatabases.has(name)) {
        throw new NotRepeatable('The recorded requests do not include the creation of the database.');
      }
    }
    if (method === 'PUT' && path.startsWith('/_users/')) {
      this.users.add(quoteParts(this.#replaceRun(path.replace(/\?.*/s, ''))));
    }
  }

  #replaceInPath(path: string): WordPart[] {
    const [pathname, query] = [path.replace(/\?.*/s, ''), /\?(.*)/s.exec(path)?.[1]];
    const parameters = query?.split('&').flatMap((parameter, index): WordPart[] => {
      const [, name, value] = sinceParameter.exec(parameter) ?? [];
      const command = value === undefined ? undefined : this.#sequenceCommands.get(decodeURIComponent(value));
      const parts: WordPart[] =
        command === undefined
          ? this.#replaceValues(parameter)
          : [`${name}=`, this.#variableFor('since', `${command.replace(/'$/, '')} | tostring | @uri'`)];
      return [index === 0 ? '?' : '&', ...parts];
    });
    return [...this.#replaceValues(pathname), ...(parameters ?? [])];
  }

  #headerArguments({ as }: RecordedExchange['request'], name: string, value: string): string[] {
    if (name === 'authorization' && as === 'admin') return [];
    if (name === 'authorization' && value.startsWith('Basic ')) return [this.#basicArgument(value)];
    if (value === '') return [`-H ${quote(`${name};`)}`];
    const cookie = /\[redacted \w+\]/.exec(value)?.[0];
    const command = cookie === undefined ? undefined : this.#cookieCommands.get(cookie);
    if (command === undefined) return [`-H ${quoteParts([`${name}: `, ...this.#replaceValues(value)])}`];
    const [start, end] = value.split(cookie!) as [string, string];
    const parts = [
      ...this.#replaceValues(start),
      this.#variableFor('cookie', command),
      ...this.#replaceValues(end),
    ];
    return [`-H ${quoteParts([`${name}: `, ...parts])}`];
  }

  /** Encodes the credentials of a generated user again, because the user has another name in each run. */
  #basicArgument(value: string): string {
    const token = value.slice('Basic '.length);
    const credentials = Buffer.from(token, 'base64').toString('utf8');
    const isValid = Buffer.from(credentials, 'utf8').toString('base64') === token;
    if (isValid && token !== '') {
      const command = `encode_base64 ${quoteParts(this.#replaceValues(credentials))}`;
      return `-H ${quoteParts(['authorization: Basic ', this.#variableFor('basic', command)])}`;
    }
    if (runName.test(credentials) || runName.test(token)) {
      throw new NotRepeatable('The credentials of a request are malformed.');
    }
    return `-H ${quoteParts([`authorization: `, ...this.#replaceValues(value)])}`;
  }

  /** Replaces the names of the run and the revisions that the target chose in a text of a request. */
  #replaceValues(text: string): WordPart[] {
    if (text.includes(redacted)) {
      throw new NotRepeatable('A request contains a secret, and reports contain no secrets.');
    }
    for (const [hash] of text.matchAll(revisionHash)) {
      if (!this.#hashCommands.has(hash)) this.#sentHashes.add(hash);
    }
    for (const [rev] of text.matchAll(revision)) {
      if (this.#sentHashes.has(rev.slice(rev.indexOf('-') + 1))) this.sentRevisions.add(rev);
    }
    const received = [...text.matchAll(revisionHash)].filter(([hash]) => !this.#sentHashes.has(hash));
    let end = 0;
    const parts = received.flatMap(({ 0: hash, index }): WordPart[] => {
      const before = this.#replaceRun(text.slice(end, index));
      end = index + hash.length;
      return [...before, this.#variableFor('hash', this.#hashCommands.get(hash)!)];
    });
    return [...parts, ...this.#replaceRun(text.slice(end))];
  }

  #replaceRun(text: string): WordPart[] {
    if (this.run === '') return [text];
    // Case-insensitive: a check may send a password in upper case to see whether the target rejects it.
    return text
      .split(new RegExp(`(?<=-)${this.run}(?=-\\d)`, 'i'))
      .flatMap((part, index): WordPart[] => (index === 0 ? [part] : [{ variable: 'run' }, part]));
  }

  #variableFor(prefix: string, command: string): WordPart {
    const name = this.#variables.get(command) ?? `${prefix}_${this.#variables.size + 1}`;
    this.#variables.set(command, name);
    return { variable: name };
  }

  /** Notes how later requests read the values that the target chose. */
  #noteResponse(step: number, response: RecordedResponse): void {
    for (const cookie of parseResponse(response).cookies) {
      const placeholder = /^AuthSession=(\[redacted \w+\])/.exec(cookie)?.[1];
      if (placeholder !== undefined) this.#cookieCommands.set(placeholder, `session_cookie ${step}`);
    }
    const body = parseBody(joinChunks(response));
    for (const [path, value] of scalarsIn(body)) {
      const hash = typeof value === 'string' ? /^[1-9]\d*-([0-9a-f]{32})$/.exec(value)?.[1] : undefined;
      if (hash !== undefined && !this.#hashCommands.has(hash) && !this.#sentHashes.has(hash)) {
        this.#hashCommands.set(hash, `response_value ${step} ${quote(`${path} | split("-")[1]`)}`);
      }
    }
    for (const [path, value] of sequencesIn(body)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      this.#sequenceCommands.set(text, `response_value ${step} '${path}'`);
    }
  }
}

/** Quotes the parts as one word of the shell. */
function quoteParts(parts: readonly WordPart[]): string {
  const merged = parts.reduce<WordPart[]>((before, part) => {
    const last = before.at(-1);
    if (typeof part !== 'string' || typeof last !== 'string') return [...before, part];
    return [...before.slice(0, -1), last + part];
  }, []);
  const quoted = merged.map((part) => {
    if (typeof part !== 'string') return `"$${part.variable}"`;
    return part === '' ? '' : quote(part);
  });
  return quoted.join('') || "''";
}

/** Every value that is neither an array nor an object, with its path in the syntax of jq. */
function* scalarsIn(value: unknown, path = '.'): Generator<[path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, value];
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `[${JSON.stringify(key)}]`;
    yield* scalarsIn(member, path + step);
  }
}

function sequencesIn(body: unknown): [path: string, value: unknown][] {
  const { results, last_seq: lastSeq } = (body ?? {}) as { results?: unknown; last_seq?: unknown };
  const rows = Array.isArray(results) ? (results as unknown[]) : [];
  const sequences = [
    ...rows.map((row, index) => [`.results[${index}].seq`, (row as { seq?: unknown } | null)?.seq] as const),
    ['.last_seq', lastSeq] as const,
  ];
  return sequences.flatMap(([path, value]) => (value === undefined || value === null ? [] : [[path, value]]));
}

const joinChunks = ({ chunks }: RecordedResponse): string => chunks.map(({ text }) => text).join('');

/** @returns the response in the form that the jq program `parseResponse` gives to new responses. */
function parseResponse(response: RecordedResponse) {
  const header = (wanted: string): string =>
    Object.entries(response.headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  return {
    status: response.status,
    type: header('content-type'),
    cookies: header('set-cookie')
      .split('\n')
      .filter((cookie) => cookie !== ''),
    text: joinChunks(response),
  };
}
