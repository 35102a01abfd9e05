/** Passes what goes through the proxy on to the process that judges it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
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

/** How long a judge that has nothing else to do may take to answer, in milliseconds. */
const answerMs = 400;

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
  readonly #isRecording: boolean;
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
  readonly #found: FoundViolation[] = [];
  /** What the judge said last, without the findings. */
  #known: Verdicts | undefined;
  /** Called for each answer of the judge. */
  readonly #awaiting: (() => void)[] = [];
  #isAbandoned = false;
  /** The last exchange, and the first that is judged: while judging is behind, none. */
  #last = 0;
  #firstJudged = 0;
  readonly #notices = new LRUCache<string, true>({ max: 100, ttl: noticeMs });
  #failure: Error | undefined;
  #isEnding = false;

  /** Resolves when the judge is ready: then it has said something, whatever happens to it. */
  static async start(options: JudgingOptions, events: JudgeEvents, maxBytes?: number): Promise<Judging> {
    const judging = new Judging(options, events, maxBytes);
    await Promise.race([once(judging.#process, 'message'), judging.#ended]);
    return judging;
  }

  private constructor(options: JudgingOptions, events: JudgeEvents, maxBytes = maxWaitingBytes) {
    this.#events = events;
    this.#maxWaitingBytes = maxBytes;
    this.#isRecording = options.recording !== undefined;
    this.#process = forkJudge();
    this.#process.on('message', (message: FromJudge) => {
      if (message.kind === 'finding') this.#onFinding(message.found);
      if (message.kind === 'verdicts') {
        this.#known = message;
        if (message.isAnswer) this.#awaiting.shift()?.();
      }
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

  /**
   * What is found until now, in everything that has passed, or in what is judged `withinMs`. A judge that does not answer
   * soon after that has too much to do: what it knew last counts.
   */
  async verdicts(withinMs?: number): Promise<Verdicts> {
    this.#flush();
    if (!this.#isUsable) throw this.#failure ?? new Error('The process of the judge has ended.');
    const answered = new Promise<void>((resolve) => this.#awaiting.push(resolve));
    this.#post({ kind: 'verdicts' });
    if (withinMs !== undefined && !(await isWithin(withinMs, answered))) {
      this.#giveUp();
      if (!(await isWithin(answerMs, answered))) this.#abandon();
    }
    if (!this.#isAbandoned) await Promise.race([answered, this.#ended]);
    if (this.#failure || !this.#known)
      throw this.#failure ?? new Error('The process of the judge has ended.');
    return this.#withFindings(this.#known);
  }

  /** @param withinMs how long to wait for the end of the judge. Default: until it has ended. */
  async end(withinMs?: number): Promise<void> {
    if (this.#isAbandoned) return;
    this.#flush();
    this.#post({ kind: 'end' });
    this.#isEnding = true;
    if (withinMs === undefined) await this.#ended;
    else if (!(await isWithin(withinMs, this.#ended))) this.#abandon();
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

  #onFinding(found: FoundViolation): void {
    this.#found.push(found);
    this.#events.onFinding(found);
  }

  #withFindings({ rules, ...others }: Verdicts): Verdicts {
    return {
      ...others,
      rules: rules.map(({ otherwise }) => {
        const { rule, cases, traffic } = otherwise;
        const found = this.#found.filter((one) => one.rule === rule);
        return { otherwise, violations: found.map((one) => ({ ...one, cases, traffic: traffic! })) };
      }),
    };
  }

  /** The judge ends by itself. Only a recording needs that. */
  #abandon(): void {
    this.#isAbandoned = true;
    this.#isEnding = true;
    this.#unjudgedBytes += this.#waitingBytes;
    if (!this.#isRecording) this.#process.kill('SIGKILL');
    // Its priority is low, so that its end may take long on a busy machine. Nobody waits for that.
    if (this.#process.connected) this.#process.disconnect();
    this.#process.unref();
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

async function isWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return isDone;
}

function forkJudge(): ChildProcess {
  return fork(new URL(`./judge-process${extname(import.meta.url)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Else its garbage collector runs in further threads, which have the priority of the traffic.
    execArgv: [...process.execArgv, '--single-threaded-gc'],
  });
}
