/** Reads rows and heartbeats with their arrival times from the recorded body of a feed. */
import { parseBody } from '../../json.js';
import type { RecordedExchange } from '../../report.js';

export interface FeedEvent {
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
  readonly kind: 'row' | 'heartbeat' | 'end';
  /** Id of the document of a row. */
  readonly id?: string;
}

export const openModes = ['longpoll', 'continuous', 'eventsource'] as const;
export type OpenMode = (typeof openModes)[number];

/** @returns the mode of a request for a feed that stays open; `undefined` for any other request. */
export function openModeOf({ request: { path } }: RecordedExchange): OpenMode | undefined {
  const mode = /\/_changes\?(?:.*&)?feed=(\w+)/.exec(path)?.[1];
  return openModes.find((candidate) => candidate === mode);
}

/** @returns the events in the order in which they arrived: each with the time of its last byte. */
export function feedEvents({ response }: RecordedExchange, mode: OpenMode): FeedEvent[] {
  const events: FeedEvent[] = [];
  let line = '';
  for (const { atMs, text } of response?.chunks ?? []) {
    const lines = (line + text).split('\n');
    line = lines.pop()!;
    for (const complete of lines) {
      const event = eventOf(complete.trim(), mode);
      if (event) events.push({ atMs, ...event });
    }
  }
  const last = eventOf(line.trim(), mode);
  if (last && last.kind !== 'heartbeat') events.push({ atMs: response!.chunks.at(-1)!.atMs, ...last });
  return events;
}

function eventOf(line: string, mode: OpenMode): Omit<FeedEvent, 'atMs'> | undefined {
  // In an event stream, an empty line ends an event. A comment or an event without data keeps the feed alive.
  if (mode === 'eventsource' && line === '') return undefined;
  if (line === '' || line.startsWith(':') || line === 'event: heartbeat') return { kind: 'heartbeat' };
  if (/^\],?\s*"last_seq"|^\{"last_seq"/.test(line)) return { kind: 'end' };
  const json = parseBody(line.replace(/^data:\s*|^\{"results":\s*\[/, '').replace(/,$/, ''));
  const { id, changes } = (json ?? {}) as { id?: unknown; changes?: unknown };
  return typeof id === 'string' && changes !== undefined ? { kind: 'row', id } : undefined;
}
