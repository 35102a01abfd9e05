/** A way to a server on which some answers are spoilt, as by a server with bugs of any kind. */
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { request } from 'undici';
import { parseJson } from '../client/json.js';
import { serve, type TestServer } from './server.js';

/** What becomes of an answer. */
export type Corruption =
  | { readonly how: 'not at all' | 'no answer' | 'broken off' | 'no JSON' }
  | { readonly how: 'status'; readonly status: number }
  /** One of the values in its JSON is another, or missing. */
  | { readonly how: 'value'; readonly place: number; readonly value: fc.JsonValue | undefined };

/** One answer in forty is spoilt. */
export const corruptions: fc.Arbitrary<Corruption> = fc.oneof(
  { weight: 390, arbitrary: fc.constant({ how: 'not at all' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({ how: fc.constantFrom('no answer', 'broken off', 'no JSON') }),
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
      place: fc.nat(),
      value: fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined }),
    }),
  },
);

/** @param next is asked for each answer. */
export function startCorruptingProxy(to: string, next: () => Corruption): Promise<TestServer> {
  return serve((incoming, answer) => {
    const spoiling = next();
    const forward = async (): Promise<void> => {
      if (spoiling.how === 'no answer') throw new Error('The connection is closed.');
      const { statusCode, headers, body } = await request(to + incoming.url!, {
        method: incoming.method as 'GET',
        headers: incoming.headers,
        body: incoming,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      delete headers['transfer-encoding'];
      if (changesText(spoiling)) delete headers['content-length'];
      answer.writeHead(spoiling.how === 'status' ? spoiling.status : statusCode, headers).flushHeaders();
      const spoil = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
        for await (const piece of pieces) {
          yield changesText(spoiling) ? spoilt(piece.toString(), spoiling) : piece;
          if (spoiling.how === 'broken off') throw new Error('The connection breaks.');
        }
      };
      await pipeline(body, spoil, answer);
    };
    // Whoever has asked may be gone, too.
    forward().catch(() => answer.destroy());
  });
}

const changesText = ({ how }: Corruption): boolean => ['broken off', 'no JSON', 'value'].includes(how);

/** A piece of a body: an object, or lines, or events. */
function spoilt(text: string, spoiling: Corruption): string {
  if (spoiling.how !== 'value') return text.slice(0, text.length / 2);
  const change = (json: string): string => {
    const value = parseJson(json);
    return value === undefined ? json : (JSON.stringify(changed(value, spoiling)) ?? '');
  };
  if (parseJson(text) !== undefined) return change(text);
  return text.replace(/^(data: )?(.+)$/gm, (_, start: string = '', json: string) => start + change(json));
}

type Holder = Record<string, unknown>;

function changed(value: unknown, { place, value: other }: Extract<Corruption, { how: 'value' }>): unknown {
  const root: Holder = { value };
  const places = [...placesIn(root)];
  const [holder, key] = places[place % places.length]!;
  if (other === undefined) delete holder[key];
  else holder[key] = other;
  return root['value'];
}

function* placesIn(holder: Holder): Generator<[Holder, string]> {
  for (const [key, value] of Object.entries(holder)) {
    yield [holder, key];
    if (typeof value === 'object' && value !== null) yield* placesIn(value as Holder);
  }
}
