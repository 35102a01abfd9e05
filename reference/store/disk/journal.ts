/**
 * A journal: the writes of a store since a snapshot, one file, to which is only ever added.
 *
 * A file is a row of frames, each a header (kind, length and checksum of the content, checksum of the header: four
 * numbers of 32 bits) and its content. The first tells what file this is; each of the others holds the writes that
 * one call of the system has put on disk together. The last has no content: it is `end`, which the next call
 * overwrites, or `sealed`, when another journal follows. So a file that was cut off anywhere shows it.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Execution } from '../sqlite/sqlite.js';
import { readAt, writeAt } from './files.js';
import { damaged, DataDirectoryError } from './errors.js';

/** One write of a store. Databases go by their instance: a name can be used again. */
export type Write =
  | { readonly kind: 'create'; readonly instance: string; readonly name: string }
  | { readonly kind: 'delete'; readonly instance: string }
  | { readonly kind: 'change'; readonly instance: string; readonly executions: readonly Execution[] };

/** What the first frame tells. */
export interface JournalIdentity {
  /** Identifier of the store. */
  readonly uuid: string;
  /** Journals of a store count up; one that is sealed is followed by the next. */
  readonly number: number;
}

const format = 'docfeed-journal/1';
const kinds = { head: 1, writes: 2, end: 3, sealed: 4 } as const;
const headerBytes = 16;

/** A call of the system is given no more at once, if there is more than one write. */
const groupBytes = 64 * 1024 * 1024;

function frame(kind: keyof typeof kinds, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(kinds[kind], 0);
  header.writeUInt32LE(content.length, 4);
  header.writeUInt32LE(crc32(content), 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  return Buffer.concat([header, content]);
}

/** A journal without writes. */
export function emptyJournal(identity: JournalIdentity): Buffer {
  const head = frame('head', Buffer.from(JSON.stringify({ format, ...identity })));
  return Buffer.concat([head, frame('end')]);
}

/** Adds writes to a journal. Several that come while the disk is busy go to it together. */
export class Journal {
  readonly #handle: FileHandle;
  /** Where the `end` stands. */
  #position: number;
  #queue: Buffer[] = [];
  #onDisk: Promise<void>;
  /** Statements are written out once, and by their number from then on. */
  readonly #numbers = new Map<string, number>();
  readonly #fail: (error: Error) => void;
  #bytes = 0;
  #hasFailed = false;

  /**
   * @param handle of an empty journal that is on disk
   * @param length its size
   * @param after what has to be on disk before the first write; when it rejects, so does everything here
   * @param fail called when something could not be written
   */
  constructor(handle: FileHandle, length: number, after: Promise<void>, fail: (error: Error) => void) {
    this.#handle = handle;
    this.#position = length - headerBytes;
    this.#onDisk = after;
    this.#fail = fail;
  }

  /** Bytes that were added. */
  get bytes(): number {
    return this.#bytes;
  }

  append(write: Write): void {
    if (this.#hasFailed) return;
    const bytes = serialize(write.kind === 'change' ? this.#numbered(write) : write);
    this.#bytes += bytes.length;
    this.#queue.push(bytes);
    // With more than one in the queue the call is arranged already.
    if (this.#queue.length === 1) this.#then(() => this.#writeQueue());
  }

  /**
   * Resolves when all that was appended is on disk. After a failure it rejects for good: nobody knows then what of it
   * is on disk, and to ask the system once more would not tell.
   */
  flushed(): Promise<void> {
    return this.#onDisk;
  }

  /** Ends the journal, which another follows. Nothing may be appended any more. */
  seal(): Promise<void> {
    this.#then(() => this.#write(frame('sealed')));
    this.#then(() => this.#handle.close());
    return this.#onDisk;
  }

  async close(): Promise<void> {
    await this.#onDisk.catch(() => {});
    await this.#handle.close();
  }

  #then(work: () => Promise<void>): void {
    this.#onDisk = this.#onDisk.then(work);
    this.#onDisk.catch((error: Error) => {
      this.#hasFailed = true;
      this.#fail(error);
    });
  }

  #numbered({ executions, ...write }: Extract<Write, { kind: 'change' }>) {
    const numbered = executions.map(([sql, parameters]) => {
      const number = this.#numbers.get(sql);
      if (number === undefined) this.#numbers.set(sql, this.#numbers.size);
      return [number ?? sql, parameters] as const;
    });
    return { ...write, executions: numbered };
  }

  async #writeQueue(): Promise<void> {
    const queue = this.#queue;
    this.#queue = [];
    while (queue.length > 0) {
      const group: Buffer[] = [];
      let bytes = 0;
      while (queue.length > 0 && (group.length === 0 || bytes + queue[0]!.length <= groupBytes)) {
        const write = queue.shift()!;
        const length = Buffer.alloc(4);
        length.writeUInt32LE(write.length);
        group.push(length, write);
        bytes += write.length;
      }
      await this.#write(frame('writes', Buffer.concat(group)), frame('end'));
    }
  }

  /** @param end what has no content, and is overwritten by what comes next */
  async #write(content: Buffer, end: Buffer = Buffer.alloc(0)): Promise<void> {
    await writeAt(this.#handle, Buffer.concat([content, end]), this.#position);
    await this.#handle.datasync();
    this.#position += content.length;
  }
}

/** How a journal ends. */
export type JournalEnd =
  | { readonly kind: 'end' | 'sealed' }
  /** A call of the system did not complete: what a kill leaves of it, from `offset` on. Nothing of it is applied. */
  | { readonly kind: 'incomplete'; readonly offset: number };

/**
 * Applies the writes of a journal in their order. Throws `DataDirectoryError` for one that is damaged, or another than the
 * one that is expected.
 */
export async function replayJournal(
  path: string,
  identity: JournalIdentity,
  apply: (write: Write) => void,
): Promise<JournalEnd> {
  const handle = await open(path, 'r');
  try {
    return await replay(handle, path, identity, apply);
  } finally {
    await handle.close();
  }
}

async function replay(
  handle: FileHandle,
  name: string,
  identity: JournalIdentity,
  apply: (write: Write) => void,
): Promise<JournalEnd> {
  const { size } = await handle.stat();
  const statements: string[] = [];
  for (let offset = 0, next: number; ; offset = next) {
    const header = await readAt(handle, offset, headerBytes);
    // The head was whole before anything was acknowledged.
    const mayBeIncomplete = offset > 0;
    if (header.length < headerBytes || header.readUInt32LE(12) !== crc32(header.subarray(0, 12))) {
      // An `end` that was being overwritten is the last thing in the file: there is nothing to lose in it.
      if (mayBeIncomplete && size - offset <= headerBytes) return { kind: 'incomplete', offset };
      throw damaged(
        name,
        offset,
        header.length < headerBytes ? 'it is cut off' : 'a header does not fit its checksum',
      );
    }
    const kind = header.readUInt32LE(0);
    const length = header.readUInt32LE(4);
    next = offset + headerBytes + length;
    if (next > size) {
      if (mayBeIncomplete) return { kind: 'incomplete', offset };
      throw damaged(name, offset, 'it is cut off');
    }
    const content = await readAt(handle, offset + headerBytes, length);
    if (header.readUInt32LE(8) !== crc32(content))
      throw damaged(name, offset, 'a frame does not fit its checksum');

    if ((offset === 0) !== (kind === kinds.head)) throw damaged(name, offset, 'it has no head, or two');
    if (kind === kinds.head) checkHead(name, content, identity);
    else if (kind === kinds.writes) applyFrame(content, statements, apply, name, offset);
    else if (next !== size) throw damaged(name, next, 'it goes on after its end');
    else return { kind: kind === kinds.sealed ? 'sealed' : 'end' };
  }
}

function checkHead(name: string, content: Buffer, { uuid, number }: JournalIdentity): void {
  const head = JSON.parse(content.toString()) as JournalIdentity & { format: string };
  if (head.format !== format)
    throw new DataDirectoryError(
      `${name} is of the format ${head.format}, which this version of docfeed does not know`,
    );
  if (head.uuid !== uuid || head.number !== number)
    throw damaged(name, 0, 'it is another file, or one of another directory');
}

function applyFrame(
  content: Buffer,
  statements: string[],
  apply: (write: Write) => void,
  name: string,
  offset: number,
): void {
  try {
    for (let start = 0; start < content.length;) {
      const end = start + 4 + content.readUInt32LE(start);
      const write = deserialize(content.subarray(start + 4, end)) as Write;
      apply(
        write.kind === 'change' ? { ...write, executions: spelledOut(write.executions, statements) } : write,
      );
      start = end;
    }
  } catch (error) {
    throw damaged(name, offset, `a write cannot be repeated (${(error as Error).message})`);
  }
}

function spelledOut(numbered: readonly (readonly [string | number, Execution[1]])[], statements: string[]) {
  return numbered.map(([sql, parameters]): Execution => {
    if (typeof sql === 'number') return [statements[sql]!, parameters];
    statements.push(sql);
    return [sql, parameters];
  });
}
