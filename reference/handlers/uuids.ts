/** Makes UUIDs, for `/_uuids` and for documents that are sent without an ID, with CouchDB's algorithms. */
import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.js';

/** The counter of sequential UUIDs has six hexadecimal digits. It grows by less than this. */
const maxStep = 0xffe;
const maxCounter = 0xfff000;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const step = () => 1 + Math.floor(Math.random() * (maxStep - 1));

type UuidSettings = Pick<Settings, 'uuidAlgorithm' | 'utcIdSuffix'>;

export class Uuids {
  readonly #settings: UuidSettings;
  /** Of sequential UUIDs. */
  #prefix = hex(13);
  #counter = step();
  /** The last time in a UUID, in microseconds. */
  #time = 0;

  constructor(settings: UuidSettings) {
    this.#settings = settings;
  }

  next(): string {
    switch (this.#settings.uuidAlgorithm) {
      case 'random':
        return hex(16);
      case 'utc_random':
        return this.#nextTime() + hex(9);
      case 'utc_id':
        return this.#nextTime() + this.#settings.utcIdSuffix;
      case 'sequential':
        return this.#nextInSequence();
    }
  }

  #nextInSequence(): string {
    const uuid = this.#prefix + this.#counter.toString(16).padStart(6, '0');
    this.#counter += step();
    if (this.#counter > maxCounter) {
      this.#prefix = hex(13);
      this.#counter = step();
    }
    return uuid;
  }

  /** No two UUIDs have the same time. */
  #nextTime(): string {
    this.#time = Math.max(Date.now() * 1000, this.#time + 1);
    return this.#time.toString(16).padStart(14, '0');
  }
}
