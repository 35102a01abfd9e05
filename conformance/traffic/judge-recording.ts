/** Judges a recording of traffic. */
import { dialects } from '../../openapi/generated/dialects.js';
import type { Report } from '../../reports/report.js';
import { Refusal } from '../engine/refusal.js';
import { baseUrl } from '../http/base-url.js';
import { asObject, parseJson } from '../http/parse-json.js';
import { readHar, type Recording, replay } from './har.js';
import { TrafficJudge } from './judge.js';
import { judgeOptions, type TrafficOptions, trafficReport } from './traffic-report.js';

/** @throws Refusal if the file is no recording, or has no request to the target, or several servers may be the target */
export async function judgeRecording(
  file: string,
  options: TrafficOptions & { readonly target?: string | undefined },
): Promise<Report> {
  const startedAt = new Date();
  const recording = await readHar(file);
  const target = baseUrl(options.target ?? targetOf(file, recording));
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
  if (requests === 0) {
    const others = serversIn(recording).join(', ') || 'none';
    throw new Refusal('file', `${file} has no request to ${target.href}; its servers: ${others}`);
  }
  return trafficReport(judge.verdicts(), { ...options, ...identity, startedAt, requests, warnings: [] });
}

/** The target that the recording names, or its only server. */
function targetOf(file: string, recording: Recording): string {
  const [server, ...others] = serversIn(recording);
  const target = recording.target ?? server;
  if (target === undefined) throw new Refusal('file', `${file} has no HTTP request`);
  if (recording.target !== undefined || others.length === 0) return target;
  const servers = [server, ...others].join(', ');
  throw new Refusal('usage', `${file} has requests to several servers; choose one with --target: ${servers}`);
}

const serversIn = ({ entries }: Recording): string[] => {
  const urls = entries.map(({ request }) => new URL(request.url));
  return [...new Set(urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => origin))];
};
