/**
 * Journals: append-only files with the writes since a snapshot.
 *
 * A journal is a sequence of frames. A frame has a header of four 32-bit numbers (kind, length and checksum of the
 * content, checksum of the header) and its content. The first frame identifies the file. The next frames contain
 * writes; one frame has all writes of one system call. The last frame has no content. It is `end`, which the next write
 * overwrites, or `sealed` if another journal follows. A truncated file is therefore always detected.
 */
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Execution } from '../sqlite/sqlite.js';
import { fileMode, readAt, writeAt } from './files.js';
import { damaged, DataFolderError } from './errors.js';

/** A write to the store. It identifies databases by instance, because names can be reused. */
export type Write =
  | { readonly kind: 'create'; readonly instance: string; readonly name: string }
  | { readonly kind: 'delete'; readonly instance: string }
  | { readonly kind: 'change'; readonly instance: string; readonly executions: readonly Execution[] };

/** Content of the first frame. */
export interface JournalIdentity {
  /** UUID of the store. */
  readonly uuid: string;
  /** Number of the journal. A sealed journal is followed by the next number. */
  readonly number: number;
}

const format = 'docfeed-journal/1';
const kinds = { head: 1, writes: 2, end: 3, sealed: 4 } as const;
const headerBytes = 16;

export const journalFile = (number: number): string => `journal-${number}`;

/** Maximum size of a frame, unless it has a single larger write. */
const maxFrameBytes = 64 * 1024 * 1024;

function frame(kind: keyof typeof kinds, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(kinds[kind], 0);
  header.writeUInt32LE(content.length, 4);
  header.writeUInt32LE(crc32(content), 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  return Buffer.concat([header, content]);
}

/** Returns the content of a journal without writes. */
export function emptyJournal(identity: JournalIdentity): Buffer {
  const head = frame('head', Buffer.from(JSON.stringify({ format, ...identity })));
  return Buffer.concat([head, frame('end')]);
}

/** Appends writes to a journal. Writes that arrive during a system call are combined into the next one. */
export class Journal {
  readonly #handle: FileHandle;
  /** Offset of the `end` frame. */
  #position: number;
  #queue: Buffer[] = [];
  #onDisk: Promise<void>;
  /** Numbers of SQL statements. The first use writes the text, later uses only the number. */
  readonly #numbers = new Map<string, number>();
  readonly #fail: (error: Error) => void;
  #bytes = 0;
  #hasFailed = false;

  /**
   * @param handle file with an empty journal, already on disk
   * @param length size of that file
   * @param after must resolve before the first write; if it rejects, all writes fail
   * @param fail called when a write fails
   */
  constructor(handle: FileHandle, length: number, after: Promise<void>, fail: (error: Error) => void) {
    this.#handle = handle;
    this.#position = length - headerBytes;
    this.#onDisk = after;
    this.#fail = fail;
  }

  /** Number of bytes appended. */
  get bytes(): number {
    return this.#bytes;
  }

  append(write: Write): void {
    if (this.#hasFailed) return;
    const bytes = serialize(write.kind === 'change' ? this.#numbered(write) : write);
    this.#bytes += bytes.length;
    this.#queue.push(bytes);
    // With more writes in the queue, the system call is already scheduled.
    if (this.#queue.length === 1) this.#then(() => this.#writeQueue());
  }

  /**
   * Resolves when all appended writes are on disk. After a failure, it rejects forever: it is unknown which data is on
   * disk then, and a second fsync would not report the error again.
   */
  flushed(): Promise<void> {
    return this.#onDisk;
  }

  /** Marks that another journal follows. Do not append afterwards. */
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
      const combined: Buffer[] = [];
      let bytes = 0;
      while (queue.length > 0 && (combined.length === 0 || bytes + queue[0]!.length <= maxFrameBytes)) {
        const write = queue.shift()!;
        const length = Buffer.alloc(4);
        length.writeUInt32LE(write.length);
        combined.push(length, write);
        bytes += write.length;
      }
      await this.#write(frame('writes', Buffer.concat(combined)), frame('end'));
    }
  }

  /** @param end frame that the next write overwrites */
  async #write(content: Buffer, end: Buffer = Buffer.alloc(0)): Promise<void> {
    await writeAt(this.#handle, Buffer.concat([content, end]), this.#position);
    await this.#handle.datasync();
    this.#position += content.length;
  }
}

/** State of the end of a journal. */
export type JournalEnd =
  | { readonly kind: 'end' | 'sealed' }
  /**
   * The last write did not complete, for example because of a kill or a power failure. It starts at `offset` and is not
   * applied.
   */
  | { readonly kind: 'incomplete'; readonly offset: number };

/**
 * Applies the writes of a journal in order.
 *
 * @throws DataFolderError if the journal is damaged or is not the expected one
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
    const { kind, content, missingFrom, problem } = await readFrame(handle, offset, size);
    next = offset + headerBytes + content.length;
    if (problem !== undefined) {
      // The head was complete before any write was acknowledged.
      if (offset > 0 && (await isCut(handle, missingFrom, size))) return { kind: 'incomplete', offset };
      throw damaged(name, offset, problem);
    }
    if ((offset === 0) !== (kind === kinds.head))
      throw damaged(name, offset, 'the first frame is missing or repeated');
    if (kind === kinds.head) checkHead(name, content, identity);
    else if (kind === kinds.writes) applyFrame(content, statements, apply, name, offset);
    else if (next === size) return { kind: kind === kinds.sealed ? 'sealed' : 'end' };
    // A power failure can leave the new size of the file without the write that replaces the `end` frame.
    else if (kind === kinds.end && (await isCut(handle, next, size)))
      return { kind: 'incomplete', offset: next };
    else throw damaged(name, next, 'there is data after the end');
  }
}

interface Frame {
  readonly kind: number;
  readonly content: Buffer;
  /** Why the frame cannot be used. */
  readonly problem?: string;
  /** If all bytes from this offset are missing, the frame is an incomplete write. */
  readonly missingFrom: number;
}

async function readFrame(handle: FileHandle, offset: number, size: number): Promise<Frame> {
  const header = await readAt(handle, offset, headerBytes);
  const start = offset + headerBytes;
  const broken = (problem: string, missingFrom: number): Frame => ({
    kind: 0,
    content: Buffer.alloc(0),
    problem,
    missingFrom,
  });
  if (header.length < headerBytes) return broken('the file is truncated', size);
  // A header without content may be partly that of the `end` frame before.
  if (header.readUInt32LE(12) !== crc32(header.subarray(0, 12)))
    return broken('the checksum of a header does not match', start);
  const length = header.readUInt32LE(4);
  if (start + length > size) return broken('the file is truncated', size);
  const content = await readAt(handle, start, length);
  if (header.readUInt32LE(8) !== crc32(content))
    return broken('the checksum of a frame does not match', start + length - 1);
  return { kind: header.readUInt32LE(0), content, missingFrom: start + length };
}

/** Whether a file has nothing but zeros from an offset on. After a power failure, zeros stand for missing content. */
async function isCut(handle: FileHandle, offset: number, size: number): Promise<boolean> {
  for (let position = offset; position < size; position += zeroBlock.length) {
    const block = await readAt(handle, position, zeroBlock.length);
    if (!block.equals(zeroBlock.subarray(0, block.length))) return false;
  }
  return true;
}

const zeroBlock = Buffer.alloc(64 * 1024);

function checkHead(name: string, content: Buffer, { uuid, number }: JournalIdentity): void {
  const head = JSON.parse(content.toString()) as JournalIdentity & { format: string };
  if (head.format !== format)
    throw new DataFolderError(
      `${name} has the format ${head.format}, which this version of docfeed does not support`,
      'use the version that wrote it',
    );
  if (head.uuid !== uuid || head.number !== number)
    throw damaged(name, 0, 'it is a different journal or belongs to another folder');
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
        write.kind === 'change'
          ? { ...write, executions: withStatementText(write.executions, statements) }
          : write,
      );
      start = end;
    }
  } catch (error) {
    throw damaged(name, offset, `a write cannot be replayed (${(error as Error).message})`);
  }
}

function withStatementText(
  numbered: readonly (readonly [string | number, Execution[1]])[],
  statements: string[],
) {
  return numbered.map(([sql, parameters]): Execution => {
    if (typeof sql === 'number') return [statements[sql]!, parameters];
    statements.push(sql);
    return [sql, parameters];
  });
}

/**
 * Copies an incomplete write to a separate file.
 *
 * @param folder where to put that file
 * @returns a message for the log
 */
export async function saveIncompleteWrite(file: string, offset: number, folder: string): Promise<string> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const rest = await readAt(handle, offset, size - offset);
  await handle.close();
  const copy = join(folder, `${basename(file)}.incomplete-${offset}`);
  await writeFile(copy, rest, { flush: true, mode: fileMode });
  return (
    `${file} ends with a write that was not completed, at byte ${offset}. This is normal after a kill or a power ` +
    `failure: the write was not acknowledged, unless the file was changed later. Its ${rest.length} bytes are saved ` +
    `in ${copy}`
  );
}
