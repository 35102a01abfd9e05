/** Where a server ends in the middle of a write to disk. */
export interface TornWrite {
  /** Number of the write, since the start. Only writes at a position count: those of the journal. */
  readonly writes: number;
  /** How much of it is written, from 0 to below 1. At least one byte is, and at least one is not. */
  readonly share: number;
  /** Whether the file has its new size all the same, as after a power failure. */
  readonly hasSize: boolean;
}

/** @returns the source of a module that makes the process kill itself */
export const tornWrite = ({ writes, share, hasSize }: TornWrite): string => `
import { open } from 'node:fs/promises';
const file = await open('/dev/null');
const prototype = Object.getPrototypeOf(file);
await file.close();
const { write } = prototype;
let left = ${writes};
prototype.write = async function (bytes, offset, length, position) {
  if (typeof position !== 'number' || --left > 0) return write.call(this, bytes, offset, length, position);
  await write.call(this, bytes, offset, 1 + Math.floor(${share} * (length - 1)), position);
  if (${hasSize}) await this.truncate(position + length);
  process.kill(process.pid, 'SIGKILL');
};`;
