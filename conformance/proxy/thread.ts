/** Passes what goes through the relay on to the thread that judges it. */
import { on } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { FoundViolation } from './findings.js';
import type { BatchedCall, FromThread, ThreadOptions, ToThread } from './judge-thread.js';
import type { Verdicts } from './judge.js';
import type { Tap } from './relay.js';

/** More waits for no judge, in bytes. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** What a call needs while it waits, besides the bytes that pass. */
const bytesOfCall = 200;

/** Calls are passed on together, since each message to a thread takes time: when they have as many bytes, or are as old. */
const batchBytes = 256 * 1024;
const batchMs = 20;

const nothing = Buffer.alloc(0);

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
  #calls: BatchedCall[] = [];
  /** The bytes of the calls. They are copied, so that the relay's buffers are free at once. */
  readonly #bytes = new Uint8Array(batchBytes);
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #waitingBytes = 0;
  /** The last connection, and the first that is judged: while judging is behind, none. */
  #last = 0;
  #firstJudged = 0;
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
        this.#firstJudged = Infinity;
        events.onNotice(`Judging has failed, traffic passes unjudged: ${error.message}`);
      })
      .finally(() => this.#port.close());
  }

  onBytes(connection: number, side: 'client' | 'target', bytes: Buffer, at: number): void {
    this.#last = Math.max(this.#last, connection);
    if (side === 'target') this.#targetError = undefined;
    for (let from = 0; from < bytes.length; from += batchBytes) {
      const part = bytes.subarray(from, from + batchBytes);
      this.#call(['onBytes', connection, side, part.length, at], part);
    }
  }

  onEnd(connection: number, side: 'client' | 'target', at: number): void {
    this.#call(['onEnd', connection, side, at]);
  }

  onClose(connection: number, at: number): void {
    this.#call(['onClose', connection, at]);
  }

  onSlowClient(connection: number): void {
    this.#call(['onSlowClient', connection]);
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
    this.#port.postMessage({ kind: 'verdicts' } satisfies ToThread);
    if (!this.#failure) {
      for await (const [message] of messages as AsyncIterable<[FromThread]>) {
        if (message.kind === 'verdicts') return message;
      }
    }
    throw this.#failure ?? new Error('The thread of the judge has ended.');
  }

  async end(): Promise<void> {
    this.#flush();
    this.#port.postMessage({ kind: 'end' } satisfies ToThread);
    await this.#ended;
  }

  #call(call: BatchedCall, bytes: Buffer = nothing): void {
    if (call[1] < this.#firstJudged) return;
    const size = bytesOfCall + bytes.length;
    if (this.#waitingBytes + size > this.#maxWaitingBytes) return this.#fallBehind();
    if (this.#length + bytes.length > batchBytes) this.#flush();
    this.#calls.push(call);
    this.#length += bytes.copy(this.#bytes, this.#length);
    this.#waitingBytes += size;
    this.#timer ??= setTimeout(() => this.#flush(), batchMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#calls.length === 0) return;
    const bytes = this.#bytes.slice(0, this.#length);
    const waitingBytes = bytesOfCall * this.#calls.length + bytes.length;
    this.#port.postMessage({ kind: 'calls', calls: this.#calls, bytes, waitingBytes } satisfies ToThread, [
      bytes.buffer,
    ]);
    this.#calls = [];
    this.#length = 0;
  }

  #onJudged({ waitingBytes, requests, openFeeds }: Extract<FromThread, { kind: 'judged' }>): void {
    this.#waitingBytes -= waitingBytes;
    this.requests = requests;
    this.openFeeds = openFeeds;
    if (this.#firstJudged !== Infinity || this.#waitingBytes > this.#maxWaitingBytes / 2) return;
    this.#firstJudged = this.#last + 1;
    this.#events.onNotice('Judging has caught up; new connections are judged again.');
  }

  #fallBehind(): void {
    this.#flush();
    this.#port.postMessage({ kind: 'loss' } satisfies ToThread);
    this.#firstJudged = Infinity;
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
