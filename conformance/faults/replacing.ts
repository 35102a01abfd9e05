/** Ways to replace a part of the server that many faults share. */
import type { Components } from '../../reference/index.js';

type Handlers = Components['handlers'];
export type Context = Parameters<Handlers['getRoot']>[1];
export type Authenticator = NonNullable<Components['authenticators'][string]>;
type Headers = Parameters<Authenticator>[0];

/** A response as a fault sees it: it may answer what the description forbids, so the types of operations end here. */
export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: unknown;
}

/** The JSON object that an answer holds. */
export function bodyOf(answer: Answer): Record<string, unknown> {
  return answer.body as Record<string, unknown>;
}

/** Changes what an operation answers when it succeeds. */
export function answering(
  operation: keyof Handlers,
  change: (answer: Answer, context: Context) => Answer | Promise<Answer>,
): (parts: Components) => Components {
  return (parts) => {
    const handle = parts.handlers[operation] as unknown as (
      request: unknown,
      context: Context,
    ) => Promise<Answer>;
    const faulty = async (request: unknown, context: Context): Promise<Answer> =>
      change(await handle(request, context), context);
    return { ...parts, handlers: { ...parts.handlers, [operation]: faulty } };
  };
}

/** Replaces the authentication handler of that name; the fault may still ask the one that was there. */
export function authenticating(
  name: 'cookie' | 'proxy' | 'default',
  replace: (original: Authenticator) => Authenticator,
): (parts: Components) => Components {
  return (parts) => {
    const original = parts.authenticators[name];
    if (!original) throw new Error(`The server has no authentication handler "${name}".`);
    return { ...parts, authenticators: { ...parts.authenticators, [name]: replace(original) } };
  };
}

/** The text in a basic header, however malformed, or nothing when there is no such header. */
export function basicText(headers: Headers): string | undefined {
  const token = /^Basic +(.*)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : Buffer.from(token, 'base64').toString('utf8');
}

export function withBasic(headers: Headers, text: string): Headers {
  return { ...headers, authorization: `Basic ${Buffer.from(text, 'utf8').toString('base64')}` };
}

/** The value of the session cookie in a header that sends or sets one. */
export function cookieValue(header: string | undefined): string | undefined {
  return /(?:^|;\s*)AuthSession=([^;]*)/.exec(header ?? '')?.[1];
}
