/** Limits what the suite reads of responses, so that a target cannot use up the memory of this machine. */
import { Blocked } from '../engine/outcomes.js';

/** The response is too long to read. The rules on responses report it, so that other checks are blocked. */
export class Oversized extends Blocked {}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Each chunk costs memory as well, even if it is one byte long. */
const maxChunks = 250_000;

export class BodyLimits {
  readonly #maxBytes: number;
  /** Bytes of all bodies that are arriving. */
  #arriving = 0;

  /** @param maxBytes how long a body may be. Bodies that arrive at the same time may be twice as long together. */
  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Counts one body while it arrives. */
  begin() {
    const together = 2 * this.#maxBytes;
    let size = 0;
    let chunks = 0;
    return {
      /** @returns the limit that the body exceeds with this chunk, such as `64 MiB`. */
      add: ({ length }: Uint8Array): string | undefined => {
        chunks += 1;
        size += length;
        this.#arriving += length;
        if (size > this.#maxBytes) return formatBytes(this.#maxBytes);
        if (chunks > maxChunks) return `${maxChunks} chunks`;
        return this.#arriving > together ? `${formatBytes(together)} with others at that time` : undefined;
      },
      /** Call this when no more of the body is read. */
      end: (): void => {
        this.#arriving -= size;
      },
    };
  }
}

const units = ['bytes', 'KiB', 'MiB'];

/** @returns the size in the largest unit of which it is a multiple, such as `64 MiB`. */
function formatBytes(size: number, [unit, ...larger] = units): string {
  const isMultiple = larger.length > 0 && size > 0 && size % 1024 === 0;
  return isMultiple ? formatBytes(size / 1024, larger) : `${size} ${unit}`;
}
