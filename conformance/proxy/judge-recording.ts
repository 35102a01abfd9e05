/** Judges a recording of traffic. */
import { dialects } from '../../openapi/generated/dialects.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { asObject, parseJson } from '../http/json.js';
import { readHar, replay } from './har.js';
import { TrafficJudge } from './judge.js';
import { judgeOptions, type TrafficOptions, trafficReport } from './traffic-report.js';

/** @throws Refusal if the file is no recording, or does not name its target and `options` do not either */
export async function judgeRecording(
  file: string,
  options: TrafficOptions & { readonly target?: string | undefined },
): Promise<Report> {
  const startedAt = new Date();
  const recording = await readHar(file);
  const url = options.target ?? recording.target;
  if (url === undefined) throw new Refusal('usage', `${file} does not name its target; use --target URL`);
  const target = baseUrl(url);
  const root = recording.entries.find(
    ({ request, response }) => request.url === target.href && response.status === 200,
  );
  const greeting = { ...asObject(parseJson(root?.response.content.text ?? '')) };
  const dialect = options.dialect ?? ('service' in greeting ? dialects.service : dialects.couchdb).dialect;
  const { version: declared } = greeting;
  const version = options.serviceVersion ?? (typeof declared === 'string' ? declared : undefined);
  const identity = { target, dialect, version, greeting };
  const judge = new TrafficJudge(judgeOptions(identity, options));
  const requests = replay(recording, target, judge);
  if (requests === 0) throw new Refusal('file', `${file} has no request to ${target.href}`);
  return trafficReport(judge.verdicts(), { ...options, ...identity, startedAt, requests, warnings: [] });
}
