/** Finds the endpoints that a target does not have at all: each is one cause, however many checks need it. */
import type { HttpClient } from '../http/client.js';
import { describeResponse, operationName } from '../http/describe-response.js';
import { isMissing, type ProbeInput } from './capabilities.js';

/** By a response as {@link describeResponse} names it, the sentence that says that the endpoint is missing. */
export type MissingEndpoints = ReadonlyMap<string, string>;

/** @param database where to send requests to a database. Without one, the endpoints of databases count as present. */
export async function probeEndpoints(
  client: HttpClient,
  database: ProbeInput['database'],
): Promise<MissingEndpoints> {
  const requests = [
    { method: 'GET', path: '/_session' },
    ...('path' in database ? [{ method: 'POST', path: `${database.path}/_changes`, json: {} }] : []),
  ];
  const missing = new Map<string, string>();
  for (const request of requests) {
    const response = await client.request({ ...request, as: 'admin' });
    if (!isMissing(response)) continue;
    const { method, path } = request;
    const { status } = response;
    missing.set(
      describeResponse({ method, path, status }),
      `${operationName(method, path)} is not implemented (${status})`,
    );
  }
  return missing;
}
