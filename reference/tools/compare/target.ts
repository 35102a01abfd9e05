/** Sends the requests of the list to one server, each in a database of its own. */
import { Agent, request, type Dispatcher } from 'undici';
import { generateSync } from 'otplib';
import type { Administrator } from '../../index.js';
import type { RequestTemplate, Entry } from './requests.js';
import { proxyToken, tokensOf } from './tokens.js';

/** A response as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What stands for the variables in braces. */
type Variables = Map<string, string>;

/** The password of the users that the list makes. */
const password = 'pass:wörd';
/** The key of their second factor. */
const totpKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
/** More than any request of the list takes, also on a busy machine. */
const timeoutMs = 20_000;

export class CompareTarget {
  /** Without a slash at the end. */
  readonly base: string;
  readonly #prefix: string;
  readonly #agent = new Agent({ connections: 16 });
  #cookie = '';
  /** What tokens of proxies are signed with. */
  #secret = '';

  private constructor(base: string, prefix: string) {
    this.base = base;
    this.#prefix = prefix;
  }

  /**
   * Logs in. What is made on the server gets names that begin with `prefix`.
   * Rejects when the server cannot be reached or refuses the credentials.
   */
  static async connect(base: string, prefix: string, administrator: Administrator): Promise<CompareTarget> {
    const target = new CompareTarget(base.replace(/\/+$/, ''), prefix);
    const login = await target.#sendAs('nobody', 'POST', '/_session', {}, administrator);
    if (login.status !== 200) throw new Error(`${base} refuses the administrator with ${login.status}`);
    target.#cookie = cookieOf(login);
    target.#secret = String(await target.#list(`${configuration}/chttpd_auth/secret`));
    return target;
  }

  /** What the server says of itself. */
  async vendor(): Promise<string | undefined> {
    const { text } = await this.#sendAs('nobody', 'GET', '/', {});
    return (JSON.parse(text) as { vendor?: { name?: string } }).vendor?.name;
  }

  /**
   * Makes what a request needs.
   *
   * @returns what to put in for the variables in braces
   */
  async prepare(entry: Entry, number: number): Promise<Variables> {
    const variables = this.#variables(number);
    const templates = JSON.stringify(entry).includes('{db}') ? [putDatabase, ...entry.before] : entry.before;
    for (const template of templates) {
      const reply = await this.send(template, variables);
      if (reply.status >= 400)
        throw new Error(
          `${entry.name}: ${this.base} answers ${template.send} with ${reply.status}: ${reply.text}`,
        );
      for (const [word, where] of Object.entries(template.keep)) variables.set(word, valueAt(reply, where));
    }
    return variables;
  }

  /** Rejects when there is no response, or none that ends. */
  send({ send, as, headers, body }: RequestTemplate, variables: Variables): Promise<Reply> {
    // Escaped for JSON; variables that are put into a path have nothing to escape.
    const put = (text: string) =>
      text.replace(/\{(\w+)\}/g, (whole, word: string) =>
        variables.has(word) ? JSON.stringify(variables.get(word)).slice(1, -1) : whole,
      );
    const [method, path] = put(send).split(' ', 2) as [Dispatcher.HttpMethod, string];
    const filled = JSON.parse(put(JSON.stringify({ headers, body }))) as Pick<
      RequestTemplate,
      'headers' | 'body'
    >;
    const basic = Buffer.from(`${variables.get('user')}:${password}`).toString('base64');
    const own = { ...(as === 'user' && { authorization: `Basic ${basic}` }), ...filled.headers };
    return this.#sendAs(as, method, path, own, filled.body);
  }

  /** Does `work` while the server has these settings, which it loses again. */
  async withSettings<T>(settings: Entry['settings'], work: () => Promise<T>): Promise<T> {
    const changed: { path: string; before: Reply }[] = [];
    try {
      for (const [name, value] of Object.entries(settings)) {
        const path = `${configuration}/${name}`;
        changed.push({ path, before: await this.#sendAs('administrator', 'GET', path, {}) });
        const reply = await this.#sendAs('administrator', 'PUT', path, {}, JSON.stringify(value));
        if (reply.status !== 200) throw new Error(`${this.base} refuses the setting ${name}: ${reply.text}`);
      }
      return await work();
    } finally {
      for (const { path, before } of changed)
        if (before.status === 200) await this.#sendAs('administrator', 'PUT', path, {}, before.text);
        else await this.#sendAs('administrator', 'DELETE', path, {});
    }
  }

  /** Removes what the run has made. */
  async clear(): Promise<void> {
    const range = `startkey="${this.#prefix}"&endkey="${this.#prefix}~"`;
    for (const name of (await this.#list(`/_all_dbs?${range}`)) as string[])
      await this.#sendAs('administrator', 'DELETE', `/${encodeURIComponent(name)}`, {});
    const users = range.replaceAll('="', '="org.couchdb.user:');
    const { rows } = (await this.#list(`/_users/_all_docs?${users}`)) as {
      rows: { id: string; value: { rev: string } }[];
    };
    for (const { id, value } of rows)
      await this.#sendAs('administrator', 'DELETE', `/_users/${id}?rev=${value.rev}`, {});
    const keys = `${configuration}/jwt_keys`;
    for (const key of Object.keys((await this.#list(keys)) as object))
      if (key.startsWith(`hmac:${this.#prefix}`))
        await this.#sendAs('administrator', 'DELETE', `${keys}/${key}`, {});
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #list(path: string): Promise<unknown> {
    return JSON.parse((await this.#sendAs('administrator', 'GET', path, {})).text);
  }

  #variables(number: number): Variables {
    const own = `${this.#prefix}${number}`;
    return new Map([
      ['db', own],
      ['other', `${own}-other`],
      ['user', own],
      ['wrong', Buffer.from(`${own}:wrong`).toString('base64')],
      ['forged', Buffer.from(`${own}:5F000000:01234567890123456789012345678901`).toString('base64url')],
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

  async #sendAs(
    as: RequestTemplate['as'],
    method: Dispatcher.HttpMethod,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Reply> {
    const isText = body === undefined || typeof body === 'string';
    const response = await request(this.base + path, {
      method,
      headers: {
        ...(!isText && { 'content-type': 'application/json' }),
        ...(as === 'administrator' && { cookie: this.#cookie }),
        ...headers,
      },
      body: isText ? body : JSON.stringify(body),
      dispatcher: this.#agent,
      // Some answers close the connection unannounced, which the next request would suffer from.
      reset: true,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }
}

const configuration = '/_node/_local/_config';

/** One shard, so that the order of changes is determined. */
const putDatabase: RequestTemplate = { send: 'PUT /{db}?q=1', as: 'administrator', headers: {}, keep: {} };

function cookieOf({ headers }: Reply): string {
  return /AuthSession=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
}

function valueAt(reply: Reply, where: string): string {
  if (where === 'cookie') return cookieOf(reply);
  if (where === 'etag') return String(reply.headers.etag);
  return (JSON.parse(reply.text) as Record<string, string>)[where]!;
}
