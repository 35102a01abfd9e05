/** Judges the exchanges that pass. */
import { type RuleId, rules } from '../../openapi/generated/rules.js';
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import type { RecordedExchange, Report } from '../../reports/report.js';
import type { Chunk } from '../http/client.js';
import { loadDescription } from '../http/description.js';
import { asObject } from '../http/parse-json.js';
import { feedReaders, type Arrival } from '../play/feed-readers.js';
import { recordFeed } from '../play/feed-record.js';
import type { Row } from '../play/read-feed.js';
import { isOlder } from '../session/probe/service-version.js';
import { Violation } from '../engine/outcomes.js';
import { acknowledgedIn } from './acknowledged.js';
import { type Evidence, Findings, type FoundViolation, type RuleVerdict } from './findings.js';
import { documentsIn } from '../passing/documents.js';
import { Knowledge, type Shown } from '../passing/knowledge.js';
import { countIn, dueIn, forgetMissing, judgeCount, missingRows } from './missing-rows.js';
import {
  type Context,
  type FeedParameters,
  feedParameters,
  isReadable,
  Passed,
  sessionCookie,
} from '../passing/passed.js';
import type { PassingExchange } from '../passing/passing-exchange.js';
import type { PassingObserver } from './passing.js';
import { PeriodJudge } from './period-judge.js';
import { createRecorder, type PassingTimes, recordedBytes, redactorFor } from './record.js';
import { type ArrivalSubject, DoubtfulViolation, type Judge, type JudgedFeed } from '../passing/judges.js';
import { ruleHomes } from '../rules/generated/rule-homes.js';
import type { TrafficCapability } from '../rule-home.js';
import { ruleIn } from './rule-in-mode.js';

export interface Verdicts {
  readonly rules: readonly RuleVerdict[];
  readonly observations: Report['observations'];
  readonly capabilities: Report['target']['capabilities'];
}

export interface JudgeOptions {
  readonly dialect: Dialect;
  /** The version that the target declares, if it is known. */
  readonly version?: string | undefined;
  /** Whether the target has one copy of each database. Otherwise only databases count that say so. */
  readonly hasOneCopy: boolean;
  /** The claims that the target requires of tokens, as far as they are known. */
  readonly requiredClaims: readonly string[];
  /** Whether evidence may have documents. */
  readonly bodies: boolean;
  /** What the user can do so that rules are judged that nothing has shown. */
  readonly toShowMore: string;
  /** The path of the target's URL, without a slash at the end. */
  readonly prefix: string;
}

/** Called while exchanges pass. */
interface TrafficEvents {
  readonly onFinding?: (found: FoundViolation) => void;
  /** Gets each exchange at its end, if exchanges are to be recorded. */
  readonly onRecord?: ((record: RecordedExchange, times: PassingTimes) => void) | undefined;
}

/** Which database this is, if the target tells: when it was created, and what was purged of it since. */
function identityIn(info: Readonly<Record<string, unknown>>): string | undefined {
  const { instance_start_time: created, purge_seq: purged } = info;
  const isTold = typeof created === 'string' && /[1-9]/.test(created) && typeof purged === 'string';
  return isTold ? `${created} ${purged}` : undefined;
}

/** How much of a feed the evidence has. */
const maxRecordedArrivals = 200;

/** Of a stream with `seq_interval`. */
const maxKeptRows = 1000;

/** A feed whose response has begun. */
interface OpenFeed extends JudgedFeed {
  readonly read: (chunk?: Chunk) => void;
  /** Those that are not judged yet. */
  readonly arrivals: Arrival[];
  /** Of a stream, the last ones, with the times of the proxy. */
  readonly recent: Arrival[];
}

/** @param hasOneCopy whether a response has said that a database has one copy */
function trafficCapabilities(
  options: JudgeOptions,
  hasOneCopy: boolean,
): (Report['target']['capabilities'][number] & { name: TrafficCapability })[] {
  return [
    {
      name: 'single-copy',
      available: options.hasOneCopy || hasOneCopy,
      how: options.hasOneCopy ? '--single-copy' : 'responses to `GET /{db}`',
      remedy: 'use --single-copy, if the target has one copy of each database',
    },
    {
      name: 'jwt-required-claims',
      available: options.requiredClaims.length > 0,
      how: '--required-claims',
      remedy: 'use --required-claims, if the target requires claims of tokens',
    },
  ];
}

type JudgeOf<Subject> = readonly [RuleId, Judge<Subject>];

/** The judges of those rules that the version of the target has. */
function judgesFor(version: string | undefined): {
  response: JudgeOf<Passed>[];
  feed: JudgeOf<ArrivalSubject>[];
  feedEnd: JudgeOf<JudgedFeed>[];
} {
  const response: JudgeOf<Passed>[] = [];
  const feed: JudgeOf<ArrivalSubject>[] = [];
  const feedEnd: JudgeOf<JudgedFeed>[] = [];
  for (const { id, since } of rules) {
    const { inTraffic } = ruleHomes[id];
    if (inTraffic === undefined || (since !== undefined && isOlder(version, since))) continue;
    if (inTraffic.response) response.push([id, inTraffic.response]);
    if (inTraffic.feed) feed.push([id, inTraffic.feed]);
    if (inTraffic.feedEnd) feedEnd.push([id, inTraffic.feedEnd]);
  }
  return { response, feed, feedEnd };
}

export class TrafficJudge implements PassingObserver {
  readonly #findings: Findings;
  /** What the service document does not specify, by id. */
  readonly #observations = new Map<string, unknown>();
  /** The number of requests. */
  requests = 0;
  readonly #open = new Map<PassingExchange, OpenFeed>();
  readonly #context: Context;
  readonly #options: JudgeOptions;
  readonly #periods: PeriodJudge;
  readonly #record: ReturnType<typeof createRecorder>;
  readonly #onRecord: TrafficEvents['onRecord'];
  readonly #judges: ReturnType<typeof judgesFor>;
  /** The evidence of violations that are none yet. */
  readonly #doubtful = new WeakMap<PassingExchange, Evidence>();

  constructor(options: JudgeOptions, { onFinding = () => {}, onRecord }: TrafficEvents = {}) {
    const { dialect, version, hasOneCopy, requiredClaims } = options;
    this.#judges = judgesFor(version);
    this.#options = options;
    this.#onRecord = onRecord;
    const description = loadDescription(dialect);
    const known = new Knowledge(hasOneCopy);
    this.#context = { description, names: dialects[dialect], requiredClaims, known };
    this.#record = createRecorder(options, description);
    this.#findings = new Findings(options, onFinding);
    this.#periods = new PeriodJudge(
      (rule, violation, exchange) => this.#report(rule, violation, exchange),
      (rule, exchange) => this.#findings.count(rule, exchange),
    );
  }

  /** The number of feeds that are open. */
  get openFeeds(): number {
    return this.#open.size;
  }

  onRequest(exchange: PassingExchange): void {
    this.requests += 1;
    this.#forgetIfReplaced(exchange);
  }

  onResponse(exchange: PassingExchange): void {
    const at = exchange.headersAt!;
    this.#periods.onArrival(exchange, at);
    const passed = new Passed(exchange, this.#context);
    if (!passed.isFeed || exchange.status !== 200 || !passed.isValid) return;
    const parameters = feedParameters(passed);
    this.#periods.watch(exchange, parameters, at);
    const arrivals: Arrival[] = [];
    this.#open.set(exchange, {
      passed,
      parameters,
      arrivals,
      read: feedReaders[parameters.mode](arrivals),
      // What is compressed shows nothing before its end.
      isLive: parameters.isStream && !exchange.body.isEncoded,
      due: dueIn(passed, parameters),
      hasOneCopy: passed.database?.hasOneCopy ?? false,
      recent: [],
      place: passed.database?.order.placeOf(parameters.since),
      rows: [],
      count: 0,
      unread: 0,
      end: undefined,
      hasResults: false,
      lastRowAt: at,
      heartbeats: 0,
    });
  }

  onChunk(exchange: PassingExchange, bytes: Uint8Array, at: number): void {
    const chunk = { atMs: at - exchange.headersAt!, bytes };
    const feed = this.#open.get(exchange);
    if (!feed?.isLive || this.#onRecord) exchange.body.add(chunk);
    if (feed?.isLive) {
      feed.read(chunk);
      this.#judgeArrivals(feed, at);
    }
    this.#periods.onArrival(exchange, at);
  }

  onEnd(exchange: PassingExchange): void {
    // Before its bodies are dropped.
    this.#onRecord?.(this.#record(exchange), {
      startedAt: exchange.startedAt,
      endedAt: exchange.endedAt!,
    });
    this.#periods.onEnd(exchange);
    this.#forgetIfReplaced(exchange);
    const feed = this.#open.get(exchange);
    const passed = feed?.passed ?? new Passed(exchange, this.#context);
    if (feed?.isLive || passed.isWhole) {
      if (!feed?.isLive) this.#judge(this.#judges.response, passed, exchange);
      if (feed) this.#endFeed(feed);
      else this.#learn(passed);
    }
    this.#open.delete(exchange);
    // What is known of writes keeps their exchanges.
    exchange.release(this.#options.bodies ? recordedBytes : 0);
  }

  verdicts(): Verdicts {
    const observations = [...this.#observations].map(([id, value]) => ({ id, value }));
    const capabilities = trafficCapabilities(this.#options, this.#context.known.hasOneCopy);
    return { rules: this.#findings.verdicts(capabilities), observations, capabilities };
  }

  onLoss(): void {
    this.#context.known.forget();
  }

  #endFeed(feed: OpenFeed): void {
    const { passing } = feed.passed;
    if (!feed.isLive) for (const chunk of passing.body.decoded()!) feed.read(chunk);
    if (passing.isComplete) feed.read();
    feed.hasResults = feed.arrivals.at(-1)?.kind === 'end';
    this.#judgeArrivals(feed, passing.endedAt!);
    if (passing.isEnded) this.#judge(this.#judges.feedEnd, feed, passing);
    this.#judgeMissing(feed);
    this.#judgeCount(feed);
  }

  /** Judges what a feed lacks when it has ended, and a later response shows that it is still there. */
  #judgeMissing(feed: OpenFeed): void {
    const { passing, database: known } = feed.passed;
    const missing = known && missingRows(feed, known);
    if (!missing) return;
    const { rule, changes, allowed, violationOf } = missing;
    this.#findings.count(rule, passing);
    if (changes.length <= allowed) return;
    const record = this.#record(passing);
    // Another leaf may be the one that the filter has seen.
    const isOnlyLeaf = feed.parameters.filter === '_selector';
    let seen = 0;
    for (const change of changes) {
      const { id, rev, startedAt, endedAt } = change;
      const report = (): void => {
        if ((seen += 1) <= allowed) return;
        this.#findings.add(rule, violationOf(change), passing, () => ({
          exchanges: [change.record(), record],
          violating: 1,
          // Rows and ids have no credentials.
          redact: (text) => text,
        }));
      };
      // A row may come back after the database was made again, with the documents that it had before.
      const mayComeBack = isOnlyLeaf || startedAt === undefined;
      const onConfirmed = (at: number): void =>
        mayComeBack
          ? known.doubt(`${rule} ${id}`, { from: startedAt ?? endedAt, to: at, onConfirmed: report })
          : report();
      const as = isOnlyLeaf ? 'only leaf' : 'stored';
      known.suspect({ id, rev, as, endedAt: passing.endedAt!, onConfirmed });
    }
  }

  /** Judges whether a feed has as many changes as an earlier response has counted after its start, and learns its count. */
  #judgeCount(feed: OpenFeed): void {
    const { passing, database: known } = feed.passed;
    if (!known || !feed.hasOneCopy) return;
    const record = (): RecordedExchange => this.#record(passing);
    const counted = countIn(feed);
    const judged = judgeCount(feed, known);
    if (counted) {
      const { startedAt, endedAt } = passing;
      known.addCount(counted.since, { pending: counted.pending, startedAt, endedAt: endedAt!, record });
    }
    if (!judged) return;
    const { earlier, violation } = judged;
    this.#findings.count('feed-pending', passing);
    if (!violation) return;
    const onConfirmed = (): void =>
      this.#findings.add('feed-pending', violation, passing, () => ({
        exchanges: [earlier.record(), record()],
        violating: 1,
        redact: (text) => text,
      }));
    known.doubt('feed-pending', { from: earlier.startedAt, to: passing.endedAt!, onConfirmed });
  }

  #judgeArrivals(feed: OpenFeed, at: number): void {
    const { arrivals, passed, parameters, due } = feed;
    const { passing, database: known } = passed;
    const record = (): RecordedExchange => this.#record(passing);
    for (const arrival of arrivals) {
      if (feed.isLive) feed.recent.push({ ...arrival, at });
      if (feed.recent.length > 2 * maxRecordedArrivals) feed.recent.splice(0, maxRecordedArrivals);
      if (arrival.kind === 'unrecognized') {
        feed.unread += 1;
        if (due) forgetMissing(due);
        if (!isReadable(arrival.text)) continue;
      }
      if (arrival.kind === 'heartbeat') feed.heartbeats += 1;
      if (arrival.kind === 'row') {
        feed.count += 1;
        feed.heartbeats = 0;
        feed.lastRowAt = at;
        feed.rows.push(arrival.row);
        const kept = Math.min(parameters.seqInterval ?? 0, maxKeptRows);
        if (feed.isLive && feed.rows.length > kept) feed.rows.shift();
      }
      this.#judge(this.#judges.feed, { arrival, feed }, passing, parameters);
      if (arrival.kind === 'end') feed.end = { last_seq: arrival.lastSeq, pending: arrival.pending };
      if (arrival.kind === 'row') {
        const {
          id,
          revs: [rev],
          value: { deleted },
        } = arrival.row;
        if (feed.hasOneCopy && rev !== undefined) {
          const isDeleted = parameters.style === 'main_only' ? deleted === true : undefined;
          const delivering = { deliveries: due, rows: feed.count, isLive: feed.isLive };
          known?.changes.addRow({ id, rev, isDeleted, endedAt: at, record }, delivering);
        }
        this.#learnFromRow(arrival.row, feed, at);
      }
      const seq = arrival.kind === 'row' ? arrival.row.seq : arrival.kind === 'end' && arrival.lastSeq;
      if (known && seq !== false && parameters.has('descending') === false) {
        const id = arrival.kind === 'row' ? arrival.row.id : undefined;
        // A selector may reject a later winner, and the feed goes on without the row.
        const deliveries = parameters.filter === '_selector' ? undefined : due;
        feed.place = known.order.addSeq(seq, { at, deliveries, rows: feed.count, id }, feed.place);
      }
    }
    arrivals.length = 0;
  }

  #judge<Subject>(
    table: readonly JudgeOf<Subject>[],
    subject: Subject,
    exchange: PassingExchange,
    parameters?: FeedParameters,
  ): void {
    for (const [name, judge] of table) {
      const rule = parameters ? ruleIn(parameters.mode, name) : name;
      try {
        if (judge(subject) !== false) this.#findings.count(rule, exchange);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        if (error instanceof DoubtfulViolation) this.#doubt(rule, error, exchange);
        else this.#report(rule, error, exchange);
      }
    }
  }

  #report(rule: RuleId, violation: Violation, exchange: PassingExchange): void {
    this.#findings.add(rule, violation, exchange, () => this.#evidenceOf(exchange));
  }

  /** Reports it when later responses show that it is none that others have caused. */
  #doubt(rule: RuleId, violation: DoubtfulViolation, exchange: PassingExchange): void {
    this.#findings.count(rule, exchange);
    const { database: known } = this.#open.get(exchange)?.passed ?? new Passed(exchange, this.#context);
    if (!known) return;
    const { since, still, message } = violation;
    const about = `${rule} ${message}`;
    const { seenAt } = exchange;
    // Its bodies are dropped later.
    const evidence = this.#doubtful.get(exchange) ?? this.#evidenceOf(exchange);
    this.#doubtful.set(exchange, evidence);
    const from = Math.min(since, exchange.startedAt);
    const doubt = (to: number): void =>
      known.doubt(about, {
        from,
        to,
        onConfirmed: () => this.#findings.add(rule, violation, exchange, () => evidence),
      });
    if (still) known.suspect({ ...still, endedAt: seenAt, onConfirmed: doubt });
    else doubt(seenAt);
  }

  #evidenceOf(exchange: PassingExchange): Evidence {
    const feed = this.#open.get(exchange);
    const { startedAt, seenAt, query } = exchange;
    return {
      exchanges: [this.#record(exchange)],
      violating: 0,
      redact: redactorFor(exchange).text,
      ...(feed?.isLive && {
        feed: recordFeed(
          {
            mode: feed.parameters.mode,
            query: Object.fromEntries(query),
            arrivals: feed.recent.slice(-maxRecordedArrivals),
            sentAt: startedAt,
            endedAt: feed.recent.at(-1)?.at ?? seenAt,
          },
          startedAt,
        ),
      }),
    };
  }

  #learnFromRow({ id, revs, value }: Row, { passed, parameters }: OpenFeed, at: number): void {
    const { passing, database: known } = passed;
    if (!known) return;
    const { startedAt } = passing;
    const { style, filter } = parameters;
    const hasLeaves = style === 'all_docs' && filter === undefined;
    if (hasLeaves) known.addLeaves(id, { revs, at });
    const asLeaf: readonly Shown[] = revs.length === 1 ? ['leaf', 'only leaf'] : ['leaf'];
    for (const rev of revs)
      known.confirm(id, rev, { startedAt, at }, ['stored', ...(hasLeaves ? asLeaf : [])]);
    if (!parameters.has('include_docs') || passing.lacksDocuments) return;
    const doc = asObject(value['doc']);
    const { _id: docId, _rev: rev } = doc;
    if (docId === id && typeof rev === 'string' && doc['_deleted'] === undefined)
      known.addBody(id, rev, doc, { size: JSON.stringify(doc).length, startedAt, from: 'feed' });
  }

  #learn(passed: Passed): void {
    const { passing, operation } = passed;
    if (passing.status >= 400 || !operation) return;
    const cookie = sessionCookie(passed);
    if (operation.id === 'postSession' && cookie !== undefined) {
      const { name } = asObject(passed.sent);
      if (typeof name === 'string') this.#context.known.cookies.set(cookie, name);
      const [, ...attributes] = passing.headers.get('set-cookie')!.at(-1)!.split(/;\s*/);
      this.#observations.set('login-cookie-attributes', attributes);
    }
    const known = passed.database;
    if (!known) return;
    if (operation.id === 'getDatabase') {
      const { n: copies, q: shards } = asObject(passed.body['cluster']);
      if (typeof copies === 'number') known.hasOneCopy = copies === 1;
      known.hasOneShard = shards === 1;
      const identity = identityIn(passed.body);
      if (identity !== undefined) known.identify(identity, passing.startedAt, passing.endedAt!);
    }
    const { startedAt, endedAt } = passing;
    const documents = documentsIn(passed);
    for (const { id, rev, document } of documents) {
      known.confirm(id, rev, { startedAt, at: endedAt! }, ['stored']);
      const size = Math.ceil(passing.body.size / documents.length);
      if (!('_deleted' in document) && !passing.lacksDocuments)
        known.addBody(id, rev, document, { size, startedAt, from: 'document' });
    }
    const acknowledged = acknowledgedIn(passed);
    for (const { sent, ...write } of acknowledged) {
      const record = (): RecordedExchange => this.#record(passing);
      const { id, rev, isDeleted } = write;
      known.addWrite({ ...write, startedAt, endedAt: endedAt!, record });
      const size = Math.ceil(passing.requestBody.size / acknowledged.length);
      if (sent && isDeleted === false) known.addBody(id, rev, sent, { size, startedAt, from: 'write' });
    }
  }

  /** A database that is deleted, created, or purged is another one: nothing is known of it. */
  #forgetIfReplaced({ method, pathname }: PassingExchange): void {
    const [, name = '', ...rest] = pathname.split('/');
    const isWhole = rest.length === 0 && (method === 'PUT' || method === 'DELETE');
    if (isWhole || rest[0] === '_purge') this.#context.known.database(name).forget();
  }
}
