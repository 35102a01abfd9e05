/** Reads the feed for tests and tools, as a client does. It shares nothing with what the server writes it with. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Feed, Row } from './feed.js';

export type FeedMode = 'normal' | 'longpoll' | 'continuous' | 'eventsource';

/** The object that says up to where the feed was read. */
export type End = Pick<Feed, 'last_seq' | 'pending'>;

export const isRow = (part: Row | End): part is Row => 'id' in part;

/** The rows as they arrive, then the end if the mode has one. Ignores heartbeats, and a row that was cut. */
export async function* readFeed(mode: FeedMode, body: Readable): AsyncGenerator<Row | End> {
  switch (mode) {
    case 'normal':
    case 'longpoll': {
      const { results, ...end } = (await json(body)) as Feed;
      yield* results;
      yield end;
      return;
    }
    case 'continuous':
      for await (const line of createInterface(body)) yield* parsed(line);
      return;
    case 'eventsource': {
      const events = Readable.toWeb(body)
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const { data } of events) yield* parsed(data);
    }
  }
}

function parsed(text: string): [Row | End] | [] {
  try {
    return [JSON.parse(text) as Row | End];
  } catch {
    return [];
  }
}
