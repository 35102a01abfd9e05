/** Reads lines and server-sent events from bodies that are still arriving (SERVICE 4.7, 6). */
import { createParser, type EventSourceParser } from 'eventsource-parser';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

export interface Line {
  /** The whole line as received. */
  readonly bytes: Buffer;
  /** The line without its ending. */
  readonly text: string;
  /** Empty for an unterminated last line. */
  readonly ending: '\r\n' | '\n' | '';
}

/** Splits a body into lines. Chunks may end anywhere, even inside a character. */
export class LineReader {
  /** The beginning of a line, in pieces: it may be very long. */
  #rest: Uint8Array[] = [];

  /** The lines that end in this chunk. */
  read(bytes: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end; (end = bytes.indexOf(lineFeed, start) + 1) > 0; start = end) {
      lines.push(lineOf([...this.#rest.splice(0), bytes.subarray(start, end)]));
    }
    if (start < bytes.length) this.#rest.push(bytes.subarray(start));
    return lines;
  }

  /** Call this when the body has ended. Returns the unterminated last line, if any. */
  end(): Line[] {
    return this.#rest.length === 0 ? [] : [lineOf(this.#rest.splice(0))];
  }
}

function lineOf(parts: readonly Uint8Array[]): Line {
  const bytes = Buffer.concat(parts);
  const text = bytes.toString();
  const ending = text.endsWith('\r\n') ? '\r\n' : text.endsWith('\n') ? '\n' : '';
  return { bytes, text: text.slice(0, text.length - ending.length), ending };
}

/** An event as `EventSource` dispatches it. */
export interface ServerEvent {
  /** Default: `message`. */
  readonly type: string;
  readonly data: string;
  /** Id of the last event that had one, which a client sends as `Last-Event-ID`. */
  readonly lastEventId: string;
}

/**
 * Returns a function that replaces the line endings of an event stream by LF, chunk by chunk. CRLF and CR are allowed as
 * well, and a CR ends its line at once: a parser that waits for a LF after it would dispatch the event late.
 */
export function toLineFeeds(): (bytes: Uint8Array) => Uint8Array {
  let previous = 0;
  return (bytes) => {
    if (previous !== carriageReturn && !bytes.includes(carriageReturn)) return bytes;
    const converted = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      const endsLineEnding = byte === lineFeed && previous === carriageReturn;
      if (!endsLineEnding) converted[length++] = byte === carriageReturn ? lineFeed : byte;
      previous = byte;
    }
    return converted.subarray(0, length);
  };
}

/** A field that a parser must ignore, since it does not know its name. */
const extensionField = /^[a-z][\w-]*:/i;

/** Splits a body into server-sent events. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #toLineFeeds = toLineFeeds();
  #lastEventId = '';
  #events: ServerEvent[] = [];

  /** @param onStrayLine is called with each line that is neither empty nor a comment nor a field. */
  constructor(onStrayLine: (line: string) => void = () => {}) {
    this.#parser = createParser({
      onEvent: ({ event: type = 'message', data, id }) => {
        this.#lastEventId = id ?? this.#lastEventId;
        this.#events.push({ type, data, lastEventId: this.#lastEventId });
      },
      onError: ({ type, line = '' }) => {
        if (type === 'unknown-field' && !extensionField.test(line)) onStrayLine(line);
      },
    });
  }

  /** The events that end in this chunk. */
  read(bytes: Uint8Array): ServerEvent[] {
    this.#parser.feed(this.#decoder.decode(this.#toLineFeeds(bytes), { stream: true }));
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Call this when the body has ended: the last line may be unterminated. An event that it belongs to is incomplete. */
  end(): void {
    this.#parser.reset({ consume: true });
  }
}
