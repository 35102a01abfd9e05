/** Plays one scenario with one history: a server, the front before it, and the consumer. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Administrator,
  type RunningServer,
  type ServerOptions,
  startServer,
  type Variation,
} from '../../reference/index.js';
import type { Counterexample, DocumentWrite } from '../../reports/report.js';
import type { DatabaseClient, HttpClient, TargetRequest } from '../http/client.js';
import { documentPath } from '../http/document-requests.js';
import { defaultPeriodMs } from '../http/feed-times.js';
import { type Connection, connect } from '../http/http.js';
import { asObject } from '../http/parse-json.js';
import { createRedactor, type Redactor } from '../http/redact.js';
import type { History } from '../oracle/history.js';
import { expectJson } from '../play/expect-json.js';
import { play, readWinners } from '../play/player.js';
import { recordTrees } from '../play/writes-record.js';
import { abortAfter } from '../engine/deadlines.js';
import { Violation } from '../engine/outcomes.js';
import { type Certificates, makeCertificates } from './certificates.js';
import { type RunningCommand, startCommand } from './command.js';
import { HastyClient, startProcess } from './controls.js';
import { Front, ownAddress } from './front.js';
import { Judge, leakIn } from './judge.js';
import { Patience } from './patience.js';
import { type Group, truthOf } from './scenario-histories.js';
import { parseStatement, type Statement } from './statements.js';
import { type Event, moments, type Scenario, type Treatment } from './scenario.js';
import { startTarget, type TargetDatabase } from './target-database.js';

/** What is generated for a scenario. */
export interface TrialCase {
  /** A part for each event `write`. */
  readonly stages: readonly History[];
  readonly vary: Variation;
  readonly treatments: readonly Treatment[];
  /** For each moment of the scenario, where the next event comes. */
  readonly places: readonly number[];
}

export interface TrialOptions extends TrialCase {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly command: readonly string[];
  /** Time without progress after which a consumer is not going to learn more, in milliseconds. */
  readonly graceMs: number;
  /** Whether the consumer writes to a database of its own instead of saying what it knows. */
  readonly targetDatabase: boolean;
  /** How many times as fast as the real one the clock of the consumer is. Default: 1. */
  readonly clockRate?: number | undefined;
  readonly signal: AbortSignal;
  /** Called when the consumer makes no progress for a while. Returns what to call when it goes on. */
  readonly rest: () => () => void;
  /** Called with each line that the consumer writes to its standard error. */
  readonly onMessage?: ((line: string) => void) | undefined;
  /** Called with each event of the timeline when it happens. */
  readonly onEvent?: ((event: TimelineEvent) => void) | undefined;
}

type TimelineEvent = NonNullable<Counterexample['timeline']>[number];

export interface Trial {
  /** Violation, Skip, Blocked or Inconclusive; undefined if the consumer survived. */
  readonly thrown?: Error;
  readonly evidence: Pick<Counterexample, 'exchanges' | 'omitted' | 'writes' | 'trees' | 'timeline'>;
  /** Number of requests of the consumer. */
  readonly requests: number;
  /** What the consumer lacks to be judged, if it has said nothing in a trial in which nothing happens to it. */
  readonly obstacle: string | undefined;
  /** Whether the consumer has asked for an event stream. */
  readonly readsEvents: boolean;
}

/** A consumer that knows the truth must go on to know it for this time, in milliseconds. */
const stayMs = 300;

/** A process that starts takes longer only on a busy machine, in milliseconds. */
const slowStartMs = 500;

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

const hourMs = 3_600_000;

/** Events that only wait. */
const waits: readonly Event[] = [...moments, 'say', 'idle', 'know', 'settle'];

/** Variables by which clients of several languages are told the file of an authority that they trust. */
const trustVariables = [
  'DOCFEED_CA_FILE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
];

const admin = 'docfeed';
const unusualAdmin = 'docfeed+test@example.org';
/** After a random part. A URL must encode each of these characters. */
const unusualPassword = ' %41:/?#[]@+&=';
const plainDatabase = 'db';
const unusualDatabase = 'my/db+1_(new)-$';

export async function tryScenario(options: TrialOptions): Promise<Trial> {
  const certificates = options.scenario.https && (await makeCertificates(ownAddress));
  const trial = new RunningTrial(options, certificates);
  try {
    await trial.begin();
    for (const event of options.scenario.events) await trial.play(event);
    await trial.judge();
    return trial.result();
  } catch (error) {
    // An interrupted trial ends with errors of all kinds. A leak of credentials is worse than whatever else goes wrong.
    const { signal } = options;
    return trial.result((signal.aborted ? signal.reason : (leakIn(trial.front) ?? error)) as Error);
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

/** The members of a document, and what was written of its attachments. */
function contentIn(document: unknown): object {
  const { _attachments: attachments = {}, ...members } = asObject(document);
  const written = Object.entries(asObject(attachments)).map(([name, attachment]) => {
    const { content_type: type, data } = asObject(attachment);
    return [name, { type, data }] as const;
  });
  return { ...members, attachments: Object.fromEntries(written) };
}

class RunningTrial {
  readonly front: Front;
  readonly #options: TrialOptions;
  readonly #certificates: Certificates | undefined;
  readonly #admin: Administrator;
  readonly #redact: Redactor;
  /** Of the database. */
  readonly #name: string;
  /** Signs cookies. */
  #secret = newSecret();
  readonly #startedAt = performance.now();
  readonly #timeline: TimelineEvent[] = [];
  readonly #judge: Judge;
  readonly #patience: Patience;
  /** What the end of the trial ends, the latest first. */
  readonly #resources: (() => unknown)[] = [];
  #folder!: string;
  #server!: RunningServer;
  /** To the server, past the front. */
  #connection!: Connection;
  #target: TargetDatabase | undefined;
  #consumer: RunningCommand | undefined;
  readonly #writes: DocumentWrite[] = [];
  /** The group that the selector accepts; undefined without a selector. */
  #group: Group | undefined;
  #written = 0;
  /** Number of moments. */
  #reached = 0;
  /** When the server was back after it had been away for an hour, on the clock of `performance.now()`. */
  #backAt = Infinity;
  /** Whether the moment has come that is waited for. */
  #isReached = (): boolean => false;
  /** How often the consumer has changed the files in its folder, its checkpoint in a database, and documents of its target. */
  readonly #stored = { files: 0, checkpoint: 0, documents: 0 };
  /** For each time in which the consumer had to wait, the number of requests that were possible. */
  readonly #possible: Promise<number>[] = [];

  readonly #actions: Readonly<Record<Event, () => unknown>> = {
    start: () => this.#startConsumer(),
    write: () => this.#write(),
    ask: () => this.#reach((place) => this.front.requestsOfStart >= place),
    get: async () => {
      const { rows } = this.#judge;
      await pause(await this.#reach(() => this.#judge.rows > rows));
    },
    store: () => {
      const { files, checkpoint } = this.#stored;
      return this.#reach(
        (place) => this.#stored.files >= files + place || this.#stored.checkpoint > checkpoint,
      );
    },
    copy: () => {
      const { documents } = this.#stored;
      return this.#reach(() => this.#stored.documents > documents);
    },
    say: () => {
      const { statements } = this.#judge;
      return this.#patience.waitUntil(() => this.#judge.statements > statements);
    },
    idle: () => this.#waitUntilIdle(),
    know: () => this.#mustKnow(),
    settle: async () => {
      await this.#patience.waitUntil(() => false);
      this.#judge.take({ kind: 'settled', isSlow: this.#patience.isSlow });
    },
    terminate: () => this.#stopConsumer('SIGTERM'),
    kill: () => this.#stopConsumer('SIGKILL'),
    'cut all connections': () => this.front.cutAll(),
    'send the heartbeats of a day': () => this.front.sendHeartbeats(heartbeatsOfDay),
    'change the selector': () => this.#select('b'),
    'let cookies expire': () => this.front.expireCookies(),
    'let cookies end as they said': async () => {
      await pause(1000 * Math.max(...this.#options.treatments.map(({ form }) => form?.maxAge ?? 0)));
      this.front.expireCookies();
    },
    'restart the server': () => this.#restartServer(),
    'be away for an hour': () => this.#beAwayForAnHour(),
    'restart the server with another secret': () => {
      this.#secret = newSecret();
      this.front.expireCookies();
      return this.#restartServer();
    },
    'show an unknown certificate': () => this.#replaceServer('unknown'),
    'show the certificate of another host': () => this.#replaceServer('ofOtherHost'),
    'delete the database': async () => {
      expectJson(await this.#database.request({ method: 'DELETE', path: '' }));
      this.#judge.take({ kind: 'delete' });
    },
    'create the database': () => this.#createDatabase(),
  };

  constructor(options: TrialOptions, certificates: Certificates | undefined) {
    const { scenario, treatments, graceMs, clockRate, signal, rest } = options;
    this.#options = options;
    this.#certificates = certificates;
    this.front = new Front(treatments, certificates, clockRate);
    this.#judge = new Judge({ ...scenario, treatments });
    this.#patience = new Patience({
      front: this.front,
      graceMs,
      isSilent: treatments.some(({ silence }) => silence),
      signal,
      hasEnded: () => this.#consumer?.hasEnded() !== undefined,
      probe: () => this.#client.request({ path: '/' }),
      control: (aborted) => startProcess(this.#server.url, aborted),
      rest,
    });
    const password = newSecret();
    this.#admin =
      scenario.credentials === 'unusual'
        ? { name: unusualAdmin, password: password + unusualPassword }
        : { name: admin, password };
    // Also as a form has it.
    const [, inForm] = new URLSearchParams({ password: this.#admin.password }).toString().split('=');
    // Alone in a text, the random part is the secret, whatever became of the other characters.
    this.#redact = createRedactor([this.#admin.password, inForm!, password]);
    this.#name = scenario.database === 'unusual' ? unusualDatabase : plainDatabase;
    if (scenario.needs === 'selector') this.#select('a');
    if (scenario.target?.refusesGroup) this.#judge.take({ kind: 'select', group: 'a' });
  }

  async begin(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'docfeed-consumer-'));
    this.#resources.push(() => rm(this.#folder, { recursive: true, force: true }));
    await mkdir(this.#stateFolder);
    if (this.#certificates) await writeFile(this.#authorityFile, this.#certificates.authority);
    this.#resources.push(() => this.#stopServer());
    await this.#startServer();
    await this.#createDatabase();
    if (this.#options.treatments.some(({ answer, away }) => answer?.retryAfter ?? away?.most)) {
      await this.#startHastyClient();
    }
    if (this.#options.targetDatabase) {
      const { target: ofScenario = {} } = this.#options.scenario;
      const target = await startTarget(this.#admin, ofScenario, (statement) => this.#learn(statement));
      this.#target = target;
      this.#observeTarget(target);
      this.#resources.push(() => target.stop());
    }
    if (this.#options.scenario.events.includes('store')) {
      const watcher = watch(this.#stateFolder, () => this.#noteStore('files'));
      this.#resources.push(() => watcher.close());
    }
    // It only waits.
    if (this.#options.treatments.some(({ form }) => form?.paceMs)) this.#resources.push(this.#options.rest());
    this.#observeFront();
    await this.front.listen();
    this.#resources.push(() => this.front.stop());
    this.#resources.push(() => this.#consumer?.stop('SIGTERM'));
  }

  async #startHastyClient(): Promise<void> {
    const client = await HastyClient.start(this.#server.url);
    this.#resources.push(() => client.stop());
    // An interrupted trial has its own reason.
    this.front.events.on('wait', (ms) => this.#possible.push(client.countIn(ms).catch(() => 0)));
  }

  #observeFront(): void {
    const { events } = this.front;
    events.on('row', (id) => {
      this.#judge.take({ kind: 'row', id });
      this.#note(`gets the row of ${id}`, 'traffic');
      this.#patience.noteRow(id);
    });
    // There are only so many of them, and after each the consumer may wait longer before it tries again.
    events.on('spent', () => this.#patience.noteProgress());
    events.on('stored', (what) => this.#noteStore(what));
    events.on('note', (text, kind) => {
      this.#note(text, kind);
      this.#noteStep();
    });
  }

  #observeTarget({ front: { events } }: TargetDatabase): void {
    events.on('spent', () => this.#patience.noteProgress());
    events.on('stored', (what) => this.#noteStore(what));
    events.on('note', (text) => this.#note(`at the target: ${text}`, 'traffic'));
  }

  #noteStore(what: 'files' | 'checkpoint' | 'documents'): void {
    this.#stored[what] += 1;
    this.#noteStep();
  }

  /** What happens may be what a moment waits for. */
  #noteStep(): void {
    if (this.#isReached()) this.#patience.noteProgress();
  }

  /**
   * Waits for a moment, or until nothing is left to wait for.
   *
   * @returns where the next event comes
   */
  async #reach(isThere: (place: number) => boolean): Promise<number> {
    const place = this.#options.places[this.#reached]!;
    this.#reached += 1;
    await this.#waitFor(() => isThere(place) || this.#judge.knowsAll);
    return place;
  }

  /** Waits for what the front or the files show, or until nothing is left to wait for. */
  async #waitFor(isThere: () => boolean): Promise<void> {
    this.#isReached = isThere;
    await this.#patience.waitUntil(isThere);
    this.#isReached = () => false;
  }

  #select(group: Group): void {
    this.#group = group;
    this.#judge.take({ kind: 'select', group });
  }

  async play(event: Event): Promise<void> {
    this.#options.signal.throwIfAborted();
    if (!waits.includes(event)) this.#note(event);
    await this.#actions[event]();
  }

  /** @throws the verdict, if the consumer does not survive */
  async judge(): Promise<void> {
    await this.#mustKnow();
    await pause(stayMs);
    await this.#mustKnow();
    if (this.#target && this.#options.scenario.history.attachments) await this.#mustCopyContent(this.#target);
    const possible = Math.min(...(await Promise.all(this.#possible)));
    const verdict = this.#judge.verdictOnKnowledge(this.front, possible);
    if (verdict) throw verdict;
  }

  result(thrown?: Error): Trial {
    const { exchanges, omitted } = this.front.record(this.#redact, most.exchanges, this.#startedAt);
    return {
      ...(thrown && { thrown }),
      evidence: {
        exchanges,
        ...(omitted > 0 && { omitted }),
        writes: this.#writes.slice(-most.writes),
        trees: recordTrees(this.#judge.state).filter(({ revisions }) => revisions.length > 2),
        timeline: this.#timeline.slice(-most.events),
      },
      requests: exchanges.length + omitted,
      readsEvents: this.front.readsEvents,
      obstacle: this.#judge.obstacle(
        this.front,
        this.#target === undefined && this.#consumer?.hasEnded() === undefined,
      ),
    };
  }

  async end(): Promise<void> {
    for (const end of this.#resources.reverse()) await end();
  }

  async #startServer(): Promise<void> {
    const { seed, scenario, vary, clockRate = 1 } = this.#options;
    this.#server = await startServer({
      admin: this.#admin,
      // Sessions outlive a restart, as in CouchDB.
      config: {
        ...(clockRate > 1 && { chttpd: { changes_timeout: String(Math.ceil(defaultPeriodMs / clockRate)) } }),
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
    this.front.upstream = url;
  }

  async #stopServer(): Promise<void> {
    await (this.#connection as Connection | undefined)?.close();
    await (this.#server as RunningServer | undefined)?.stop();
  }

  get #stateFolder(): string {
    return join(this.#folder, 'state');
  }

  get #authorityFile(): string {
    return join(this.#folder, 'authority.pem');
  }

  get #client(): HttpClient {
    return this.#connection.client(this.#options.signal, []);
  }

  get #database(): DatabaseClient {
    const below = ({ path, ...request }: TargetRequest): TargetRequest => ({
      as: 'admin',
      ...request,
      path: `/${encodeURIComponent(this.#name)}${path}`,
    });
    return {
      name: this.#name,
      hasOneCopy: true,
      lacks: new Set(),
      settled: () => Promise.resolve(),
      recorder: { wrote: (_, writes) => void this.#writes.push(...writes), holds() {}, follows() {} },
      request: (request) => this.#client.request(below(request)),
      open: (request) => this.#client.open(below(request)),
    };
  }

  async #createDatabase(): Promise<void> {
    const response = await this.#database.request({ method: 'PUT', path: '' });
    if (response.status === 412) {
      const difference = { path: 'the database', expected: 'none', actual: 'an empty one' };
      throw new Violation('The consumer creates a database that was deleted', difference);
    }
    expectJson(response);
  }

  /** Starts it again when the consumer has noticed, or after two seconds. */
  async #restartServer(): Promise<void> {
    const signal = abortAfter(mostAwayMs, this.#options.signal);
    const isNoticed = once(this.front.events, 'vain', { signal }).catch(() => {});
    this.front.upstream = undefined;
    this.front.cutAll();
    await Promise.all([this.#stopServer(), isNoticed]);
    return this.#startServer();
  }

  /**
   * It is back just after an attempt in vain: so a consumer that doubles its wait has the longest one before it, whenever
   * the hour ends.
   */
  async #beAwayForAnHour(): Promise<void> {
    const { scenario, clockRate = 1, signal } = this.#options;
    const { upstream } = this.front;
    this.#judge.take({ kind: 'away' });
    this.front.upstream = undefined;
    this.front.cutAll();
    // Nothing brings a consumer back that has ended.
    await Promise.race([pause(hourMs / clockRate, undefined, { signal, ref: false }), this.#consumer!.ended]);
    let isTried = false;
    this.front.events.once('vain', () => (isTried = true));
    await this.#waitFor(() => isTried);
    this.front.upstream = upstream;
    this.#note('the server is back');
    this.#backAt = performance.now();
    if (scenario.mostWaitMs !== undefined) this.#patience.mostWaitMs = scenario.mostWaitMs / clockRate;
  }

  /** Another server has the address until the consumer has met it. */
  async #replaceServer(certificate: 'unknown' | 'ofOtherHost'): Promise<void> {
    this.front.startImpostor(this.#certificates![certificate]);
    await this.#waitFor(() => this.front.hasMetImpostor);
    this.front.endImpostor();
  }

  #startConsumer(): void {
    const address = new URL(`/${encodeURIComponent(this.#name)}`, this.front.url);
    const { name, password } = this.#admin;
    Object.assign(address, {
      username: encodeURIComponent(name),
      password: encodeURIComponent(password),
    });
    this.front.startConsumer();
    const consumer = startCommand(
      this.#options.command,
      {
        DOCFEED_DATABASE_URL: address.href,
        DOCFEED_ORIGIN: this.front.url,
        DOCFEED_DATABASE: this.#name,
        DOCFEED_USERNAME: name,
        DOCFEED_PASSWORD: password,
        DOCFEED_STATE: this.#stateFolder,
        // Python would keep its output in a buffer.
        PYTHONUNBUFFERED: '1',
        ...(this.#certificates &&
          Object.fromEntries(trustVariables.map((name) => [name, this.#authorityFile]))),
        ...(this.#target && { DOCFEED_TARGET_URL: this.#target.url }),
        ...(this.#group !== undefined && { DOCFEED_SELECTOR: JSON.stringify({ group: this.#group }) }),
      },
      {
        line: (line) => {
          const statement = this.#target ? undefined : parseStatement(line);
          if (statement) return this.#learn(statement);
          const text = this.#shown(line);
          this.#judge.take({ kind: 'other line', text });
          this.#note(`stdout: ${text}`, 'output');
        },
        error: (line) => {
          this.#note(`stderr: ${this.#shown(line)}`, 'error');
          this.#options.onMessage?.(this.#redact.text(line));
        },
      },
    );
    this.#consumer = consumer;
    void consumer.ended.then((how) => {
      this.#note(`the consumer ended with ${how}`);
      this.#patience.noteProgress();
    });
  }

  async #stopConsumer(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#consumer!.stop(signal);
    this.#judge.take({ kind: 'stop' });
  }

  #shown(line: string): string {
    return this.#redact.beginning(line, mostOfLine, this.#redact.text);
  }

  #learn(statement: Statement): void {
    const { id, rev, deleted, leaves } = statement;
    if (this.#judge.take({ kind: 'statement', statement })) this.#patience.noteProgress();
    const conflicts = leaves === undefined ? '' : `, leaves ${leaves.join(' ')}`;
    this.#note(`says ${id} ${rev}${deleted ? ' deleted' : ''}${conflicts}`, 'output');
  }

  async #write(): Promise<void> {
    const history = this.#options.stages[this.#written] ?? [];
    this.#written += 1;
    this.#judge.take({ kind: 'write', ids: history.map(({ id }) => id) });
    const state = await play(this.#database, history, this.#judge.state);
    const truth = truthOf(await readWinners(this.#database, state));
    this.#judge.take({ kind: 'written', state, truth });
  }

  /** @throws the verdict, if the consumer does not get to know the truth */
  async #mustKnow(): Promise<void> {
    if (await this.#patience.waitUntil(() => this.#judge.knowsAll)) return;
    const ended = this.#consumer?.hasEnded();
    if (ended === undefined) this.#noteWait();
    const messages = this.#timeline.flatMap(({ text }) => /^stderr: (.+)/.exec(text)?.[1] ?? []);
    // A deadline of its own may have ended it on a busy machine.
    const isSlow = ended === undefined ? this.#patience.isSlow : await this.#isSlowToStart();
    // What it sent before it ended may have reached the target meanwhile.
    if (this.#judge.knowsAll) return;
    const hasTriedAgain = this.front.hasTriedSince(this.#backAt);
    throw this.#judge.verdictOnIgnorance(this.front, { ended, messages, isSlow, hasTriedAgain });
  }

  /** @throws the verdict, if the target has another content of a document than the database */
  async #mustCopyContent(target: TargetDatabase): Promise<void> {
    for (const id of this.#judge.state.keys()) {
      const read = { path: documentPath(id), query: { attachments: true } };
      const original = contentIn(expectJson(await this.#database.request(read)));
      const copy = contentIn(await target.read(id));
      if (isDeepStrictEqual(copy, original)) continue;
      throw new Violation('The target has another content of a document', {
        path: id,
        expected: original,
        actual: copy,
      });
    }
  }

  async #isSlowToStart(): Promise<boolean> {
    const startedAt = performance.now();
    await startProcess(this.#server.url, this.#options.signal);
    return performance.now() - startedAt > slowStartMs;
  }

  /** Waits until the consumer waits for changes. Some consumers never do. */
  async #waitUntilIdle(): Promise<void> {
    const end = performance.now() + mostIdleMs;
    const isWaiting = (): boolean =>
      this.front.isIdle || this.#consumer?.hasEnded() !== undefined || performance.now() > end;
    do {
      while (!isWaiting()) await pause(20);
      // What looks idle may only be slow.
      await startProcess(this.#server.url, this.#options.signal);
    } while (!isWaiting());
  }

  #noteWait(): void {
    const { waitedMs } = this.#patience;
    const seconds = Math.round(waitedMs / 1000);
    const { clockRate = 1 } = this.#options;
    const minutes =
      clockRate > 1 ? ` (${Math.round((clockRate * waitedMs) / 60_000)} minutes of its clock)` : '';
    const { openRequests } = this.front;
    this.#note(
      `docfeed has waited ${seconds} s${minutes} without progress; ${
        openRequests > 0
          ? `the consumer waits for ${openRequests === 1 ? 'a response' : `${openRequests} responses`}`
          : 'the consumer has sent all its requests, and may wait before the next one: --grace gives it more time'
      }`,
    );
  }

  #note(text: string, kind: TimelineEvent['kind'] = 'step'): void {
    const atMs = Math.round(performance.now() - this.#startedAt);
    const event = { atMs, text: this.#redact.text(text), kind };
    this.#timeline.push(event);
    this.#options.onEvent?.(event);
  }
}
