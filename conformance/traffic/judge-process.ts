/**
 * Judges what passes, in a process of its own, so that neither the judge nor its garbage collection delays the bytes. It
 * ends with the process of the proxy.
 */
import { constants, setPriority } from 'node:os';
import { type EventBatch, eventsIn } from './event-batch.js';
import type { FoundViolation } from './findings.js';
import { HarWriter } from './har.js';
import { TrafficJudge, type JudgeOptions, type Verdicts } from './judge.js';
import { PassingTraffic } from './passing.js';

export interface JudgingOptions extends JudgeOptions {
  readonly target: string;
  /** The file to record the traffic into. */
  readonly recording?: string | undefined;
  /** What to add to a time of the proxy to get milliseconds since 1970. */
  readonly timeOrigin: number;
}

export type ToJudge =
  | { readonly kind: 'start'; readonly options: JudgingOptions }
  | { readonly kind: 'events'; readonly batch: EventBatch; readonly waitingBytes: number }
  | { readonly kind: 'loss' | 'verdicts' | 'end' };

export type FromJudge =
  | { readonly kind: 'finding'; readonly found: FoundViolation }
  | {
      readonly kind: 'judged';
      /** Those that wait no more. */
      readonly waitingBytes: number;
      readonly requests: number;
      readonly openFeeds: number;
    }
  /** Findings are not repeated in it. It is the answer to a question, or what is known after each second of judging. */
  | ({ readonly kind: 'verdicts'; readonly isAnswer: boolean } & Verdicts)
  | { readonly kind: 'failure'; readonly reason: string };

/** How often the proxy gets what is known, in milliseconds: it may have to end before it gets an answer. */
const snapshotMs = 1000;

// A terminal sends its signals to this process, too. The proxy decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** After the proxy's process has ended, nobody reads a message, so that one that cannot be sent is no error. */
const post = (message: FromJudge): void => void process.send!(message, undefined, undefined, () => {});

let judge: TrafficJudge;
let traffic: PassingTraffic;
let writer: HarWriter | undefined;
/** When the verdicts were last posted. */
let postedAt = 0;

function start(options: JudgingOptions): void {
  const { recording, timeOrigin } = options;
  const har = recording === undefined ? undefined : new HarWriter(recording, options);
  writer = har;
  judge = new TrafficJudge(options, {
    onFinding: (found) => post({ kind: 'finding', found }),
    onRecord:
      har &&
      ((record, { startedAt, endedAt }) =>
        har.add(record, { startedAt: timeOrigin + startedAt, endedAt: timeOrigin + endedAt })),
  });
  traffic = new PassingTraffic(judge);
  postVerdicts(false);
  // So that judging hardly competes with the traffic for the processor. Traffic waits until the judge is ready.
  setPriority(constants.priority.PRIORITY_LOW);
}

function postVerdicts(isAnswer: boolean): void {
  const { rules, ...others } = judge.verdicts();
  post({
    kind: 'verdicts',
    isAnswer,
    rules: rules.map(({ otherwise }) => ({ otherwise, violations: [] })),
    ...others,
  });
  postedAt = performance.now();
}

function handle(message: ToJudge): void {
  switch (message.kind) {
    case 'start':
      start(message.options);
      break;
    case 'events': {
      const { batch, waitingBytes } = message;
      for (const event of eventsIn(batch)) traffic.onEvent(event);
      post({ kind: 'judged', waitingBytes, requests: judge.requests, openFeeds: judge.openFeeds });
      if (performance.now() - postedAt > snapshotMs) postVerdicts(false);
      break;
    }
    case 'loss':
      traffic.onLoss();
      break;
    case 'verdicts':
      postVerdicts(true);
      break;
    case 'end':
      // Node.js passes on together what came while this module was loaded, and must not lose the channel meanwhile.
      setImmediate(() => process.disconnect());
  }
}

// Also when the process of the proxy has ended in another way.
process.on('disconnect', () => writer?.close());

process.on('message', (message: ToJudge) => {
  try {
    handle(message);
  } catch (error) {
    post({ kind: 'failure', reason: (error as Error).message });
  }
});
