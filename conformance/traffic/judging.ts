/** Passes what goes through the proxy on to the process that judges it. */
import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { extname } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { FoundViolation } from './findings.js';
import { numbersOf } from './event-batch.js';
import type { FromJudge, JudgingOptions, ToJudge } from './judge-process.js';
import type { Verdicts } from './judge.js';
import type { PassingEvent, Tap } from './tapped-proxy.js';

/** More waits for no judge, in bytes. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** What an event needs while it waits, besides the bytes that pass. */
const bytesOfEvent = 200;

/** Events are passed on together, since each message to a process takes time: when they have as many bytes, or are as old. */
const batchBytes = 256 * 1024;
const batchMs = 20;

/** So many batches are with the judge or on the way to it. The others wait here, where they can be given up. */
const batchesAtJudge = 2;

/** How often the same is said of the target, in milliseconds. */
const noticeMs = 60_000;

export interface JudgeEvents {
  onFinding(found: FoundViolation): void;
  /** One sentence about something that the user should know. */
  onNotice(notice: string): void;
}

export class Judging implements Tap {
  requests = 0;
  openFeeds = 0;
  /** The number of times that judging fell behind. */
  losses = 0;
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #events: JudgeEvents;
  readonly #maxWaitingBytes: number;
  #numbers: number[] = [];
  /** The bytes of the events. They are copied, so that the proxy's buffers are free at once. */
  readonly #bytes = new Uint8Array(batchBytes);
  #length = 0;
  /** What counts of the batch as waiting. */
  #batchSize = 0;
  #timer: NodeJS.Timeout | undefined;
  #waitingBytes = 0;
  #unjudgedBytes = 0;
  /** What the judge does not have yet, in order. */
  #queue: ToJudge[] = [];
  #batchesSent = 0;
  /** The last exchange, and the first that is judged: while judging is behind, none. */
  #last = 0;
  #firstJudged = 0;
  readonly #notices = new LRUCache<string, true>({ max: 100, ttl: noticeMs });
  #failure: Error | undefined;
  #isEnding = false;

  constructor(options: JudgingOptions, events: JudgeEvents, maxBytes = maxWaitingBytes) {
    this.#events = events;
    this.#maxWaitingBytes = maxBytes;
    this.#process = forkJudge();
    this.#process.on('message', (message: FromJudge) => {
      if (message.kind === 'finding') events.onFinding(message.found);
      if (message.kind === 'judged') this.#onJudged(message);
      if (message.kind === 'failure') this.#fail(message.reason);
    });
    this.#process.on('error', (error) => this.#fail(error.message));
    this.#process.on('exit', (code, signal) => {
      if (!this.#isEnding) this.#fail(`its process ended with ${signal ?? `code ${code}`}`);
    });
    this.#ended = new Promise((resolve) => this.#process.once('close', () => resolve()));
    this.#post({ kind: 'start', options });
  }

  onEvent(event: PassingEvent): void {
    const { exchange, bytes } = event;
    this.#last = Math.max(this.#last, exchange);
    if (bytes.length <= batchBytes) return this.#add(event);
    for (let from = 0; from < bytes.length; from += batchBytes) {
      this.#add({ ...event, bytes: bytes.subarray(from, from + batchBytes) });
    }
  }

  onNotice(notice: string): void {
    if (this.#notices.has(notice)) return;
    this.#notices.set(notice, true);
    this.#events.onNotice(notice);
  }

  /** What has passed and is not judged yet, with what each event needs, in bytes. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** What was given up unjudged, because the verdicts could not wait for it. */
  get unjudgedBytes(): number {
    return this.#unjudgedBytes;
  }

  /** What is found until now, in everything that has passed, or in what is judged `withinMs`. */
  async verdicts(withinMs?: number): Promise<Verdicts> {
    this.#flush();
    if (this.#isUsable) {
      const messages = on(this.#process, 'message', { close: ['close'] });
      this.#post({ kind: 'verdicts' });
      const timer = withinMs === undefined ? undefined : setTimeout(() => this.#giveUp(), withinMs);
      try {
        for await (const [message] of messages as AsyncIterable<[FromJudge]>) {
          if (message.kind === 'verdicts') return message;
        }
      } finally {
        clearTimeout(timer);
      }
    }
    throw this.#failure ?? new Error('The process of the judge has ended.');
  }

  async end(): Promise<void> {
    this.#flush();
    this.#post({ kind: 'end' });
    this.#isEnding = true;
    await this.#ended;
  }

  #add(event: PassingEvent): void {
    const { exchange, bytes } = event;
    if (this.#isEnding || exchange < this.#firstJudged) return;
    const size = bytesOfEvent + bytes.length;
    if (this.#waitingBytes + size > this.#maxWaitingBytes) return this.#fallBehind();
    if (this.#length + bytes.length > batchBytes) this.#flush();
    this.#numbers.push(...numbersOf(event));
    this.#length += bytes.copy(this.#bytes, this.#length);
    this.#batchSize += size;
    this.#waitingBytes += size;
    this.#timer ??= setTimeout(() => this.#flush(), batchMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#numbers.length === 0) return;
    const batch = {
      numbers: Float64Array.from(this.#numbers),
      bytes: this.#bytes.slice(0, this.#length),
    };
    this.#post({ kind: 'events', batch, waitingBytes: this.#batchSize });
    this.#numbers = [];
    this.#length = 0;
    this.#batchSize = 0;
  }

  #onJudged({ waitingBytes, requests, openFeeds }: Extract<FromJudge, { kind: 'judged' }>): void {
    this.#waitingBytes -= waitingBytes;
    this.#batchesSent -= 1;
    this.requests = requests;
    this.openFeeds = openFeeds;
    this.#send();
    if (this.#firstJudged !== Infinity || this.#waitingBytes > this.#maxWaitingBytes / 2) return;
    this.#firstJudged = this.#last + 1;
    this.#events.onNotice('Judging has caught up; new requests are judged again.');
  }

  #fallBehind(): void {
    this.#flush();
    this.#post({ kind: 'loss' });
    this.#firstJudged = Infinity;
    this.losses += 1;
    this.#events.onNotice('Judging is behind; what is under way passes unjudged.');
  }

  get #isUsable(): boolean {
    return this.#failure === undefined && this.#process.connected;
  }

  #post(message: ToJudge): void {
    this.#queue.push(message);
    this.#send();
  }

  #send(): void {
    while (this.#isUsable) {
      const [next] = this.#queue;
      if (!next || (next.kind === 'events' && this.#batchesSent >= batchesAtJudge)) return;
      this.#queue.shift();
      if (next.kind === 'events') this.#batchesSent += 1;
      this.#process.send(next);
    }
    this.#queue = [];
  }

  /** Passes on what comes after the events that wait, without them. */
  #giveUp(): void {
    for (const message of this.#queue) {
      if (message.kind !== 'events') continue;
      this.#unjudgedBytes += message.waitingBytes;
      this.#waitingBytes -= message.waitingBytes;
    }
    this.#queue = this.#queue.filter(({ kind }) => kind !== 'events');
    this.#send();
  }

  #fail(reason: string): void {
    if (this.#failure) return;
    this.#failure = new Error(reason);
    this.#firstJudged = Infinity;
    this.#process.kill('SIGKILL');
    this.#events.onNotice(`Judging has failed, traffic passes unjudged: ${reason}`);
  }
}

function forkJudge(): ChildProcess {
  return fork(new URL(`./judge-process${extname(import.meta.url)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Else its garbage collector runs in further threads, which have the priority of the traffic.
    execArgv: [...process.execArgv, '--single-threaded-gc'],
  });
}
