/** Calls of the relay on their way to the process of the judge, as numbers: objects would take much longer. */
import type { Side, Tap } from './relay.js';

export type Call = Exclude<keyof Tap, 'onTargetError'>;

const calls: readonly Call[] = ['onBytes', 'onEnd', 'onClose', 'onSlowClient'];
const sides: readonly Side[] = ['client', 'target'];

/** The call and the side are positions in the lists above, the length is that of the bytes. */
type CallNumbers = [call: number, connection: number, side: number, length: number, at: number];

export interface CallBatch {
  /** Those of all calls. */
  readonly numbers: Float64Array;
  /** Those of all calls. */
  readonly bytes: Uint8Array;
}

export const numbersOf = (
  call: Call,
  connection: number,
  side: Side,
  length: number,
  at: number,
): CallNumbers => [calls.indexOf(call), connection, sides.indexOf(side), length, at];

const numbersOfCall: CallNumbers['length'] = 5;

export function makeCalls({ numbers, bytes }: CallBatch, tap: Pick<Tap, Call>): void {
  let offset = 0;
  for (let start = 0; start < numbers.length; start += numbersOfCall) {
    const [call, connection, sideIndex, length, at] = Array.from(
      numbers.subarray(start, start + numbersOfCall),
    ) as CallNumbers;
    const side = sides[sideIndex]!;
    switch (calls[call]!) {
      case 'onBytes':
        // With memory of its own, since what is kept of it must not keep the others.
        tap.onBytes(connection, side, Buffer.from(bytes.slice(offset, offset + length).buffer), at);
        offset += length;
        break;
      case 'onEnd':
        tap.onEnd(connection, side, at);
        break;
      case 'onClose':
        tap.onClose(connection, at);
        break;
      case 'onSlowClient':
        tap.onSlowClient(connection, at);
    }
  }
}
