/** Judges a recording of traffic. */
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { asObject, parseJson } from '../http/json.js';
import { readHar, type Recording, replay } from './har.js';
import { TrafficJudge } from './judge.js';
import { type ProxyOptions, trafficReport } from './start-proxy.js';

export type RecordingOptions = Partial<
  Pick<ProxyOptions, 'target' | 'dialect' | 'serviceVersion' | 'hasOneCopy' | 'bodies' | 'baseline'>
>;

/** @throws Refusal if the file is no recording, or does not name its target and `options` do not either */
export async function judgeRecording(file: string, options: RecordingOptions): Promise<Report> {
  const startedAt = new Date();
  const recording = await readHar(file);
  const url = options.target ?? recording.target;
  if (url === undefined) throw new Refusal('usage', `${file} does not name its target; use --target URL`);
  const target = baseUrl(url);
  const greeting = greetingIn(recording, target);
  const dialect = options.dialect ?? dialectOf(greeting);
  const { version: declared } = greeting;
  const version = options.serviceVersion ?? (typeof declared === 'string' ? declared : undefined);
  const judge = new TrafficJudge({
    ...{ dialect, version, hasOneCopy: options.hasOneCopy ?? false, bodies: options.bodies ?? false },
    prefix: target.pathname.replace(/\/$/, ''),
  });
  const requests = replay(recording, target, judge);
  if (requests === 0) throw new Refusal('file', `${file} has no request to ${target.href}`);
  const { findings } = judge;
  return trafficReport(
    { found: findings.all(), results: findings.results() },
    {
      ...{ startedAt, url: target.href, version, requests, warnings: [] },
      identity: { dialect, greeting },
      baseline: options.baseline ?? [],
    },
  );
}

/** The greeting of the target, if the recording has it. */
function greetingIn({ entries }: Recording, { href }: URL): Record<string, unknown> {
  const root = entries.find(({ request, response }) => request.url === href && response.status === 200);
  return { ...asObject(parseJson(root?.response.content.text ?? '')) };
}

const dialectOf = (greeting: Readonly<Record<string, unknown>>): Dialect =>
  'service' in greeting ? dialects.service.dialect : dialects.couchdb.dialect;
