/** Events of the relay on their way to the process of the judge, as numbers: objects would take much longer. */
import type { Side, WireEvent } from './relay.js';

const kinds: readonly WireEvent['kind'][] = ['bytes', 'end', 'break', 'slow', 'close'];
const sides: readonly Side[] = ['client', 'target'];

/** The kind and the side are positions in the lists above, the length is that of the bytes. */
type EventNumbers = [kind: number, connection: number, side: number, length: number, at: number];

export interface EventBatch {
  /** Those of all events. */
  readonly numbers: Float64Array;
  /** Those of all events. */
  readonly bytes: Uint8Array;
}

export const numbersOf = ({ kind, connection, side, bytes, at }: WireEvent): EventNumbers => [
  kinds.indexOf(kind),
  connection,
  sides.indexOf(side),
  bytes.length,
  at,
];

const numbersOfEvent: EventNumbers['length'] = 5;

export function* eventsIn({ numbers, bytes }: EventBatch): Generator<WireEvent> {
  let offset = 0;
  for (let start = 0; start < numbers.length; start += numbersOfEvent) {
    const [kind, connection, side, length, at] = Array.from(
      numbers.subarray(start, start + numbersOfEvent),
    ) as EventNumbers;
    // With memory of its own, since what is kept of it must not keep the others.
    const own = Buffer.from(bytes.slice(offset, offset + length).buffer);
    offset += length;
    yield { kind: kinds[kind]!, connection, side: sides[side]!, at, bytes: own };
  }
}
