/** Clients that follow the feed of a database in each mode, over restarts of the server. */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { Client } from '../client.js';

interface Row {
  readonly seq: string;
  readonly id: string;
  readonly changes: readonly { readonly rev: string }[];
}

/** How a follower reads the feed. To add one, add an entry here. */
export interface FollowerKind {
  readonly name: string;
  readonly feed: 'normal' | 'longpoll' | 'continuous' | 'eventsource';
  readonly query?: string;
  /** Body of a POST request. */
  readonly body?: object;
  /** Whether the filter accepts the documents of a writer. */
  readonly accepts: (writer: number) => boolean;
}

const all = (): boolean => true;
const even = (writer: number): boolean => writer % 2 === 0;

export const followerKinds: readonly FollowerKind[] = [
  { name: 'normal', feed: 'normal', accepts: all },
  { name: 'longpoll', feed: 'longpoll', accepts: all },
  { name: 'continuous', feed: 'continuous', accepts: all },
  { name: 'eventsource', feed: 'eventsource', accepts: all },
  { name: 'filter function', feed: 'continuous', query: '&filter=soak/even', accepts: even },
  {
    name: 'selector',
    feed: 'longpoll',
    query: '&filter=_selector',
    body: { selector: { even: true } },
    accepts: even,
  },
];

/** A user who is logged in, until the server is killed. */
export interface Session {
  readonly client: Client;
  /** Aborts directly before the kill. */
  readonly killed: AbortSignal;
}

/** Waits while the server is down. */
export type Connect = () => Promise<Session>;

/** Tries a task, and reports why it fails, unless the server was killed meanwhile. @returns whether it succeeded */
export async function attempt(
  connect: Connect,
  task: (session: Session) => Promise<void>,
  report: (problem: string) => void,
): Promise<boolean> {
  const session = await connect();
  try {
    await task(session);
    return true;
  } catch (error) {
    if (!session.killed.aborted) report(`a request failed: ${describe(error as Error)}`);
    return false;
  }
}

const describe = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

export class Follower {
  readonly kind: FollowerKind;
  /** The last revision that the feed has shown, by document. */
  readonly revisions = new Map<string, string>();
  /** Number of rows. */
  rows = 0;
  readonly #path: string;
  readonly #report: (problem: string) => void;
  #since = '0';

  constructor(kind: FollowerKind, database: string, report: (problem: string) => void) {
    this.kind = kind;
    this.#path = `/${database}/_changes?feed=${kind.feed}&timeout=5000${kind.query ?? ''}`;
    this.#report = report;
  }

  /** Follows the feed until the signal aborts. A new request continues where the last one ended. */
  async follow(connect: Connect, signal: AbortSignal): Promise<void> {
    const report = (problem: string): void => {
      if (!signal.aborted) this.#report(`${this.kind.name}: ${problem}`);
    };
    while (!signal.aborted) await attempt(connect, (session) => this.#request(session, signal), report);
  }

  async #request({ client }: Session, signal: AbortSignal): Promise<void> {
    const { body, feed, name } = this.kind;
    const path = `${this.#path}&since=${encodeURIComponent(this.#since)}`;
    const response = await client.open(body ? 'POST' : 'GET', path, body, signal);
    if (response.statusCode !== 200) this.#report(`${name}: status ${response.statusCode}`);
    await this.#read(response.body);
    if (feed === 'normal') await pause(200, undefined, { signal });
  }

  async #read(body: Dispatcher.ResponseData['body']): Promise<void> {
    switch (this.kind.feed) {
      case 'normal':
      case 'longpoll': {
        const { results, last_seq } = (await body.json()) as { results: Row[]; last_seq: string };
        results.forEach((row) => this.#add(row));
        this.#since = last_seq;
        return;
      }
      case 'continuous':
        for await (const line of createInterface(body)) this.#addText(line);
        return;
      case 'eventsource': {
        const parser = createParser({ onEvent: ({ data }) => this.#addText(data) });
        const decoder = new TextDecoder();
        for await (const chunk of body) parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
      }
    }
  }

  /** Ignores heartbeats, the object at the end, and a line that a kill has cut. */
  #addText(text: string): void {
    try {
      const value = JSON.parse(text) as Row;
      if ('id' in value) this.#add(value);
    } catch {
      return;
    }
  }

  #add({ id, seq, changes }: Row): void {
    const [, before] = /^(\d+)-/.exec(this.revisions.get(id) ?? '') ?? [];
    const rev = changes[0]!.rev;
    if (before !== undefined && Number(before) > Number.parseInt(rev))
      this.#report(`${this.kind.name}: ${id} shows ${rev} after ${before}`);
    this.revisions.set(id, rev);
    this.#since = seq;
    this.rows++;
  }
}
