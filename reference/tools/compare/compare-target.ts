/** Sends the requests to one server. Each request has its own database. */
import { generateSync } from 'otplib';
import type { Administrator } from '../../index.js';
import { basic, sendTo, type Reply } from '../../../reports/testing/request.js';
import type { RequestTemplate, Entry } from './requests.js';
import { proxyToken } from '../../testing/signed-tokens.js';
import { tokensOf } from './tokens-of-user.js';

/** Values of the variables in request templates. */
type Variables = Map<string, string>;

/** Password of the created users. */
const password = 'pass:wörd';
/** Key of their second factor. */
const totpKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
/** Timeout of a request. */
const timeoutMs = 20_000;

export class CompareTarget {
  /** URL without a trailing slash. */
  readonly base: string;
  readonly #prefix: string;
  #cookie: string | undefined;
  /** Secret of the server that signs proxy tokens. */
  #secret = '';

  private constructor(base: string, prefix: string) {
    this.base = base;
    this.#prefix = prefix;
  }

  /**
   * Logs in. Rejects if the server is unreachable or rejects the credentials.
   *
   * @param prefix for the names of databases, users and keys
   */
  static async connect(base: string, prefix: string, administrator: Administrator): Promise<CompareTarget> {
    const target = new CompareTarget(base.replace(/\/+$/, ''), prefix);
    const login = await target.#sendAs('nobody', 'POST', '/_session', {}, administrator);
    if (login.status !== 200)
      throw new Error(`${base} rejects the administrator with status ${login.status}`);
    target.#cookie = login.cookie;
    target.#secret = String(await target.#get(`${configuration}/chttpd_auth/secret`));
    return target;
  }

  /** Returns the vendor name in the greeting. */
  async vendor(): Promise<string | undefined> {
    const { json } = await this.#sendAs('nobody', 'GET', '/', {});
    return (json as { vendor?: { name?: string } }).vendor?.name;
  }

  /**
   * Creates the fixtures of a request.
   *
   * @returns values of the variables in the request
   */
  async prepare(entry: Entry, number: number): Promise<Variables> {
    const variables = this.#variables(number);
    const templates = JSON.stringify(entry).includes('{db}') ? [putDatabase, ...entry.before] : entry.before;
    for (const template of templates) {
      const reply = await this.send(template, variables);
      if (reply.status >= 400)
        throw new Error(
          `${entry.name}: ${this.base} responds to ${template.send} with ${reply.status}: ${reply.text}`,
        );
      for (const [word, where] of Object.entries(template.keep)) variables.set(word, valueAt(reply, where));
    }
    return variables;
  }

  /** Sends a request. Rejects if there is no complete response in time. */
  send({ send, as, headers, body }: RequestTemplate, variables: Variables): Promise<Reply> {
    // Values are escaped for JSON. Values in paths contain nothing to escape.
    const fillIn = (text: string) =>
      text.replace(/\{(\w+)\}/g, (whole, word: string) =>
        variables.has(word) ? JSON.stringify(variables.get(word)).slice(1, -1) : whole,
      );
    const [method, path] = fillIn(send).split(' ', 2) as [string, string];
    const filled = JSON.parse(fillIn(JSON.stringify({ headers, body }))) as Pick<
      RequestTemplate,
      'headers' | 'body'
    >;
    const own = { ...(as === 'user' && basic(variables.get('user')!, password)), ...filled.headers };
    return this.#sendAs(as, method, path, own, filled.body);
  }

  /** Runs `work` with changed settings of the server, and restores them afterwards. */
  async withSettings<T>(settings: Entry['settings'], work: () => Promise<T>): Promise<T> {
    const changed: { path: string; before: Reply }[] = [];
    try {
      for (const [name, value] of Object.entries(settings)) {
        const path = `${configuration}/${name}`;
        changed.push({ path, before: await this.#sendAs('administrator', 'GET', path, {}) });
        const reply = await this.#sendAs('administrator', 'PUT', path, {}, JSON.stringify(value));
        if (reply.status !== 200) throw new Error(`${this.base} rejects the setting ${name}: ${reply.text}`);
      }
      return await work();
    } finally {
      for (const { path, before } of changed)
        if (before.status === 200) await this.#sendAs('administrator', 'PUT', path, {}, before.text);
        else await this.#sendAs('administrator', 'DELETE', path, {});
    }
  }

  /** Deletes everything that the run created. */
  async clear(): Promise<void> {
    const range = `startkey="${this.#prefix}"&endkey="${this.#prefix}~"`;
    for (const name of (await this.#get(`/_all_dbs?${range}`)) as string[])
      await this.#sendAs('administrator', 'DELETE', `/${encodeURIComponent(name)}`, {});
    const users = `/_users/_all_docs?${range.replaceAll('="', '="org.couchdb.user:')}`;
    // Below a deleted revision there may be a conflict.
    for (let left = 1; left > 0;) {
      const { rows } = (await this.#get(users)) as { rows: { id: string; value: { rev: string } }[] };
      for (const { id, value } of rows)
        await this.#sendAs('administrator', 'DELETE', `/_users/${id}?rev=${value.rev}`, {});
      left = rows.length;
    }
    const keys = `${configuration}/jwt_keys`;
    for (const key of Object.keys((await this.#get(keys)) as object))
      if (key.startsWith(`hmac:${this.#prefix}`))
        await this.#sendAs('administrator', 'DELETE', `${keys}/${key}`, {});
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#sendAs('administrator', 'GET', path, {})).json;
  }

  #variables(number: number): Variables {
    const own = `${this.#prefix}${number}`;
    return new Map([
      ['db', own],
      ['other', `${own}-other`],
      ['user', own],
      ['wrong', Buffer.from(`${own}:wrong`).toString('base64')],
      ['forged', Buffer.from(`${own}:5F000000:01234567890123456789012345678901`).toString('base64url')],
      ['digits', '9'.repeat(1001)],
      ['deep', `${'['.repeat(2101)}${']'.repeat(2101)}`],
      ['totpKey', totpKey],
      ['code', generateSync({ secret: totpKey })],
      ['oldCode', generateSync({ secret: totpKey, epoch: Math.floor(Date.now() / 1000) - 600 })],
      ['proxyToken', proxyToken(own, this.#secret)],
      ['proxyTokenSha1', proxyToken(own, this.#secret, 'sha1')],
      ['proxyTokenSha512', proxyToken(own, this.#secret, 'sha512')],
      ['proxyTokenOther', proxyToken(`${own}-other`, this.#secret)],
      ...tokensOf(own),
    ]);
  }

  #sendAs(
    as: RequestTemplate['as'],
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Reply> {
    return sendTo(this.base, method, path, {
      headers: {
        ...(typeof body === 'string' && { 'content-type': undefined }),
        ...(as === 'administrator' && { cookie: this.#cookie }),
        ...headers,
      },
      body,
      // Some responses close the connection without a Connection header, which would fail the next request.
      reset: true,
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

const configuration = '/_node/_local/_config';

/** With one shard, the order of changes is deterministic. */
const putDatabase: RequestTemplate = { send: 'PUT /{db}?q=1', as: 'administrator', headers: {}, keep: {} };

function valueAt(reply: Reply, where: string): string {
  if (where === 'cookie') return reply.cookie ?? '';
  if (where === 'etag') return String(reply.headers.etag);
  return (reply.json as Record<string, string>)[where]!;
}
