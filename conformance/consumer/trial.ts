/** Plays one scenario with one history: a server, the front before it, and the consumer. */
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Administrator,
  type RunningServer,
  type ServerOptions,
  startServer,
  type Variation,
} from '../../reference/index.js';
import type { Counterexample, DocumentWrite } from '../../reports/report.js';
import type { DatabaseClient, HttpClient, TargetRequest } from '../http/client.js';
import { type Connection, connect } from '../http/http.js';
import { createRedactor, type Redactor } from '../http/redact.js';
import { type DatabaseState, emptyState, type History } from '../oracle/history.js';
import { expectJson } from '../play/expect-json.js';
import { play, readWinners } from '../play/player.js';
import { recordTrees } from '../play/writes-record.js';
import { abortAfter, isInTime, isSlow } from '../engine/deadlines.js';
import { Blocked, Inconclusive, Skip, Violation } from '../engine/outcomes.js';
import { type RunningCommand, startCommand } from './command.js';
import { HastyClient, startProcess } from './controls.js';
import { Front } from './front.js';
import { type Group, type Truth, truthOf } from './scenario-histories.js';
import { Knowledge, parseStatement, type Statement } from './statements.js';
import type { Event, Scenario, Treatment } from './scenario.js';
import { startTarget, type TargetDatabase } from './target-database.js';

/** What is generated for a scenario. */
export interface TrialCase {
  /** A part for each event `write`. */
  readonly stages: readonly History[];
  readonly vary: Variation;
  readonly treatments: readonly Treatment[];
}

export interface TrialOptions extends TrialCase {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly command: readonly string[];
  /** Time without progress after which a consumer is not going to learn more, in milliseconds. */
  readonly graceMs: number;
  /** Whether the consumer writes to a database of its own instead of saying what it knows. */
  readonly targetDatabase: boolean;
  readonly signal: AbortSignal;
  /** Called with each line that the consumer writes to its standard error. */
  readonly onMessage?: ((line: string) => void) | undefined;
}

export interface Trial {
  /** Violation, Skip, Blocked or Inconclusive; undefined if the consumer survived. */
  readonly thrown?: Error;
  readonly evidence: Pick<Counterexample, 'exchanges' | 'omitted' | 'writes' | 'trees' | 'timeline'>;
  /** Number of requests of the consumer. */
  readonly requests: number;
  /** What the consumer lacks to be judged, if it has said nothing in a trial in which nothing happens to it. */
  readonly obstacle: string | undefined;
}

/** A consumer that knows the truth must go on to know it for this time, in milliseconds. */
const stayMs = 300;

/** The wait of a consumer before an attempt is at most this many times as long as its longest wait before. */
const growth = 2.5;

/**
 * A consumer that waits for no response may still be starting, or may wait for a random time before its next attempt. It
 * has at least this many grace periods.
 */
const idleGraces = 6;

/** A refused attempt may lead to a login in the next one. A consumer that learns nothing from so many learns nothing more. */
const mostAttempts = 3;

/** A connection is dead after this number of the periods in which the server must send something. */
const patientPeriods = 3;

/** How long the machine must show that it works before a consumer counts as stuck, in milliseconds: see `isInTime`. */
const confirmMs = 1000;

/** A process that starts takes longer only on a busy machine, in milliseconds. */
const slowStartMs = 500;

/** More attempts than these, while the server says that the consumer must wait, show that it does not slow down. */
const mostHasty = 10;

/** A consumer that does not wait may be slower than a client that does nothing else, by this factor. */
const hurry = 3;

/** How much of a trial the evidence keeps. */
const most = { exchanges: 40, events: 300, writes: 200 };

/** Number of characters of a line of the consumer that a timeline shows. */
const mostOfLine = 500;

/** The longest wait for a consumer to be idle, in milliseconds. */
const mostIdleMs = 5000;

/** How long a server is away at most if the consumer sends no request meanwhile, in milliseconds. */
const mostAwayMs = 2000;

/** With the default period of one minute. */
const heartbeatsOfDay = 1440;

/** Events that only wait. */
const waits: readonly Event[] = ['say', 'idle', 'know', 'settle'];

const admin = 'docfeed';
const unusualAdmin = 'docfeed+test@example.org';
/** After a random part. A URL must encode each of these characters. */
const unusualPassword = ' %41:/?#[]@+&=';
const database = 'db';

export async function tryScenario(options: TrialOptions): Promise<Trial> {
  const trial = new RunningTrial(options);
  try {
    await trial.begin();
    for (const event of options.scenario.events) await trial.play(event);
    await trial.judge();
    return trial.result();
  } catch (error) {
    // An interrupted trial ends with errors of all kinds. A leak of credentials is worse than whatever else goes wrong.
    const { signal } = options;
    return trial.result((signal.aborted ? signal.reason : (trial.leak ?? error)) as Error);
  } finally {
    await trial.end();
  }
}

const newSecret = (): string => randomBytes(12).toString('hex');

const isRestart = (event: Event): boolean => event.startsWith('restart the server');

/** The server answers 400 to a seq of another database or of an earlier one of the same name. */
const refuseOtherSeqs: ServerOptions['components'] = (components) => ({
  ...components,
  sequences: {
    ...components.sequences,
    decode(instance, text) {
      const isOwn = text === '0' || text.endsWith(instance);
      return isOwn ? components.sequences.decode(instance, text) : undefined;
    },
  },
});

class RunningTrial {
  readonly #options: TrialOptions;
  readonly #admin: Administrator;
  readonly #redact: Redactor;
  /** Signs cookies. */
  #secret = newSecret();
  readonly #startedAt = performance.now();
  readonly #timeline: { atMs: number; text: string }[] = [];
  readonly #knowledge = new Knowledge();
  readonly #progress = new EventEmitter<{ made: [] }>();
  #folder!: string;
  #server!: RunningServer;
  /** To the server, past the front. */
  #connection!: Connection;
  readonly #front: Front;
  #target: TargetDatabase | undefined;
  #consumer: RunningCommand | undefined;
  #state = emptyState;
  /** Of databases of the same name that were deleted. */
  readonly #earlierStates: DatabaseState[] = [];
  readonly #writes: DocumentWrite[] = [];
  #truth: ReadonlyMap<string, Truth> = new Map();
  /** The group of documents that the consumer must know; undefined for all. */
  #group: Group | undefined;
  #written = 0;
  /** Number of rows that reached the consumer. */
  #rows = 0;
  /** The first line on standard output that is no statement. */
  #otherLine: string | undefined;
  /** Documents whose rows reached the consumer in this wait. It makes no progress by reading them again. */
  readonly #seen = new Set<string>();
  /** Whether the machine was so busy that the last wait may have ended too early. */
  #isSlow = false;
  /** How long the last wait went on without progress, in milliseconds. */
  #waitedMs = 0;
  /** Rows that reached the consumer since its last start, of documents that had not changed since its last stop. */
  #repeated = 0;
  #unchanged = new Set<string>();
  /** For each time in which the consumer had to wait, the number of requests that were possible. */
  readonly #possible: Promise<number>[] = [];
  #hastyClient: HastyClient | undefined;

  readonly #actions: Readonly<Record<Event, () => unknown>> = {
    start: () => this.#startConsumer(),
    write: () => this.#write(),
    say: () => {
      const { count } = this.#knowledge;
      return this.#waitUntil(() => this.#knowledge.count > count);
    },
    idle: () => this.#waitUntilIdle(),
    know: () => this.#mustKnow(),
    settle: () => this.#waitUntil(() => false),
    terminate: () => this.#stopConsumer('SIGTERM'),
    kill: () => this.#stopConsumer('SIGKILL'),
    'cut all connections': () => this.#front.cutAll(),
    'send the heartbeats of a day': () => this.#front.sendHeartbeats(heartbeatsOfDay),
    'change the selector': () => (this.#group = 'b'),
    'let cookies expire': () => this.#front.expireCookies(),
    'restart the server': () => this.#restartServer(),
    'restart the server with another secret': () => {
      this.#secret = newSecret();
      this.#front.expireCookies();
      return this.#restartServer();
    },
    'recreate the database': async () => {
      expectJson(await this.#database.request({ method: 'DELETE', path: '' }));
      await this.#createDatabase();
      this.#earlierStates.push(this.#state);
      this.#state = emptyState;
    },
  };

  constructor(options: TrialOptions) {
    this.#front = new Front(options.treatments);
    this.#options = options;
    const { credentials } = options.scenario;
    const password = newSecret();
    this.#admin =
      credentials === 'unusual'
        ? { name: unusualAdmin, password: password + unusualPassword }
        : { name: admin, password };
    // Also as a form has it.
    const [, inForm] = new URLSearchParams({ password: this.#admin.password }).toString().split('=');
    // Alone in a text, the random part is the secret, whatever became of the other characters.
    this.#redact = createRedactor([this.#admin.password, inForm!, password]);
    if (options.scenario.needs === 'selector') this.#group = 'a';
  }

  async begin(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'docfeed-consumer-'));
    await mkdir(join(this.#folder, 'state'));
    await this.#front.listen();
    this.#front.events.on('row', (id) => {
      this.#rows += 1;
      if (this.#unchanged.has(id)) this.#repeated += 1;
      this.#note(`gets the row of ${id}`);
      if (!this.#seen.has(id)) this.#progress.emit('made');
      this.#seen.add(id);
    });
    // There are only so many of them, and after each the consumer may wait longer before it tries again.
    this.#front.events.on('spent', () => this.#progress.emit('made'));
    this.#front.events.on('note', (text) => this.#note(text));
    // An interrupted trial has its own reason.
    this.#front.events.on('wait', (ms) => this.#possible.push(this.#hastyClient!.countIn(ms).catch(() => 0)));
    await this.#startServer();
    if (this.#options.treatments.some(({ answer }) => answer?.retryAfter !== undefined)) {
      this.#hastyClient = await HastyClient.start(this.#server.url);
    }
    await this.#createDatabase();
    if (this.#options.targetDatabase) {
      this.#target = await startTarget(this.#admin, (statement) => this.#learn(statement));
    }
  }

  async play(event: Event): Promise<void> {
    this.#options.signal.throwIfAborted();
    if (!waits.includes(event)) this.#note(event);
    await this.#actions[event]();
  }

  /** @throws Violation, Skip */
  async judge(): Promise<void> {
    const { needs, continues } = this.#options.scenario;
    await this.#mustKnow();
    await pause(stayMs);
    await this.#mustKnow();
    const invention = this.#knowledge.inventionAgainst([...this.#earlierStates, this.#state]);
    if (invention) throw invention;
    if (this.leak) throw this.leak;
    await this.#judgeHaste();
    const mostRepeated = Math.ceil(this.#unchanged.size / 2);
    if (continues && this.#repeated > mostRepeated) {
      const difference = { path: 'the rows that it read again', expected: `at most ${mostRepeated}` };
      throw new Violation(
        'The consumer does not continue from its checkpoint after a restart',
        { ...difference, actual: this.#repeated },
        // A consumer may store its checkpoint late.
        { dependsOnTiming: true },
      );
    }
    this.#requireSubject();
    if (needs === 'leaves' && !this.#knowledge.saysLeaves) {
      throw new Skip('The consumer does not say which leaf revisions it knows (`leaves`).');
    }
  }

  /** @throws Skip if the consumer does not use what the scenario is about, whatever it fails at */
  #requireSubject(): void {
    const { needs } = this.#options.scenario;
    if (needs === 'cookies' && !this.#front.sawCookies) throw new Skip('The consumer uses no cookies.');
    if (needs === 'selector' && !this.#front.sawSelector) {
      throw new Skip('The consumer does not filter with the selector in DOCFEED_SELECTOR.');
    }
  }

  get leak(): Violation | undefined {
    const { leakedTo } = this.#front;
    if (leakedTo === undefined) return undefined;
    return new Violation('The consumer sends its credentials to another host', {
      path: 'a request',
      expected: 'no credentials',
      actual: leakedTo,
    });
  }

  /** @throws Violation, Inconclusive */
  async #judgeHaste(): Promise<void> {
    const { hasty } = this.#front;
    if (hasty > mostHasty) {
      throw new Violation('The consumer does not wait although the server says so in Retry-After', {
        path: 'the attempts in this time',
        expected: `at most ${mostHasty}`,
        actual: hasty,
      });
    }
    const possible = Math.min(...(await Promise.all(this.#possible)));
    // The next request of a consumer that does not wait may come just after this time.
    if ((hasty + 1) * hurry > possible) {
      throw new Inconclusive(
        `The machine is too slow to show whether the consumer obeys Retry-After. Attempts in this time: ${hasty}; requests of a client that does not wait: ${possible}`,
      );
    }
  }

  result(thrown?: Error): Trial {
    const { exchanges, omitted } = this.#front.record(this.#redact, most.exchanges, this.#startedAt);
    return {
      ...(thrown && { thrown }),
      evidence: {
        exchanges,
        ...(omitted > 0 && { omitted }),
        writes: this.#writes.slice(-most.writes),
        trees: recordTrees(this.#state).filter(({ revisions }) => revisions.length > 2),
        timeline: this.#timeline
          .slice(-most.events)
          .map(({ atMs, text }) => ({ atMs, text: this.#redact.text(text) })),
      },
      requests: exchanges.length + omitted,
      obstacle: this.#obstacle(),
    };
  }

  #obstacle(): string | undefined {
    if (this.#knowledge.count > 0) return undefined;
    const { refusal } = this.#front;
    if (refusal !== undefined) return `The server refuses all feeds of the consumer: ${refusal}`;
    if (!this.#front.hasRequests)
      return 'The consumer sends no request to the database in DOCFEED_DATABASE_URL';
    if (this.#target || this.#rows === 0 || this.#consumer?.hasEnded() !== undefined) return undefined;
    return this.#otherLine === undefined
      ? 'The consumer gets rows and has said nothing: does it flush its standard output?'
      : `The consumer gets rows and has said nothing like {"id":"doc-1","rev":"2-abc"}: its first line is ${this.#otherLine}`;
  }

  async end(): Promise<void> {
    await this.#consumer?.stop('SIGTERM');
    await this.#front.stop();
    await this.#target?.stop();
    await this.#hastyClient?.stop();
    await this.#stopServer();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startServer(): Promise<void> {
    const { seed, scenario, vary } = this.#options;
    this.#server = await startServer({
      admin: this.#admin,
      // Sessions outlive a restart, as in CouchDB.
      config: {
        chttpd_auth: { iterations: '1', secret: this.#secret },
        // What a consumer tries must not lock docfeed out.
        chttpd_auth_lockout: { mode: 'off' },
      },
      // Only a server that restarts needs what it had.
      ...(scenario.events.some(isRestart) && { data: join(this.#folder, 'data') }),
      ...(scenario.refusesOtherSeqs && { components: refuseOtherSeqs }),
      ...(Object.keys(vary).length > 0 && { vary: { seed, ...vary } }),
      log: { level: 'error' },
    });
    const url = new URL(this.#server.url);
    this.#connection = connect([url], this.#admin, this.#redact);
    this.#front.upstream = url;
  }

  async #stopServer(): Promise<void> {
    await (this.#connection as Connection | undefined)?.close();
    await (this.#server as RunningServer | undefined)?.stop();
  }

  get #client(): HttpClient {
    return this.#connection.client(this.#options.signal, []);
  }

  get #database(): DatabaseClient {
    const below = ({ path, ...request }: TargetRequest): TargetRequest => ({
      as: 'admin',
      ...request,
      path: `/${database}${path}`,
    });
    return {
      name: database,
      hasOneCopy: true,
      lacks: new Set(),
      settled: () => Promise.resolve(),
      recorder: { wrote: (_, writes) => void this.#writes.push(...writes), holds() {}, follows() {} },
      request: (request) => this.#client.request(below(request)),
      open: (request) => this.#client.open(below(request)),
    };
  }

  async #createDatabase(): Promise<void> {
    expectJson(await this.#database.request({ method: 'PUT', path: '' }));
  }

  /** Starts it again when the consumer has noticed, or after two seconds. */
  async #restartServer(): Promise<void> {
    const signal = abortAfter(mostAwayMs, this.#options.signal);
    const isNoticed = once(this.#front.events, 'vain', { signal }).catch(() => {});
    this.#front.upstream = undefined;
    this.#front.cutAll();
    await Promise.all([this.#stopServer(), isNoticed]);
    return this.#startServer();
  }

  #startConsumer(): void {
    const address = new URL(`/${database}`, this.#front.url);
    const [username, password] = [this.#admin.name, this.#admin.password].map(encodeURIComponent);
    Object.assign(address, { username, password });
    this.#front.startConsumer();
    const consumer = startCommand(
      this.#options.command,
      {
        DOCFEED_DATABASE_URL: address.href,
        DOCFEED_STATE: join(this.#folder, 'state'),
        // Python would keep its output in a buffer.
        PYTHONUNBUFFERED: '1',
        ...(this.#target && { DOCFEED_TARGET_URL: this.#target.url }),
        ...(this.#group !== undefined && { DOCFEED_SELECTOR: JSON.stringify({ group: this.#group }) }),
      },
      {
        line: (line) => {
          const statement = this.#target ? undefined : parseStatement(line);
          if (statement) return this.#learn(statement);
          const shown = this.#shown(line);
          this.#otherLine ??= shown;
          this.#note(`stdout: ${shown}`);
        },
        error: (line) => {
          this.#note(`stderr: ${this.#shown(line)}`);
          this.#options.onMessage?.(this.#redact.text(line));
        },
      },
    );
    this.#consumer = consumer;
    void consumer.ended.then((how) => {
      this.#note(`the consumer ended with ${how}`);
      this.#progress.emit('made');
    });
  }

  async #stopConsumer(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#consumer!.stop(signal);
    this.#unchanged = new Set(this.#truth.keys());
    this.#repeated = 0;
  }

  #shown(line: string): string {
    return this.#redact.beginning(line, mostOfLine, this.#redact.text);
  }

  #learn(statement: Statement): void {
    const { id, rev, deleted, leaves } = statement;
    if (this.#knowledge.learn(statement)) this.#progress.emit('made');
    const conflicts = leaves === undefined ? '' : `, leaves ${leaves.join(' ')}`;
    this.#note(`says ${id} ${rev}${deleted ? ' deleted' : ''}${conflicts}`);
  }

  async #write(): Promise<void> {
    const history = this.#options.stages[this.#written] ?? [];
    this.#written += 1;
    for (const { id } of history) this.#unchanged.delete(id);
    this.#state = await play(this.#database, history, this.#state);
    this.#truth = truthOf(await readWinners(this.#database, this.#state));
  }

  /** @throws Violation if the consumer does not get to know the truth */
  async #mustKnow(): Promise<void> {
    const required = new Map(
      [...this.#truth].filter(([, { group }]) => this.#group === undefined || group === this.#group),
    );
    const withLeaves = (): boolean => this.#options.scenario.needs === 'leaves' && this.#knowledge.saysLeaves;
    const difference = (): Violation | undefined => this.#knowledge.differenceTo(required, withLeaves());
    // The comparison takes long for many documents, so it waits until it can succeed.
    const knowsAll = (): boolean => this.#knowledge.size >= required.size && difference() === undefined;
    if (await this.#waitUntil(knowsAll)) return;
    const violation = this.#refusal() ?? difference()!;
    const how = this.#consumer?.hasEnded();
    if (this.#front.hasRequests) this.#requireSubject();
    if (this.#options.scenario.needs === 'cookies' && !this.#front.sawExpiredCookies) {
      throw new Skip(
        'The consumer goes wrong before a cookie that has expired is refused; other scenarios show why.',
      );
    }
    if (how === undefined) {
      this.#noteWait();
      throw this.#isSlow ? violation.dependingOnTiming() : violation;
    }
    if (!this.#front.hasRequests) {
      const obstacle = 'The consumer has ended by itself before it sent a request';
      const messages = this.#timeline.flatMap(({ text }) => /^stderr: (.+)/.exec(text)?.[1] ?? []);
      throw new Blocked(this.#redact.text([`${obstacle}: ${how}`, ...messages].join(' ').slice(0, 1000)), {
        obstacle,
      });
    }
    const controlledAt = performance.now();
    await startProcess(this.#server.url, this.#options.signal);
    // A deadline of its own may have ended it on a busy machine.
    const dependsOnTiming = performance.now() - controlledAt > slowStartMs;
    const message = `${violation.message}, and has ended by itself with ${how}`;
    throw new Violation(message, violation.difference, { dependsOnTiming });
  }

  /** Says more than what the consumer does not know. A treatment may refuse requests as well. */
  #refusal(): Violation | undefined {
    const { refusal } = this.#front;
    if (refusal === undefined || this.#options.treatments.length > 0) return undefined;
    return new Violation('The server refuses all feeds of the consumer', {
      path: 'the first refusal',
      expected: 'an answer of the server',
      actual: refusal,
    });
  }

  /** Waits until the consumer waits for changes. Some consumers never do. */
  async #waitUntilIdle(): Promise<void> {
    const end = performance.now() + mostIdleMs;
    const isWaiting = (): boolean =>
      this.#front.isIdle || this.#consumer?.hasEnded() !== undefined || performance.now() > end;
    do {
      while (!isWaiting()) await pause(20);
      // What looks idle may only be slow.
      await startProcess(this.#server.url, this.#options.signal);
    } while (!isWaiting());
  }

  /**
   * Waits as long as the consumer makes progress, and then for a grace period.
   *
   * @returns false if there is no more progress
   */
  async #waitUntil(isDone: () => boolean): Promise<boolean> {
    const { signal } = this.#options;
    const probe = (): Promise<unknown> => this.#client.request({ path: '/' });
    const control = (aborted: AbortSignal): Promise<unknown> => startProcess(this.#server.url, aborted);
    let progressAt = performance.now();
    this.#seen.clear();
    for (;;) {
      if (isDone()) return true;
      signal.throwIfAborted();
      if (this.#consumer?.hasEnded() !== undefined) return false;
      const grace = { by: this.#patientUntil(progressAt), graceMs: confirmMs };
      const over = new AbortController();
      const next = once(this.#progress, 'made', { signal: AbortSignal.any([signal, over.signal]) });
      next.catch(() => {});
      const isInProgress = await isInTime(next, { ...grace, probe, control }).finally(() => over.abort());
      if (isInProgress) progressAt = performance.now();
      // The consumer may have sent a request meanwhile that gives it more time.
      else if (performance.now() > this.#patientUntil(progressAt)) {
        this.#isSlow = isSlow(grace);
        this.#waitedMs = performance.now() - progressAt;
        return isDone();
      }
    }
  }

  /** When a consumer counts as stuck, on the clock of `performance.now()`. */
  #patientUntil(progressAt: number): number {
    const { graceMs, treatments } = this.#options;
    const isSilent = treatments.some(({ silence }) => silence);
    const silenceMs = isSilent ? patientPeriods * this.#front.allowedSilenceMs : 0;
    const attempts = this.#front.attemptsSince(progressAt).slice(0, mostAttempts);
    const idleMs = this.#front.openRequests === 0 ? idleGraces * graceMs : 0;
    const nextMs = attempts.length < mostAttempts ? Math.max(growth * this.#front.longestPauseMs, idleMs) : 0;
    return Math.max(
      progressAt + silenceMs + graceMs,
      this.#front.waitsUntil + graceMs,
      Math.max(progressAt, ...attempts) + Math.max(nextMs, graceMs),
    );
  }

  #noteWait(): void {
    const seconds = Math.round(this.#waitedMs / 1000);
    const { openRequests } = this.#front;
    this.#note(
      `docfeed has waited ${seconds} s without progress; ${
        openRequests > 0
          ? `the consumer waits for ${openRequests === 1 ? 'a response' : `${openRequests} responses`}`
          : 'the consumer has sent all its requests, and may wait before the next one: --grace gives it more time'
      }`,
    );
  }

  #note(text: string): void {
    this.#timeline.push({ atMs: Math.round(performance.now() - this.#startedAt), text });
  }
}
