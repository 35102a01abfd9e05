/** Events of the proxy on their way to the process of the judge, as numbers: objects would take much longer. */
import { eventKinds, type PassingEvent } from './tapped-proxy.js';

/** The kind is a position in the list of kinds, the length is that of the bytes. */
type EventNumbers = [kind: number, exchange: number, length: number, at: number];

export interface EventBatch {
  /** Those of all events. */
  readonly numbers: Float64Array;
  /** Those of all events. */
  readonly bytes: Uint8Array;
}

export const numbersOf = ({ kind, exchange, bytes, at }: PassingEvent): EventNumbers => [
  eventKinds.indexOf(kind),
  exchange,
  bytes.length,
  at,
];

const numbersOfEvent: EventNumbers['length'] = 4;

/** What is kept of a part of a body must not keep the others of the batch. A head is read at once. */
const isKept = (kind: PassingEvent['kind']): boolean => kind === 'upload' || kind === 'chunk';

export function* eventsIn({ numbers, bytes }: EventBatch): Generator<PassingEvent> {
  let offset = 0;
  for (let start = 0; start < numbers.length; start += numbersOfEvent) {
    const [position, exchange, length, at] = [0, 1, 2, 3].map(
      (index) => numbers[start + index]!,
    ) as EventNumbers;
    const kind = eventKinds[position]!;
    const end = offset + length;
    const { buffer, byteOffset } = isKept(kind) ? bytes.slice(offset, end) : bytes.subarray(offset, end);
    offset = end;
    yield { kind, exchange, at, bytes: Buffer.from(buffer, byteOffset, length) };
  }
}
