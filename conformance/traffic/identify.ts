/** Finds out what the target of traffic is. */
import type { HttpClient } from '../http/client.js';
import { Refusal } from '../engine/refusal.js';
import { detect, NotThisService } from '../session/probe/greeting.js';
import type { TrafficOptions, TrafficTarget } from './traffic-report.js';

/** @throws Refusal if the target does not answer or is not a supported service */
export async function identify(
  client: HttpClient,
  target: URL,
  { dialect, serviceVersion }: TrafficOptions,
): Promise<TrafficTarget> {
  if (dialect) return { target, dialect, version: serviceVersion, greeting: {} };
  try {
    const { declared, ...identity } = await detect(client, 0);
    return { target, ...identity, version: serviceVersion ?? declared.version };
  } catch (error) {
    const problem =
      error instanceof NotThisService
        ? ` ${error.message}; use --dialect if it is one nevertheless`
        : `: ${(error as Error).message}`;
    throw new Refusal('target', target.href + problem, { cause: error });
  }
}
