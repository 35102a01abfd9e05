/** Bodies that are read while they arrive: as lines, and as event streams (SERVICE 4.7, 6). */
import { createParser, type EventSourceParser } from 'eventsource-parser';

export interface Line {
  /** Without its ending. */
  readonly text: string;
  /** Empty for what comes after the last ending. */
  readonly ending: '\r\n' | '\n' | '';
}

/** Cuts a body into lines. The borders of its chunks may be anywhere, inside lines and characters too. */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #rest = '';

  /** The lines that end in this chunk. */
  read(bytes: Uint8Array): Line[] {
    const parts = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = parts.pop()!;
    return parts.map((part) =>
      part.endsWith('\r') ? { text: part.slice(0, -1), ending: '\r\n' } : { text: part, ending: '\n' },
    );
  }

  /** To be called when the body has ended: what comes after the last line, if anything. */
  end(): Line[] {
    const text = this.#rest + this.#decoder.decode();
    this.#rest = '';
    return text === '' ? [] : [{ text, ending: '' }];
  }
}

/** An event as a standard client of event streams dispatches it. */
export interface ServerEvent {
  /** `message` unless the stream names another. */
  readonly type: string;
  readonly data: string;
  /** That of the last event that had one: what a client sends as `Last-Event-ID`. */
  readonly lastEventId: string;
}

/** Reads an event stream. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #lastEventId = '';
  #events: ServerEvent[] = [];

  constructor() {
    this.#parser = createParser({
      onEvent: ({ event: type = 'message', data, id }) => {
        this.#lastEventId = id ?? this.#lastEventId;
        this.#events.push({ type, data, lastEventId: this.#lastEventId });
      },
    });
  }

  /** The events that end in this chunk. */
  read(bytes: Uint8Array): ServerEvent[] {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
