/** Bodies of error responses, with the names of the dialect (SERVICE 7). */
import { STATUS_CODES } from 'node:http';
import type { Boom } from '@hapi/boom';
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { type ErrorBody, httpError } from './errors.js';

/** Bodies for errors that hapi or the HTTP parser raise, and for those of {@link commonError}. */
const bodyOfStatus = {
  404: { error: 'not_found', reason: 'missing' },
  405: { error: 'method_not_allowed', reason: 'This server is not a proxy.' },
  408: { error: 'request_timeout', reason: 'The request took too long to arrive.' },
  413: { error: 'too_large', reason: 'the request entity is too large' },
  415: { error: 'bad_content_type', reason: 'The media type of the body is not supported.' },
  417: { error: 'expectation_failed', reason: 'The only supported expectation is 100-continue.' },
  431: { error: 'headers_too_large', reason: 'The request line and the headers are too large.' },
} satisfies Record<number, ErrorBody>;

/** The error of a status that hapi or the HTTP parser raise as well, with the same body. */
export function commonError(status: keyof typeof bodyOfStatus): Boom {
  const { error, reason } = bodyOfStatus[status];
  return httpError(status, error, reason);
}

export const internalError: ErrorBody = {
  error: 'internal_server_error',
  reason: 'The request could not be completed.',
};

/** Whether the error has a reason that clients may see, as errors from `httpError` do. */
export function hasPublicReason(boom: Boom): boolean {
  return 'reason' in boom.output.payload;
}

/** The body of an error response. */
export function errorBody(boom: Boom, { badRequest }: DialectNames): ErrorBody {
  const { payload, statusCode } = boom.output;
  const body = hasPublicReason(boom)
    ? (payload as unknown as ErrorBody)
    : ((bodyOfStatus as Readonly<Record<number, ErrorBody>>)[statusCode] ??
      (statusCode >= 500 ? internalError : malformed(boom)));
  return body.error === 'bad_request' ? { ...body, error: badRequest } : body;
}

function malformed({ message, output: { statusCode } }: Boom): ErrorBody {
  const hasMessage = message !== '' && message !== STATUS_CODES[statusCode];
  return { error: 'bad_request', reason: hasMessage ? message : 'The request is malformed.' };
}
