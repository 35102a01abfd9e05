/**
 * Splits the bytes of one direction of an HTTP/1.1 connection into messages (RFC 9112), as they arrive. It is strict: two
 * parsers that understand one stream differently are how requests are smuggled past a proxy.
 */

type Header = readonly [name: string, value: string];

/** Splits a header only when it is asked for it, since the relay needs few of them. */
export class MessageHead {
  /** As received, with the empty line at the end. */
  readonly bytes: Buffer;
  /** The request line or the status line. */
  readonly startLine: string;
  readonly #lines: readonly string[];

  /** @throws MalformedMessage */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const lines = bytes.toString('latin1', 0, bytes.length - headEnd.length).split('\r\n');
    this.startLine = lines.shift()!;
    this.#lines = lines;
    if (/[\r\n\0]/.test(this.startLine) || !lines.every((line) => headerLine.test(line))) {
      const isBare = [this.startLine, ...lines].some((line) => /[\r\n\0]/.test(line));
      throw new MalformedMessage(
        isBare ? 'a header has a bare line ending' : 'a line of a header is malformed',
      );
    }
  }

  /** In their order, with names in their case. */
  get headers(): Header[] {
    return this.#lines.map(splitHeader);
  }

  /** The values of a header, in their order. @param name in lower case */
  valuesOf(name: string): string[] {
    return this.#lines
      .filter((line) => line[name.length] === ':' && line.slice(0, name.length).toLowerCase() === name)
      .map((line) => splitHeader(line)[1]);
  }
}

const headerLine = /^[!#$%&'*+.^_`|~\w-]+:[^\r\n\0]*$/;

/** The lookbehind keeps a value with many spaces from taking quadratic time. */
const outerSpace = /^[\t ]+|(?<![\t ])[\t ]+$/g;

function splitHeader(line: string): Header {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replaceAll(outerSpace, '')];
}

/** How the end of a body is known: there is none, its length, its last chunk, or the end of the connection. */
export type Framing = { readonly length: number } | 'chunked' | 'until close';

export interface MessageHandler {
  /** @returns the framing of the body that follows. */
  onHead(head: MessageHead): Framing;
  /** Bytes after the head as they are on the wire, chunk sizes included. */
  onWire?(bytes: Buffer): void;
  /** Bytes of the body without its framing. */
  onBody?(bytes: Buffer): void;
  onEnd?(): void;
}

/** The message cannot be read, and nothing that follows it. The message of the error is a sentence without a full stop. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
  readonly status: 400 | 431;

  constructor(message: string, status: 400 | 431 = 400) {
    super(message);
    this.status = status;
  }
}

/** In bytes. Servers accept less. */
const maxHeadBytes = 64 * 1024;
const maxChunkLineBytes = 4 * 1024;

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

type State =
  | { readonly in: 'head' | 'chunk size' | 'chunk end' | 'trailer' | 'until close' }
  | { readonly in: 'length' | 'chunk'; left: number };

export class MessageReader {
  readonly #handler: MessageHandler;
  #state: State = { in: 'head' };
  /** The beginning of a head or of a line of the framing. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(handler: MessageHandler) {
    this.#handler = handler;
  }

  /** @throws MalformedMessage */
  read(bytes: Buffer): void {
    let left = bytes;
    while (left.length > 0) left = this.#readPart(left);
  }

  /** The connection has ended. */
  end(): void {
    if (this.#state.in === 'until close') this.#finish();
  }

  /** @returns what follows the part. */
  #readPart(bytes: Buffer): Buffer {
    const state = this.#state;
    switch (state.in) {
      case 'head':
        return this.#readHead(bytes);
      case 'until close':
        this.#pass(bytes);
        return bytes.subarray(bytes.length);
      case 'length':
      case 'chunk': {
        const part = bytes.subarray(0, state.left);
        state.left -= part.length;
        this.#pass(part);
        if (state.left === 0 && state.in === 'length') this.#finish();
        else if (state.left === 0) this.#state = { in: 'chunk end' };
        return bytes.subarray(part.length);
      }
      default:
        return this.#readLine(bytes, state.in);
    }
  }

  #readHead(bytes: Buffer): Buffer {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    // Some clients send an empty line after a body (RFC 9112, section 2.2).
    if (all.subarray(0, 2).equals(lineEnd)) {
      this.#rest = Buffer.alloc(0);
      this.#handler.onWire?.(lineEnd);
      return all.subarray(2);
    }
    const end = all.indexOf(headEnd, Math.max(0, this.#rest.length - headEnd.length));
    if ((end === -1 ? all.length : end) > maxHeadBytes) {
      throw new MalformedMessage(`a header is longer than ${maxHeadBytes} bytes`, 431);
    }
    if (end === -1) {
      this.#rest = all;
      return bytes.subarray(bytes.length);
    }
    this.#rest = Buffer.alloc(0);
    const head = all.subarray(0, end + headEnd.length);
    const framing = this.#handler.onHead(new MessageHead(head));
    if (framing === 'until close') this.#state = { in: 'until close' };
    else if (framing === 'chunked') this.#state = { in: 'chunk size' };
    else if (framing.length > 0) this.#state = { in: 'length', left: framing.length };
    else this.#finish();
    return all.subarray(head.length);
  }

  #readLine(bytes: Buffer, kind: 'chunk size' | 'chunk end' | 'trailer'): Buffer {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.indexOf(lineEnd);
    if ((end === -1 ? all.length : end) > maxChunkLineBytes) {
      throw new MalformedMessage('the framing of a chunked body is too long');
    }
    const already = this.#rest.length;
    if (end === -1) {
      this.#rest = all;
      this.#handler.onWire?.(bytes);
      return bytes.subarray(bytes.length);
    }
    this.#rest = Buffer.alloc(0);
    this.#handler.onWire?.(all.subarray(already, end + lineEnd.length));
    const line = all.subarray(0, end).toString('latin1');
    if (kind === 'chunk size') {
      const [, digits] = /^([\dA-Fa-f]{1,12})[\t ]*(?:;.*)?$/.exec(line) ?? [];
      if (digits === undefined) throw new MalformedMessage('a chunk of a body has no valid size');
      const left = Number.parseInt(digits, 16);
      this.#state = left === 0 ? { in: 'trailer' } : { in: 'chunk', left };
    } else if (kind === 'chunk end') {
      if (line !== '') throw new MalformedMessage('a chunk of a body is longer than its size');
      this.#state = { in: 'chunk size' };
    } else if (line === '') this.#finish();
    return all.subarray(end + lineEnd.length);
  }

  #pass(bytes: Buffer): void {
    this.#handler.onWire?.(bytes);
    this.#handler.onBody?.(bytes);
  }

  #finish(): void {
    this.#state = { in: 'head' };
    this.#handler.onEnd?.();
  }
}

/** The framing that the headers declare, or nothing if they declare none. */
function declaredFraming(head: MessageHead): Framing | undefined {
  const codings = head.valuesOf('transfer-encoding');
  const lengths = [...new Set(head.valuesOf('content-length'))];
  if (codings.length > 0) {
    if (lengths.length > 0) throw new MalformedMessage('a message has Transfer-Encoding and Content-Length');
    if (codings.join().toLowerCase().trim() === 'chunked') return 'chunked';
    throw new MalformedMessage('the Transfer-Encoding is not chunked');
  }
  if (lengths.length === 0) return undefined;
  const [length] = lengths;
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length!)) {
    throw new MalformedMessage('the Content-Length is malformed');
  }
  return { length: Number(length) };
}

export interface RequestLine {
  readonly method: string;
  /** As sent: a path with its query, or `*`. */
  readonly target: string;
  readonly version: string;
}

/** @throws MalformedMessage for a request to another host: one with an absolute URL, or CONNECT. */
export function parseRequestLine({ startLine }: MessageHead): RequestLine {
  const [, method, target, version] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) (HTTP\/1\.[01])$/.exec(startLine) ?? [];
  if (method === undefined) throw new MalformedMessage('the request line is malformed');
  const isHere = target!.startsWith('/') || (target === '*' && method === 'OPTIONS');
  if (!isHere || method === 'CONNECT') {
    throw new MalformedMessage('docfeed proxy serves its target only: a request must have a path, not a URL');
  }
  return { method, target: target!, version: version! };
}

export const requestFraming = (head: MessageHead): Framing => declaredFraming(head) ?? { length: 0 };

/** @param method that of the request. */
export function responseFraming(head: MessageHead, status: number, method: string): Framing {
  if (status === 101) return 'until close';
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return { length: 0 };
  return declaredFraming(head) ?? 'until close';
}

/** @throws MalformedMessage */
export function statusOf({ startLine }: MessageHead): number {
  const status = /^HTTP\/1\.[01] (\d{3})( .*)?$/.exec(startLine)?.[1];
  if (status === undefined) throw new MalformedMessage('the status line is malformed');
  return Number(status);
}
