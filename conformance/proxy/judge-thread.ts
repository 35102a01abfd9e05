/** Judges what passes, in a thread of its own, so that it cannot delay the bytes. */
import type { MessagePort } from 'node:worker_threads';
import { loadDescription } from '../http/description.js';
import type { FoundViolation } from './findings.js';
import { HarWriter } from './har.js';
import { TrafficJudge, type JudgeOptions } from './judge.js';
import { type PassingObserver, PassingTraffic } from './passing.js';
import { createRecorder } from './record.js';
import type { CheckResult } from '../../reports/report.js';

export interface ThreadOptions extends JudgeOptions {
  readonly target: string;
  /** The file to record the traffic into. */
  readonly recording?: string | undefined;
  readonly maxBodyBytes: number;
  /** What to add to a time of the proxy to get milliseconds since 1970. */
  readonly timeOrigin: number;
}

/** A call of a function of {@link PassingTraffic}. */
export type Call = {
  [Name in keyof PassingTraffic]: [Name, ...Parameters<PassingTraffic[Name]>];
}[keyof PassingTraffic];

export type ToThread =
  | { readonly kind: 'calls'; readonly calls: readonly Call[]; readonly bytes: number }
  /** The proxy has not passed everything on. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'results' | 'end' };

export type FromThread =
  | { readonly kind: 'finding'; readonly found: FoundViolation }
  | { readonly kind: 'judged'; readonly bytes: number; readonly requests: number; readonly openFeeds: number }
  | {
      readonly kind: 'results';
      readonly found: readonly FoundViolation[];
      readonly results: readonly CheckResult[];
    };

/** Judges until it is told to end. */
export default function judgeTraffic({
  options,
  port,
}: {
  options: ThreadOptions;
  port: MessagePort;
}): Promise<void> {
  const post = (message: FromThread): void => port.postMessage(message);
  const keepsFeeds = options.recording !== undefined;
  const judge = new TrafficJudge({ ...options, keepsFeeds }, (found) => post({ kind: 'finding', found }));
  const writer = options.recording === undefined ? undefined : new HarWriter(options.recording, options);
  const traffic = new PassingTraffic(options, writer ? recording(judge, writer, options) : judge);
  return new Promise((resolve, reject) => {
    port.on('message', (message: ToThread) => {
      try {
        switch (message.kind) {
          case 'calls':
            for (const [name, ...args] of message.calls)
              (traffic[name] as (...args: unknown[]) => void)(...args);
            post({
              kind: 'judged',
              bytes: message.bytes,
              requests: judge.requests,
              openFeeds: judge.openFeeds,
            });
            return;
          case 'forget':
            return judge.forget();
          case 'results':
            return post({ kind: 'results', found: judge.findings.all(), results: judge.findings.results() });
          case 'end':
            writer?.close();
            port.close();
            resolve();
        }
      } catch (error) {
        port.close();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/** Records each exchange before the judge drops its bodies. */
function recording(judge: TrafficJudge, writer: HarWriter, options: ThreadOptions): PassingObserver {
  const record = createRecorder(options, loadDescription(options.dialect));
  return {
    onRequest: (exchange) => judge.onRequest(exchange),
    onResponse: (exchange) => judge.onResponse(exchange),
    onChunk: (exchange, bytes, at) => judge.onChunk(exchange, bytes, at),
    onEnd(exchange) {
      writer.add(record(exchange), options.timeOrigin + exchange.startedAt);
      judge.onEnd(exchange);
    },
  };
}
