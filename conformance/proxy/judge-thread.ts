/** Judges what passes, in a thread of its own, so that it cannot delay the bytes. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { loadDescription } from '../http/description.js';
import type { FoundViolation } from './findings.js';
import { HarWriter } from './har.js';
import { TrafficJudge, type JudgeOptions, type Verdicts } from './judge.js';
import { type ConnectionCall, type PassingExchange, PassingTraffic } from './passing.js';
import { createRecorder } from './record.js';
import type { Side } from './relay.js';

export interface ThreadOptions extends JudgeOptions {
  readonly target: string;
  /** The file to record the traffic into. */
  readonly recording?: string | undefined;
  readonly maxBodyBytes: number;
  /** What to add to a time of the proxy to get milliseconds since 1970. */
  readonly timeOrigin: number;
}

/** As a call, with the number of bytes in place of them. */
export type BatchedCall =
  | Exclude<ConnectionCall, readonly ['onBytes', ...unknown[]]>
  | [name: 'onBytes', id: number, side: Side, length: number, at: number];

export type ToThread =
  | {
      readonly kind: 'calls';
      readonly calls: readonly BatchedCall[];
      /** Those of all calls. */
      readonly bytes: Uint8Array;
      readonly waitingBytes: number;
    }
  | { readonly kind: 'loss' | 'verdicts' | 'end' };

export type FromThread =
  | { readonly kind: 'finding'; readonly found: FoundViolation }
  | {
      readonly kind: 'judged';
      /** Those that wait no more. */
      readonly waitingBytes: number;
      readonly requests: number;
      readonly openFeeds: number;
    }
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

/**
 * Judges only while the processor has nothing else to do, so that judging does not compete with the traffic. Without
 * effect on systems where a thread has no priority of its own.
 */
function yieldToTraffic(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {
    // There is no such file.
  }
}

/** Judges until it is told to end. */
export default function judgeTraffic({ options, port }: { options: ThreadOptions; port: MessagePort }) {
  yieldToTraffic();
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
        const { calls, bytes, waitingBytes } = message;
        let offset = 0;
        for (const call of calls) {
          if (call[0] !== 'onBytes') traffic.call(call);
          else {
            const [name, id, side, length, at] = call;
            // What is kept of it must not keep the others.
            traffic.call([name, id, side, bytes.slice(offset, offset + length), at]);
            offset += length;
          }
        }
        post({ kind: 'judged', waitingBytes, requests: judge.requests, openFeeds: judge.openFeeds });
      } else if (message.kind === 'loss') {
        traffic.onLoss();
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
