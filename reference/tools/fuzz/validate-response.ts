/** Validation of responses to malformed requests. */
import type { RawRequest, RawResponse } from './raw-http.js';
import { confidential } from './fixtures.js';

/** Allowed 5xx statuses: not implemented, and temporarily unavailable. */
const allowedServerErrors: ReadonlySet<number> = new Set([501, 503]);
/** The server may close the connection without a response if the request is larger. */
const maxRequestBytes = 60_000;

/** @returns a description of the problem; undefined if the response is valid */
export function findProblem(
  { bytes, isComplete }: RawRequest,
  { status, head, body }: RawResponse,
): string | undefined {
  if (status === 0) return isComplete && bytes.length < maxRequestBytes ? 'no response' : undefined;
  if (status === 408 && isComplete) return 'the server waited for more of a request that is complete';
  if (status >= 500 && !allowedServerErrors.has(status)) return `status ${status}: ${body.toString()}`;
  // Documents may contain anything, but errors must not repeat passwords.
  const sent = head + body.toString('latin1');
  if (status >= 400 && confidential.some((text) => sent.includes(text)))
    return 'the error contains a password';
  const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
  if (status >= 400 && !isHead && !isErrorBody(body))
    return `status ${status} without error and reason: ${body.toString()}`;
  return undefined;
}

function isErrorBody(body: Buffer): boolean {
  try {
    const { error, reason } = JSON.parse(body.toString()) as Record<string, unknown>;
    return typeof error === 'string' && typeof reason === 'string';
  } catch {
    return false;
  }
}
