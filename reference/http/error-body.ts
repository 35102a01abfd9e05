/** Error bodies as they leave the server, in the words of the dialect (SERVICE 7). */
import { STATUS_CODES } from 'node:http';
import type { Boom } from '@hapi/boom';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import type { ErrorBody } from './errors.js';

/** What is said of errors that are not a handler's own but hapi's or the HTTP parser's. */
const byStatus: Readonly<Record<number, ErrorBody>> = {
  404: { error: 'not_found', reason: 'missing' },
  408: { error: 'request_timeout', reason: 'The request took too long to arrive.' },
  413: { error: 'too_large', reason: 'the request entity is too large' },
  415: { error: 'bad_content_type', reason: 'The media type of the body is not known here.' },
  417: { error: 'expectation_failed', reason: 'The only expectation that is met is 100-continue.' },
  431: { error: 'headers_too_large', reason: 'The request line and the headers are too large.' },
};
const failed: ErrorBody = { error: 'internal_server_error', reason: 'The request could not be completed.' };

/** Whether the error says itself what clients may know, as those of `httpError` do. */
export function isIntended(boom: Boom): boolean {
  return 'reason' in boom.output.payload;
}

/** The body of an error response. */
export function errorBody(boom: Boom, { badRequest }: DialectNames): ErrorBody {
  const { payload, statusCode } = boom.output;
  const body = isIntended(boom)
    ? (payload as unknown as ErrorBody)
    : (byStatus[statusCode] ?? (statusCode >= 500 ? failed : malformed(boom)));
  return body.error === 'bad_request' ? { ...body, error: badRequest } : body;
}

function malformed({ message, output: { statusCode } }: Boom): ErrorBody {
  const told = message !== '' && message !== STATUS_CODES[statusCode];
  return { error: 'bad_request', reason: told ? message : 'The request is malformed.' };
}
