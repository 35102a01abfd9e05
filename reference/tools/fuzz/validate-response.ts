/** What the server may answer to a request that is not right. */
import type { RawRequest, RawResponse } from './raw-http.js';
import { confidential } from './fixtures.js';

/** Errors of the server's own that it may answer: it does not offer that, or not now. */
const deliberate: ReadonlySet<number> = new Set([501, 503]);
/** A server may close a connection on which more comes than it will read. */
const largeBytes = 60_000;

/** What is wrong with an answer; undefined when nothing is. A status of 0 is no answer. */
export function findProblem(
  { bytes, isComplete }: RawRequest,
  { status, head, body }: RawResponse,
): string | undefined {
  if (status === 0) return isComplete && bytes.length < largeBytes ? 'no answer' : undefined;
  if (status >= 500 && !deliberate.has(status)) return `status ${status}: ${body.toString()}`;
  // What has been stored may come back, but no error repeats what was sent.
  const told = head + body.toString('latin1');
  if (status >= 400 && confidential.some((text) => told.includes(text))) return 'the error has a password';
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
