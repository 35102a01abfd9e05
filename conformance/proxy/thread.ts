/** Passes what goes through the relay on to the thread that judges it. */
import { on } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { FoundViolation } from './findings.js';
import type { FromThread, ThreadOptions, ToThread } from './judge-thread.js';
import type { Verdicts } from './judge.js';
import type { ConnectionCall } from './passing.js';
import type { Tap } from './relay.js';

/** More waits for no judge, in bytes. */
const maxWaitingBytes = 64 * 1024 * 1024;

export interface JudgeEvents {
  onFinding(found: FoundViolation): void;
  /** One sentence about something that the user should know. */
  onNotice(notice: string): void;
}

export class JudgeThread implements Tap {
  requests = 0;
  openFeeds = 0;
  /** The number of times that judging fell behind. */
  losses = 0;
  readonly #port: MessagePort;
  readonly #ended: Promise<unknown>;
  readonly #events: JudgeEvents;
  readonly #maxWaitingBytes: number;
  #calls: ConnectionCall[] = [];
  #callBytes = 0;
  #waitingBytes = 0;
  /** Open connections, and those of them that are not judged because parts of them were not passed on. */
  readonly #connections = new Set<number>();
  readonly #unjudged = new Set<number>();
  #isBehind = false;
  #targetError: string | undefined;
  #failure: Error | undefined;

  constructor(options: ThreadOptions, events: JudgeEvents, maxBytes = maxWaitingBytes) {
    this.#events = events;
    this.#maxWaitingBytes = maxBytes;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.on('message', (message: FromThread) => {
      if (message.kind === 'finding') events.onFinding(message.found);
      if (message.kind === 'judged') this.#onJudged(message);
    });
    this.#ended = judgeInThread(options, port2)
      .catch((error: Error) => {
        this.#failure = error;
        events.onNotice(`Judging has failed, traffic passes unjudged: ${error.message}`);
      })
      .finally(() => this.#port.close());
  }

  onBytes(connection: number, side: 'client' | 'target', bytes: Buffer, at: number): void {
    this.#connections.add(connection);
    if (this.#unjudged.has(connection)) return;
    this.#waitingBytes += bytes.length;
    this.#callBytes += bytes.length;
    if (this.#waitingBytes > this.#maxWaitingBytes) return this.#fallBehind();
    if (side === 'target') this.#targetError = undefined;
    this.#call(['onBytes', connection, side, bytes, at]);
  }

  onEnd(connection: number, side: 'client' | 'target', at: number): void {
    if (!this.#unjudged.has(connection)) this.#call(['onEnd', connection, side, at]);
  }

  onClose(connection: number, at: number): void {
    this.#connections.delete(connection);
    if (!this.#unjudged.delete(connection)) this.#call(['onClose', connection, at]);
  }

  onSlowClient(connection: number): void {
    if (!this.#unjudged.has(connection)) this.#call(['onSlowClient', connection]);
  }

  onTargetError({ message }: Error): void {
    if (message === this.#targetError) return;
    this.#targetError = message;
    this.#events.onNotice(`The target breaks or refuses a connection: ${message}`);
  }

  /** What is found until now, in everything that has passed. */
  async verdicts(): Promise<Verdicts> {
    this.#flush();
    const messages = on(this.#port, 'message', { close: ['close'] });
    this.#post({ kind: 'verdicts' });
    if (!this.#failure) {
      for await (const [message] of messages as AsyncIterable<[FromThread]>) {
        if (message.kind === 'verdicts') return message;
      }
    }
    throw this.#failure ?? new Error('The thread of the judge has ended.');
  }

  async end(): Promise<void> {
    this.#flush();
    this.#post({ kind: 'end' });
    await this.#ended;
  }

  #post(message: ToThread): void {
    this.#port.postMessage(message);
  }

  #call(call: ConnectionCall): void {
    if (this.#calls.length === 0) setImmediate(() => this.#flush());
    this.#calls.push(call);
  }

  #flush(): void {
    if (this.#calls.length === 0) return;
    this.#post({ kind: 'calls', calls: this.#calls, bytes: this.#callBytes });
    this.#calls = [];
    this.#callBytes = 0;
  }

  #onJudged({ bytes, requests, openFeeds }: Extract<FromThread, { kind: 'judged' }>): void {
    this.#waitingBytes -= bytes;
    this.requests = requests;
    this.openFeeds = openFeeds;
    if (!this.#isBehind || this.#waitingBytes > this.#maxWaitingBytes / 2) return;
    this.#isBehind = false;
    this.#events.onNotice('Judging has caught up; new connections are judged again.');
  }

  #fallBehind(): void {
    for (const connection of this.#connections) {
      if (this.#unjudged.has(connection)) continue;
      this.#unjudged.add(connection);
      this.#call(['onLoss', connection]);
    }
    if (this.#isBehind) return;
    this.#isBehind = true;
    this.losses += 1;
    this.#events.onNotice('Judging is behind; the connections that are open pass unjudged.');
  }
}

/** Resolves when the judge has ended. The only task of the thread lasts as long as the proxy. */
async function judgeInThread(options: ThreadOptions, port: MessagePort): Promise<void> {
  const file = new URL(`./judge-thread${extname(import.meta.url)}`, import.meta.url);
  const threads = new Piscina({ filename: fileURLToPath(file), maxThreads: 1, atomics: 'disabled' });
  try {
    await threads.run({ options, port }, { transferList: [port as never] });
  } finally {
    await threads.destroy();
  }
}
