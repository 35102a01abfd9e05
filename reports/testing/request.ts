/** The HTTP client of tests and tools. */
import { type Dispatcher, request } from 'undici';

export interface Message {
  /** With an undefined content type, none is sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Buffers and strings are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the connection is closed afterwards. */
  readonly reset?: boolean;
  /** Default: undici's global pool of connections. */
  readonly dispatcher?: Dispatcher;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** `AuthSession=...` if the response sets this cookie. */
  readonly cookie: string | undefined;
}

export const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** Sends a request, and leaves the body of the response unread. */
export function openAt(
  url: string,
  method: string,
  path: string,
  { headers, body, ...options }: Message = {},
): Promise<Dispatcher.ResponseData> {
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  return request(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: isRaw ? body : JSON.stringify(body),
    ...options,
  });
}

/** Sends a request, and reads the response. */
export async function sendTo(
  url: string,
  method: string,
  path: string,
  message: Message = {},
): Promise<Reply> {
  const response = await openAt(url, method, path, message);
  const text = await response.body.text();
  const setCookie = [response.headers['set-cookie'] ?? []].flat().join('\n');
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: parsed(text),
    cookie: /^AuthSession=[^;]+/m.exec(setCookie)?.[0],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
