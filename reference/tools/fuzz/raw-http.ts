/** Sends raw bytes over a new socket and parses the response. */
import { connect } from 'node:net';

export interface RawRequest {
  readonly bytes: Buffer;
  /** Whether the server must respond. Incomplete or invalid HTTP need not get a response. */
  readonly isComplete: boolean;
}

export interface RawResponse {
  /** 0 if the server closed the connection without a response. */
  readonly status: number;
  /** Status line and headers, in lower case. */
  readonly head: string;
  readonly body: Buffer;
}

/** Timeout for a response. */
const timeoutMs = 20_000;
/** How long to read live feeds. */
const feedMs = 10;

/** Sends a request. Rejects if a complete request gets no response in time. */
export function send(port: number, { bytes, isComplete }: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    let response: RawResponse = { status: 0, head: '', body: Buffer.alloc(0) };
    let feedTimer: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => end(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs);

    const end = (error?: Error) => {
      clearTimeout(timer);
      clearTimeout(feedTimer);
      socket.destroy();
      if (error && isComplete) reject(error);
      else resolve(response);
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      response = parse(Buffer.concat(chunks));
      if (response.head === '') return;
      if (isWhole(response)) end();
      else feedTimer ??= setTimeout(end, feedMs);
    });
    // The server may close the connection while it is still receiving a rejected body.
    socket.on('error', () => end());
    socket.on('close', () => end());
    if (isComplete) socket.write(bytes);
    else socket.end(bytes);
  });
}

function parse(received: Buffer): RawResponse {
  const at = received.indexOf('\r\n\r\n');
  const head = at < 0 ? '' : received.toString('latin1', 0, at).toLowerCase();
  const status = Number(/^http\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  // The interim response to `Expect: 100-continue`.
  if (status === 100) return parse(received.subarray(at + 4));
  const body = received.subarray(at < 0 ? received.length : at + 4);
  // The rest is the response to another request.
  return { status, head, body: body.subarray(0, lengthOf(head)) };
}

function isWhole({ head, body }: RawResponse): boolean {
  const length = lengthOf(head);
  if (length !== undefined) return body.length >= length;
  return !head.includes('\r\ntransfer-encoding: chunked') || body.subarray(-5).toString() === '0\r\n\r\n';
}

function lengthOf(head: string): number | undefined {
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  return length === undefined ? undefined : Number(length);
}
