/** Sends the requests of the list to one server, each in a database of its own. */
import { Agent, request, type Dispatcher } from 'undici';
import { generateSync } from 'otplib';
import type { Administrator } from '../../index.js';
import type { Ask, Entry } from './requests.js';
import { proxyToken, tokensOf } from './tokens.js';

/** A response as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What stands for the words in braces. */
type Words = Map<string, string>;

/** The password of the users that the list makes. */
const password = 'pass:wörd';
/** The key of their second factor. */
const totpKey = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
/** More than any request of the list takes, also on a busy machine. */
const patienceMs = 20_000;

export class Player {
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
  static async connect(base: string, prefix: string, administrator: Administrator): Promise<Player> {
    const player = new Player(base.replace(/\/+$/, ''), prefix);
    const login = await player.#sendAs('nobody', 'POST', '/_session', {}, administrator);
    if (login.status !== 200) throw new Error(`${base} refuses the administrator with ${login.status}`);
    player.#cookie = cookieOf(login);
    player.#secret = String(await player.#list(`${configuration}/chttpd_auth/secret`));
    return player;
  }

  /** What the server says of itself. */
  async vendor(): Promise<string | undefined> {
    const { text } = await this.#sendAs('nobody', 'GET', '/', {});
    return (JSON.parse(text) as { vendor?: { name?: string } }).vendor?.name;
  }

  /**
   * Makes what a request needs.
   *
   * @returns what to put in for the words in braces
   */
  async prepare(entry: Entry, number: number): Promise<Words> {
    const words = this.#words(number);
    const asks = JSON.stringify(entry).includes('{db}') ? [putDatabase, ...entry.before] : entry.before;
    for (const ask of asks) {
      const reply = await this.send(ask, words);
      if (reply.status >= 400)
        throw new Error(
          `${entry.name}: ${this.base} answers ${ask.send} with ${reply.status}: ${reply.text}`,
        );
      for (const [word, where] of Object.entries(ask.keep)) words.set(word, valueAt(reply, where));
    }
    return words;
  }

  /** Rejects when there is no response, or none that ends. */
  send({ send, as, headers, body }: Ask, words: Words): Promise<Reply> {
    // Escaped for JSON; words that are put into a path have nothing to escape.
    const put = (text: string) =>
      text.replace(/\{(\w+)\}/g, (whole, word: string) =>
        words.has(word) ? JSON.stringify(words.get(word)).slice(1, -1) : whole,
      );
    const [method, path] = put(send).split(' ', 2) as [Dispatcher.HttpMethod, string];
    const filled = JSON.parse(put(JSON.stringify({ headers, body }))) as Pick<Ask, 'headers' | 'body'>;
    const basic = Buffer.from(`${words.get('user')}:${password}`).toString('base64');
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

  #words(number: number): Words {
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
    as: Ask['as'],
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
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }
}

const configuration = '/_node/_local/_config';

/** One shard, so that the order of changes is determined. */
const putDatabase: Ask = { send: 'PUT /{db}?q=1', as: 'administrator', headers: {}, keep: {} };

function cookieOf({ headers }: Reply): string {
  return /AuthSession=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
}

function valueAt(reply: Reply, where: string): string {
  if (where === 'cookie') return cookieOf(reply);
  if (where === 'etag') return String(reply.headers.etag);
  return (JSON.parse(reply.text) as Record<string, string>)[where]!;
}
