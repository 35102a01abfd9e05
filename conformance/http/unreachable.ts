/** Explains connection errors in terms that help the person who typed the URL. */
import { Unreachable } from '../engine/outcomes.js';
import { operationName } from './describe-response.js';

const addAuthority = 'NODE_EXTRA_CA_CERTS=FILE adds a trusted one';
const unknownAuthority = `the certificate is signed by an unknown authority; ${addAuthority}`;

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found, or no name server responds',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS; try http:// instead of https://',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate is self-signed; ${addAuthority}`,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: 'the certificate has expired',
};

/** @returns what a failed request throws: Unreachable with the request, or any other reason of an aborted signal. */
export function connectionError(
  request: { method: string; path: string },
  error: unknown,
  signal: AbortSignal,
): unknown {
  const path = request.path.split('?')[0];
  if (signal.reason instanceof Unreachable && signal.reason.obstacle === undefined)
    return new Unreachable(`${signal.reason.message} to ${request.method} ${path}`, { cause: error });
  if (signal.aborted) return signal.reason;
  const { code, message } = error as Error & { code?: string };
  const detail = explanations[code ?? ''] ?? (message.split('\n')[0] || code || 'unknown reason');
  return new Unreachable(`no response to ${request.method} ${path}: ${detail}`, {
    cause: error,
    obstacle: `no response to ${operationName(request.method, request.path)}: ${detail}`,
  });
}
