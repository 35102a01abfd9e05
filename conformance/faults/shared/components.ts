/** Ways to replace components of the server. */
import { type Parts } from '../../../reference/index.js';

export type Replace = (parts: Parts) => Parts;

export type Handlers = Parts['handlers'];

export type Context = Parameters<Handlers['getRoot']>[1];

export type Authenticator = NonNullable<Parts['authenticators'][string]>;

export type Headers = Parameters<Authenticator>[0];

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
): (parts: Parts) => Parts {
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
): (parts: Parts) => Parts {
  return (parts) => {
    const original = parts.authenticators[name];
    if (!original) throw new Error(`The server has no authentication handler "${name}".`);
    return { ...parts, authenticators: { ...parts.authenticators, [name]: replace(original) } };
  };
}

/** The value of the session cookie in a header that sends or sets one. */
export function cookieValue(header: string | undefined): string | undefined {
  return /(?:^|;\s*)AuthSession=([^;]*)/.exec(header ?? '')?.[1];
}
