/** Judges what passes, in a thread of its own, so that it cannot delay the bytes. */
import type { MessagePort } from 'node:worker_threads';
import { loadDescription } from '../http/description.js';
import type { FoundViolation } from './findings.js';
import { HarWriter } from './har.js';
import { TrafficJudge, type JudgeOptions, type Verdicts } from './judge.js';
import { type ConnectionCall, type PassingExchange, PassingTraffic } from './passing.js';
import { createRecorder } from './record.js';

export interface ThreadOptions extends JudgeOptions {
  readonly target: string;
  /** The file to record the traffic into. */
  readonly recording?: string | undefined;
  readonly maxBodyBytes: number;
  /** What to add to a time of the proxy to get milliseconds since 1970. */
  readonly timeOrigin: number;
}

export type ToThread =
  | { readonly kind: 'calls'; readonly calls: readonly ConnectionCall[]; readonly bytes: number }
  | { readonly kind: 'verdicts' | 'end' };

export type FromThread =
  | { readonly kind: 'finding'; readonly found: FoundViolation }
  | { readonly kind: 'judged'; readonly bytes: number; readonly requests: number; readonly openFeeds: number }
  | ({ readonly kind: 'verdicts' } & Verdicts);

/** Records each exchange before the judge drops its bodies. */
class RecordingJudge extends TrafficJudge {
  readonly writer: HarWriter;
  readonly #add: (exchange: PassingExchange) => void;

  constructor(file: string, options: ThreadOptions, onFinding: (found: FoundViolation) => void) {
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

/** Judges until it is told to end. */
export default function judgeTraffic({ options, port }: { options: ThreadOptions; port: MessagePort }) {
  const post = (message: FromThread): void => port.postMessage(message);
  const onFinding = (found: FoundViolation): void => post({ kind: 'finding', found });
  const { recording } = options;
  const judge =
    recording === undefined
      ? new TrafficJudge(options, onFinding)
      : new RecordingJudge(recording, options, onFinding);
  const traffic = new PassingTraffic(options, judge);
  return new Promise<void>((resolve) => {
    port.on('message', (message: ToThread) => {
      if (message.kind === 'calls') {
        const { calls, bytes } = message;
        for (const call of calls) traffic.call(call);
        post({ kind: 'judged', bytes, requests: judge.requests, openFeeds: judge.openFeeds });
      } else if (message.kind === 'verdicts') {
        post({ kind: 'verdicts', ...judge.verdicts() });
      } else {
        if (judge instanceof RecordingJudge) judge.writer.close();
        port.close();
        resolve();
      }
    });
  });
}
