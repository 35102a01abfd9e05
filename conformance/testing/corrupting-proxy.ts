/** A proxy that corrupts some responses, like a server with arbitrary bugs. */
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../http/parse-json.js';
import { forward } from '../http/reverse-proxy.js';
import { serve, type TestServer } from './server.js';

/** What the proxy does to a response. */
export type Corruption =
  | { readonly how: 'none' | 'no response' | 'aborted' | 'invalid JSON' }
  /** Answers 503 with HTML and a Retry-After header, as a proxy does whose server is busy. */
  | { readonly how: 'busy' }
  /** Removes the last row of a normal feed. */
  | { readonly how: 'lost row' }
  | { readonly how: 'status'; readonly status: number }
  /** Replaces one value in the JSON body, or removes it if `value` is undefined. */
  | { readonly how: 'value'; readonly index: number; readonly value: fc.JsonValue | undefined };

/** Corrupts one response in forty. */
export const corruptions: fc.Arbitrary<Corruption> = fc.oneof(
  { weight: 390, arbitrary: fc.constant({ how: 'none' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({ how: fc.constantFrom('no response', 'aborted', 'invalid JSON') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constant('status'),
      status: fc.constantFrom(201, 401, 403, 404, 409, 412, 500),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      how: fc.constant('value'),
      index: fc.nat(),
      value: fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined }),
    }),
  },
);

/** @param nextCorruption is called for each response */
export function startCorruptingProxy(
  targetUrl: string,
  nextCorruption: (request: { readonly method: string; readonly url: string }) => Corruption,
): Promise<TestServer> {
  return serve((incoming, response) => {
    const corruption = nextCorruption({ method: incoming.method!, url: incoming.url! });
    if (corruption.how === 'no response') return void response.destroy();
    if (corruption.how === 'busy') {
      response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '0' }).end('<h1>Busy</h1>');
      return;
    }
    forward(incoming, response, {
      target: new URL(targetUrl),
      onResponse: (original) => ({
        ...(corruption.how === 'status' && { status: corruption.status }),
        ...(changesText(corruption) && { body: corrupted(original, corruption) }),
      }),
      // The client may have closed the connection, too.
    }).catch(() => {});
  });
}

async function* corrupted(original: IncomingMessage, corruption: Corruption): AsyncGenerator<string> {
  for await (const chunk of original) {
    yield corruptText(String(chunk), corruption);
    if (corruption.how === 'aborted') throw new Error('The connection breaks.');
  }
}

const changesText = ({ how }: Corruption): boolean =>
  ['aborted', 'invalid JSON', 'value', 'lost row'].includes(how);

/** @param text an object, or lines, or events */
function corruptText(text: string, corruption: Corruption): string {
  if (corruption.how === 'lost row') {
    const feed = parseJson(text) as { results?: unknown[] };
    return JSON.stringify({ ...feed, results: feed.results?.slice(0, -1) });
  }
  if (corruption.how !== 'value') return text.slice(0, text.length / 2);
  const change = (json: string): string => {
    const value = parseJson(json);
    return value === undefined ? json : (JSON.stringify(replaceValue(value, corruption)) ?? '');
  };
  if (parseJson(text) !== undefined) return change(text);
  return text.replace(/^(data: )?(.+)$/gm, (_, start: string = '', json: string) => start + change(json));
}

type Container = Record<string, unknown>;

function replaceValue(
  value: unknown,
  { index, value: replacement }: Extract<Corruption, { how: 'value' }>,
): unknown {
  const root: Container = { value };
  const members = [...membersOf(root)];
  const [container, key] = members[index % members.length]!;
  if (replacement === undefined) delete container[key];
  else container[key] = replacement;
  return root['value'];
}

function* membersOf(container: Container): Generator<[Container, string]> {
  for (const [key, value] of Object.entries(container)) {
    yield [container, key];
    if (typeof value === 'object' && value !== null) yield* membersOf(value as Container);
  }
}
