/** Judges the exchanges that pass. */
import { type Rule, type RuleId, rules } from '../../openapi/generated/rules.js';
import type { Dialect } from '../../openapi/generated/dialects.js';
import { dialects } from '../../openapi/generated/dialects.js';
import type { RecordedExchange } from '../../reports/report.js';
import { asObject, parseJson } from '../http/json.js';
import { loadDescription } from '../http/description.js';
import { feedReaders, type Arrival } from '../play/feed-readers.js';
import { recordFeed } from '../play/feed-record.js';
import { isOlder } from '../target/service-version.js';
import { Violation } from '../engine/outcomes.js';
import { Findings, type FoundViolation } from './findings.js';
import { Knowledge, type KnownWrite, type Suspicion } from './knowledge.js';
import { type Context, feedIn, type FeedParameters, feedParameters, isReadable, Passed } from './passed.js';
import type { PassingExchange, PassingObserver } from './passing.js';
import { PeriodJudge } from './periods.js';
import { createRecorder, recordedBytes, redactorFor } from './record.js';
import {
  feedJudges,
  type FeedSubject,
  type Judge,
  partJudges,
  responseJudges,
  rowJudges,
  sessionCookie,
} from './rules.js';

export interface JudgeOptions {
  readonly dialect: Dialect;
  /** The version that the target declares, if it is known. */
  readonly version?: string | undefined;
  /** Whether the target has one copy of each database. Otherwise only databases count that say so. */
  readonly hasOneCopy: boolean;
  /** Whether evidence may have documents. */
  readonly bodies: boolean;
  /** The path of the target's URL, without a slash at the end. */
  readonly prefix: string;
  /** Whether bodies of open feeds are recorded as well. */
  readonly keepsFeeds?: boolean;
}

/** How much of a feed the evidence has. */
const maxRecordedArrivals = 200;

/** A feed that stays open. */
interface OpenFeed {
  readonly parameters: FeedParameters;
  readonly read: ReturnType<(typeof feedReaders)['continuous']>;
  readonly arrivals: Arrival[];
  /** The last ones, with the times of the proxy. */
  recent: Arrival[];
  rows: number;
  end: unknown;
}

type JudgeTable<Subject> = Partial<Record<RuleId, Judge<Subject>>>;

const ruleById: ReadonlyMap<RuleId, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

export class TrafficJudge implements PassingObserver {
  readonly findings: Findings;
  /** The number of requests, and the feeds that are open. */
  requests = 0;
  readonly #open = new Map<PassingExchange, OpenFeed>();
  readonly #context: Context;
  readonly #known: Knowledge;
  readonly #version: string | undefined;
  readonly #bodies: boolean;
  readonly #keepsFeeds: boolean;
  readonly #periods: PeriodJudge;
  readonly #record: ReturnType<typeof createRecorder>;

  constructor(options: JudgeOptions, onFinding: (found: FoundViolation) => void = () => {}) {
    this.#context = { description: loadDescription(options.dialect), names: dialects[options.dialect] };
    this.#known = new Knowledge(options.hasOneCopy);
    this.#version = options.version;
    this.#bodies = options.bodies;
    this.#keepsFeeds = options.keepsFeeds ?? false;
    this.#record = createRecorder(options, this.#context.description);
    this.findings = new Findings(options, onFinding);
    this.#periods = new PeriodJudge(
      ({ rule, exchange, message, difference }) =>
        this.#report(rule, new Violation(message, difference), exchange),
      (rule) => this.findings.count(rule),
    );
  }

  get openFeeds(): number {
    return this.#open.size;
  }

  /** Parts of what passes are unknown from now on. */
  forget(): void {
    this.#known.forget();
  }

  onRequest(exchange: PassingExchange): void {
    this.requests += 1;
    this.#forgetIfReplaced(exchange);
  }

  onResponse(exchange: PassingExchange): void {
    this.#periods.onArrival(exchange, exchange.headersAt!);
    const passed = new Passed(exchange, this.#context);
    if (!passed.isFeed || exchange.status !== 200 || !passed.isValid) return;
    const parameters = feedParameters(passed);
    this.#periods.watch(exchange, parameters, exchange.headersAt!);
    const { mode } = parameters;
    if (mode !== 'continuous' && mode !== 'eventsource') return;
    // What is compressed shows nothing before its end.
    if (exchange.body.isEncoded) return;
    const arrivals: Arrival[] = [];
    const read = feedReaders[mode](arrivals);
    this.#open.set(exchange, { parameters, read, arrivals, recent: [], rows: 0, end: undefined });
  }

  onChunk(exchange: PassingExchange, bytes: Uint8Array, at: number): void {
    const chunk = { atMs: at - exchange.headersAt!, bytes };
    const feed = this.#open.get(exchange);
    if (!feed || this.#keepsFeeds) exchange.body.add(chunk);
    if (feed) {
      feed.read(chunk);
      this.#judgeParts(exchange, feed, at);
    }
    this.#periods.onArrival(exchange, at);
  }

  onEnd(exchange: PassingExchange): void {
    this.#periods.onEnd(exchange);
    const feed = this.#open.get(exchange);
    if (feed) {
      if (exchange.isComplete) feed.read();
      this.#judgeParts(exchange, feed, exchange.endedAt!);
      this.#open.delete(exchange);
      return;
    }
    this.#forgetIfReplaced(exchange);
    const passed = new Passed(exchange, this.#context);
    if (!passed.isWhole) return;
    this.#judge(responseJudges, { passed, known: this.#known }, exchange);
    if (passed.isFeed && exchange.status === 200 && passed.isValid) this.#judgeFeed(passed);
    this.#learn(passed);
    // What is known of writes keeps their exchanges.
    exchange.release(this.#bodies ? recordedBytes : 0);
  }

  #judgeFeed(passed: Passed): void {
    const { passing, database } = passed;
    const parameters = feedParameters(passed);
    if (parameters.mode === 'continuous' || parameters.mode === 'eventsource') return;
    const feed = feedIn(passed.exchange);
    if (!feed) {
      this.#judge({ 'feed-shape': feedJudges['feed-shape'] }, { passed } as never, passing);
      return;
    }
    const known = this.#known;
    const hasOneCopy = database !== undefined && known.database(database).hasOneCopy;
    let record: RecordedExchange | undefined;
    const onMissing: FeedSubject['onMissing'] = (rule, write, violation) => {
      record ??= this.#record(passing);
      known.database(database!).suspect(this.#suspicion(rule, write, violation, record, passing.endedAt!));
    };
    this.#judge(feedJudges, { passed, known, parameters, feed, hasOneCopy, onMissing }, passing, parameters);
    for (const row of feed.rows) {
      this.#judge(
        rowJudges,
        { row, parameters, lacksDocuments: passing.lacksDocuments },
        passing,
        parameters,
      );
      this.#learnRow(passed, row, passing.endedAt!, parameters);
    }
    if (database !== undefined && !parameters.has('descending')) {
      known.database(database).addSeq(feed.lastSeq, passing.endedAt!);
    }
  }

  #judgeParts(exchange: PassingExchange, feed: OpenFeed, at: number): void {
    const { parameters, arrivals } = feed;
    const passed = arrivals.length === 0 ? undefined : new Passed(exchange, this.#context);
    for (const arrival of arrivals) {
      feed.recent = [...feed.recent.slice(1 - maxRecordedArrivals), { ...arrival, at }];
      if (arrival.kind === 'row') feed.rows += 1;
      if (arrival.kind === 'unrecognized' && !isReadable(arrival.text)) continue;
      const { rows, end } = feed;
      this.#judge(partJudges, { arrival, parameters, end, rows, headers: exchange.headers }, exchange);
      if (arrival.kind === 'end') feed.end = { last_seq: arrival.lastSeq };
      if (arrival.kind !== 'row') continue;
      const { lacksDocuments } = exchange;
      const { 'feed-row-shape': _, ...others } = rowJudges;
      this.#judge(others, { row: arrival.row, parameters, lacksDocuments }, exchange, parameters);
      this.#learnRow(passed!, arrival.row, at, parameters);
    }
    arrivals.length = 0;
  }

  #judge<Subject>(
    table: JudgeTable<Subject>,
    subject: Subject,
    exchange: PassingExchange,
    parameters?: FeedParameters,
  ): void {
    for (const [name, judge] of Object.entries(table) as [RuleId, Judge<Subject>][]) {
      const { since } = ruleById.get(name)!;
      if (since !== undefined && isOlder(this.#version, since)) continue;
      const rule = parameters ? ruleIn(parameters, name) : name;
      try {
        if (judge(subject)) this.findings.count(rule);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        this.#report(rule, error, exchange);
      }
    }
  }

  /** Keeps nothing of the response but its record. */
  #suspicion(
    rule: RuleId,
    write: KnownWrite,
    violation: Violation,
    record: RecordedExchange,
    endedAt: number,
  ): Suspicion {
    const confirm = (): void =>
      this.findings.add(rule, violation, () => ({
        exchanges: [write.record(), record],
        violating: 1,
        // Rows and ids have no credentials.
        redact: (text) => text,
      }));
    return { write, endedAt, confirm };
  }

  #report(rule: RuleId, violation: Violation, exchange: PassingExchange): void {
    const feed = this.#open.get(exchange);
    const { startedAt, endedAt = performance.now(), query } = exchange;
    this.findings.add(rule, violation, () => ({
      exchanges: [this.#record(exchange)],
      violating: 0,
      redact: redactorFor(exchange).text,
      ...(feed && {
        feed: recordFeed(
          {
            mode: feed.parameters.mode,
            query: Object.fromEntries(query),
            arrivals: feed.recent,
            sentAt: startedAt,
            endedAt: feed.recent.at(-1)?.at ?? endedAt,
          },
          startedAt,
        ),
      }),
    }));
  }

  #learnRow(
    { database, passing }: Passed,
    { id, seq, revs }: { id: string; seq: unknown; revs: readonly string[] },
    at: number,
    parameters: FeedParameters,
  ): void {
    if (database === undefined) return;
    const known = this.#known.database(database);
    if (!parameters.has('descending')) known.addSeq(seq, at);
    for (const rev of revs) known.confirm(id, rev, passing.startedAt);
  }

  #learn(passed: Passed): void {
    const { passing, operation, database } = passed;
    if (passing.status >= 400 || !operation) return;
    const body = parseJson(passed.exchange.text);
    const cookie = sessionCookie({ passed });
    if (operation.id === 'postSession' && cookie !== undefined) {
      const { name } = asObject(passed.sent);
      if (typeof name === 'string') this.#known.cookies.set(cookie, name);
    }
    if (database === undefined) return;
    const known = this.#known.database(database);
    if (operation.id === 'getDatabase') {
      const copies = asObject(asObject(body)['cluster'])['n'];
      if (typeof copies === 'number') known.hasOneCopy = copies === 1;
    }
    if (operation.id === 'getDocument' || operation.id === 'getDesignDocument') {
      const { _id: id, _rev: rev } = asObject(body);
      if (typeof id === 'string' && typeof rev === 'string') known.confirm(id, rev, passing.startedAt);
    }
    for (const { id, rev } of writesIn(passed, body)) {
      const { startedAt, endedAt } = passing;
      const record = (): RecordedExchange => this.#record(passing);
      known.addWrite({ id, rev, startedAt, endedAt: endedAt!, record });
    }
  }

  /** A database that is deleted, created, or purged is another one: nothing is known of it. */
  #forgetIfReplaced({ method, pathname }: PassingExchange): void {
    const [, name = '', ...rest] = pathname.split('/');
    const isWhole = rest.length === 0 && (method === 'PUT' || method === 'DELETE');
    if (isWhole || rest[0] === '_purge') this.#known.database(name).forget();
  }
}

const writing: ReadonlySet<string> = new Set([
  'postDocument',
  'putDocument',
  'deleteDocument',
  'putDesignDocument',
  'deleteDesignDocument',
  'putAttachment',
  'deleteAttachment',
  'bulkDocs',
]);

/** The writes that a response certainly acknowledges. */
function writesIn({ operation, passing, sent }: Passed, body: unknown): { id: string; rev: string }[] {
  // 202: another copy has not stored it yet. Without new edits, a revision may have been there before.
  if (!writing.has(operation!.id) || passing.status === 202 || passing.query.has('new_edits')) return [];
  if (operation!.id === 'bulkDocs' && (sent === undefined || 'new_edits' in asObject(sent))) return [];
  return (Array.isArray(body) ? (body as unknown[]) : [body]).flatMap((result) => {
    const { ok, id, rev } = asObject(result);
    const isStored = ok === true && typeof id === 'string' && typeof rev === 'string';
    return isStored && !id.startsWith('_local/') ? [{ id, rev }] : [];
  });
}

/** Rules of single modes that hold in longpoll mode as well. */
const inLongpoll: ReadonlySet<RuleId> = new Set([
  'feed-shape',
  'feed-row-shape',
  'feed-last-seq',
  'feed-pending',
  'longpoll-behind',
]);

/** The rule that a judgement is about in the mode of the feed. */
function ruleIn({ mode }: FeedParameters, rule: RuleId): RuleId {
  if (mode === 'normal' || inLongpoll.has(rule)) return rule;
  return rule.startsWith('filter-') ? 'filter-in-every-mode' : 'feed-parameters-in-every-mode';
}
