/**
 * Judges what passes, in a process of its own, so that neither the judge nor its garbage collection delays the bytes. It
 * ends with the process of the proxy.
 */
import { constants, setPriority } from 'node:os';
import { loadDescription } from '../http/description.js';
import { type EventBatch, eventsIn } from './event-batch.js';
import type { FoundViolation } from './findings.js';
import { HarWriter } from './har.js';
import { TrafficJudge, type JudgeOptions, type Verdicts } from './judge.js';
import { type PassingExchange, PassingTraffic } from './passing.js';
import { createRecorder } from './record.js';

export interface JudgingOptions extends JudgeOptions {
  readonly target: string;
  /** The file to record the traffic into. */
  readonly recording?: string | undefined;
  readonly maxBodyBytes: number;
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
  | ({ readonly kind: 'verdicts' } & Verdicts)
  | { readonly kind: 'failure'; readonly reason: string };

/** Records each exchange before the judge drops its bodies. */
class RecordingJudge extends TrafficJudge {
  readonly writer: HarWriter;
  readonly #add: (exchange: PassingExchange) => void;

  constructor(file: string, options: JudgingOptions, onFinding: (found: FoundViolation) => void) {
    super({ ...options, keepsFeeds: true }, onFinding);
    const record = createRecorder(options, loadDescription(options.dialect));
    this.writer = new HarWriter(file, options);
    this.#add = (exchange) => this.writer.add(record(exchange), options.timeOrigin + exchange.startedAt);
  }

  override onEnd(exchange: PassingExchange): void {
    this.#add(exchange);
    super.onEnd(exchange);
  }
}

// So that judging hardly competes with the traffic for the processor.
setPriority(constants.priority.PRIORITY_LOW);
// A terminal sends its signals to this process, too. The proxy decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** After the proxy's process has ended, nobody reads a message, so that one that cannot be sent is no error. */
const post = (message: FromJudge): void => void process.send!(message, undefined, undefined, () => {});

function createJudge(options: JudgingOptions): TrafficJudge {
  const onFinding = (found: FoundViolation): void => post({ kind: 'finding', found });
  const { recording } = options;
  return recording === undefined
    ? new TrafficJudge(options, onFinding)
    : new RecordingJudge(recording, options, onFinding);
}

let judge: TrafficJudge;
let traffic: PassingTraffic;

function handle(message: ToJudge): void {
  switch (message.kind) {
    case 'start':
      judge = createJudge(message.options);
      traffic = new PassingTraffic(message.options, judge);
      break;
    case 'events': {
      const { batch, waitingBytes } = message;
      for (const event of eventsIn(batch)) traffic.onEvent(event);
      post({ kind: 'judged', waitingBytes, requests: judge.requests, openFeeds: judge.openFeeds });
      break;
    }
    case 'loss':
      traffic.onLoss();
      break;
    case 'verdicts':
      post({ kind: 'verdicts', ...judge.verdicts() });
      break;
    case 'end':
      if (judge instanceof RecordingJudge) judge.writer.close();
      process.disconnect();
  }
}

process.on('message', (message: ToJudge) => {
  try {
    handle(message);
  } catch (error) {
    post({ kind: 'failure', reason: (error as Error).message });
  }
});
