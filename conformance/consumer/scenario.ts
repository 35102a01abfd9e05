/** What a scenario is: a server, what happens to the requests of the consumer, and the order of events. All of it is data. */
import type { RuleId } from '../../openapi/generated/rules.js';
import type { Variation } from '../../reference/index.js';
import type { HistoryShape } from './scenario-histories.js';

/** `fields` has the fields in another order, data in several lines, a comment, and a field that browsers wait by. */
export type EventForm = 'CRLF' | 'CR' | 'fields';

/** Another form of a response that means the same: a consumer reads it like any other. */
export interface ResponseForm {
  /** Media types have a parameter. */
  readonly mediaTypes?: true;
  /** A proxy sets a cookie of its own before that of the session. */
  readonly otherCookie?: true;
  /** For this time the session cookie says that it is to be kept (`Max-Age`), in seconds. */
  readonly maxAge?: number;
  /** The session cookie is for https only (`Secure`). */
  readonly secureCookie?: true;
  /** The leaf revisions in each row come in the opposite order. */
  readonly reversesLeaves?: true;
  /** All objects have their members in the opposite order, so that `last_seq` comes before `results`. */
  readonly reversesMembers?: true;
  /** Objects have members that the rules do not name. */
  readonly addsMembers?: true;
  /** `pending` counts the changes that a filter rejects as well. */
  readonly countsRejected?: true;
  /** Of event streams. */
  readonly events?: EventForm;
  /** An empty line comes after each row and each heartbeat. */
  readonly emptyLines?: true;
  /** The object at the end of a continuous feed has spaces, and its members in another order. */
  readonly otherEnd?: true;
  /** Each row comes in two pieces, with a pause between them, that meet inside a character if it has one outside of ASCII. */
  readonly pieces?: true;
  /** A line feed comes each quarter of a second before each row, for this time. */
  readonly paceMs?: number;
}

/** Something that the network, a proxy or the server does to some requests of the consumer. */
export interface Treatment {
  /** Which requests: of any feed (the default), of feeds that wait for changes, logins, those that store documents, or all. */
  readonly of?: 'feeds' | 'live feeds' | 'logins' | 'writes' | 'all';
  /** Number of these requests that do not get it, because they come first. Default 0. */
  readonly after?: number;
  /** Number of requests that get the treatment. Default 1. */
  readonly times?: number;
  /**
   * Answers instead of the server, which gets the request only if it acts. With `retryAfter`, in seconds, each request gets
   * the answer until that time is over. If the server insists, an attempt to read a feed begins that time again.
   */
  readonly answer?: {
    readonly status: number;
    /** Whether the server does what the request asks before the answer. */
    readonly acts?: true;
    readonly retryAfter?: number;
    /** Whether the server says when it can be tried again as a date. Default: in how many seconds. */
    readonly asDate?: true;
    readonly insists?: true;
    readonly type?: string;
    readonly body: string;
  };
  /**
   * The server is away for this time, in milliseconds: it closes the connection of each request without an answer. More
   * attempts than `most` of one feed in this time are too many. Default: any number is right.
   */
  readonly away?: { readonly ms: number; readonly most?: number };
  /** Redirects to another host. */
  readonly redirect?: true;
  /** Passes the request on only after this time. */
  readonly delayMs?: number;
  /** Parameters that the server gets instead of those of the consumer; null for none. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  /** The server gets the `since` of an earlier request: a node that knows an older state. */
  readonly earlierSince?: true;
  /** Breaks the connection after this number of rows, between two rows or inside the next one. */
  readonly cut?: { readonly rows: number; readonly inside?: true };
  /** Sends nothing more after this number of rows, and keeps the connection open. */
  readonly silence?: { readonly rows: number };
  readonly form?: ResponseForm;
}

/**
 * The events after which a consumer is killed near a border of its work: `ask` waits until it has sent requests, `get`
 * until a row has reached it, `store` until it has changed its checkpoint, and `copy` until it has written to its target.
 * The case says which request, how long after the row, and which change of a file.
 */
export const moments = ['ask', 'get', 'store', 'copy'] as const;

export type Moment = (typeof moments)[number];

/** How many times as fast as the real one the clock of a consumer may be: an hour takes half a minute to three minutes. */
export const clockRates = [20, 120] as const;

/**
 * The events of a scenario, in order. `write` writes the next part of the history. `know` waits until the consumer knows
 * all of it, `idle` until it waits for changes, and `say` until it has said something new, so that the next event comes in
 * the middle of its work. `settle` waits for a grace period without progress, in which a consumer can store its checkpoint.
 * `be away for an hour` is an hour of the clock of the consumer, which is fast, and lasts until the consumer has tried once
 * more after it.
 */
export type Event =
  | Moment
  | 'start'
  | 'write'
  | 'say'
  | 'know'
  | 'idle'
  | 'settle'
  | 'terminate'
  | 'kill'
  | 'cut all connections'
  | 'restart the server'
  | 'be away for an hour'
  | 'restart the server with another secret'
  | 'show an unknown certificate'
  | 'show the certificate of another host'
  | 'send the heartbeats of a day'
  | 'let cookies expire'
  | 'let cookies end as they said'
  | 'change the selector'
  | 'delete the database'
  | 'create the database';

export interface Scenario {
  /** The rule, or `<rule>/<variant>`. */
  readonly id: string;
  /** The rule that allows what the scenario does. */
  readonly rule: RuleId;
  /** `SHOULD` if a consumer that does not survive it is not wrong: CouchDB does not do that. Default: the level of the rule. */
  readonly level?: 'SHOULD';
  /** One sentence that says what the consumer has to survive. */
  readonly title: string;
  /** Whether the name and the password have characters that a URL must encode. */
  readonly credentials?: 'unusual';
  /** Whether the server speaks https, with a certificate of an authority that only the consumer knows. */
  readonly https?: true;
  /** Whether the name of the database has characters that a URL must encode. */
  readonly database?: 'unusual';
  /** What the target of a replicator does, with `needs: 'target'`. */
  readonly target?: {
    /** What happens to the requests that it gets. */
    readonly treatments?: readonly Treatment[];
    /** Whether a function in it refuses the documents of group `b`, so that the replicator need not copy them. */
    readonly refusesGroup?: true;
  };
  /** Whether the server refuses a seq of another database, or of an earlier one of the same name. Default: it starts at 0. */
  readonly refusesOtherSeqs?: true;
  /** Behaviour of the server that the rules allow. */
  readonly vary?: Variation;
  readonly treatments?: readonly Treatment[];
  /** Whether the seed selects a mixture of variations and of the treatments. It shrinks to those that matter. */
  readonly mixes?: true;
  readonly history: HistoryShape;
  readonly events: readonly Event[];
  /** What the consumer must do for the scenario to mean something. Otherwise it is skipped, with this reason. */
  readonly needs?: 'cookies' | 'event stream' | 'leaves' | 'selector' | 'target';
  /**
   * After the server was away for an hour, the longest time in which a consumer must try again, in milliseconds of its
   * clock. Default: its waits may grow.
   */
  readonly mostWaitMs?: number;
  /** Whether the consumer must not read most of the rows again after its last start. */
  readonly continues?: true;
}
