/** The limit of what the kit reads of a response, so that a target cannot use up the memory of this machine. */
import { Blocked } from '../verdict/outcomes.js';

/** The response is too long to read. The rules on responses report it, so that other checks are blocked. */
export class Oversized extends Blocked {}

export const defaultMaxBodyBytes = 64 * 1024 * 1024;

/** Each chunk costs memory as well. The chunks of a conforming target are at least as long as a heartbeat apart. */
export const maxChunks = 250_000;

const units = ['bytes', 'KiB', 'MiB', 'GiB'];

/** @returns the size in the largest unit of which it is a multiple, such as `64 MiB`. */
export function formatBytes(size: number, [unit, ...larger] = units): string {
  const isMultiple = larger.length > 0 && size > 0 && size % 1024 === 0;
  return isMultiple ? formatBytes(size / 1024, larger) : `${size} ${unit}`;
}
