/**
 * What a run owes its target, on the disk of this machine: each task is written before it is made, so that
 * `docfeed restore` can pay what a run that was killed has left. One file a run, one JSON value a line; the last line
 * may be torn, since nothing is done before its line is complete. The file holds old values of settings, which may be
 * secrets: it is for its owner's eyes only.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { Refusal } from '../verdict/refusal.js';
import {
  arrayOf,
  aString,
  matching,
  oneOf,
  objectWith,
  type Matcher,
  satisfying,
} from '../verdict/matchers.js';
import { type CleanupTask, namePrefix } from './cleanup-task.js';

/** The first line. */
export interface JournalHeader {
  readonly format: 'docfeed-journal/1';
  /** The part that the names of what the run makes have in common. */
  readonly run: string;
  readonly urls: readonly string[];
  readonly startedAt: string;
  readonly host: string;
}

type Entry = { id: number; owe: CleanupTask } | { id: number; paid: true };

const ending = '.journal.jsonl';

/** Where runs of this user keep their journals, as the XDG base directories have it. */
export function journalFolder(): string {
  return join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'docfeed');
}

/** The journals in a folder, by name. */
export async function journalsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Refusal('file', `cannot read journals in ${folder}: ${(error as Error).message}`);
  }
}

export function journalHeader(run: string, urls: readonly URL[]): JournalHeader {
  return {
    format: 'docfeed-journal/1',
    run,
    urls: urls.map(({ href }) => href),
    startedAt: new Date().toISOString(),
    host: hostname(),
  };
}

/** The journal of the run that this process makes. */
export class Journal {
  readonly file: string;
  readonly #fd: number;
  readonly #ids = new Map<CleanupTask, number>();
  #lastId = 0;

  /** @throws Refusal when it cannot be written. */
  constructor(folder: string, facts: JournalHeader) {
    this.file = join(folder, `${facts.run}${ending}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#fd = openSync(this.file, 'wx', 0o600);
      tryLock(this.#fd);
      this.#write(facts);
      fsyncSync(this.#fd);
      syncFolder(folder);
    } catch (error) {
      throw new Refusal('file', `cannot keep a journal in ${folder}: ${(error as Error).message}`);
    }
  }

  /** The task is on the disk when this returns. */
  add(task: CleanupTask): void {
    this.#lastId += 1;
    this.#ids.set(task, this.#lastId);
    this.#write({ id: this.#lastId, owe: task } satisfies Entry);
    // A database that outlives a failure of power is a pity; a setting that does is a broken server.
    if (task.kind === 'setting' || task.kind === 'lock') fsyncSync(this.#fd);
  }

  markDone(task: CleanupTask): void {
    const id = this.#ids.get(task);
    if (id === undefined) return;
    this.#ids.delete(task);
    this.#write({ id, paid: true } satisfies Entry);
  }

  /** A journal that owes nothing any more goes away. */
  close(): void {
    if (this.#ids.size === 0) rmSync(this.file, { force: true });
    closeSync(this.#fd);
  }

  #write(line: JournalHeader | Entry): void {
    writeSync(this.#fd, `${JSON.stringify(line)}\n`);
  }
}

/** A journal that some run has left. */
export interface AbandonedJournal {
  readonly file: string;
  readonly header: JournalHeader;
  /** In the order in which they were made. */
  readonly tasks: readonly CleanupTask[];
  /** Removes the file when all is paid, and lets it go. */
  close(allPaid: boolean): void;
}

/** Whether the run of a journal is over, which it ended without tidying up. */
export function isAbandoned(file: string): boolean {
  try {
    const fd = openSync(file, 'r+');
    const free = tryLock(fd);
    closeSync(fd);
    return free;
  } catch {
    // It is gone by now, or somebody else's.
    return false;
  }
}

/**
 * Opens a journal for paying. It is locked until it is closed.
 *
 * @returns `undefined` when a process holds it: its run is going on.
 * @throws Refusal when the file cannot be read or is no journal.
 */
export function openJournal(file: string): AbandonedJournal | undefined {
  let fd: number;
  let text: string;
  try {
    fd = openSync(file, 'r+');
    if (!tryLock(fd)) {
      closeSync(fd);
      return undefined;
    }
    text = readFileSync(fd, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal('file', `cannot read journal ${file}: ${code ?? message}`);
  }
  const [facts, ...entries] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parsedLine(file, index + 1, line));
  const open = new Map<number, CleanupTask>();
  for (const entry of entries as Entry[]) {
    if ('owe' in entry) open.set(entry.id, entry.owe);
    else open.delete(entry.id);
  }
  return {
    file,
    // A run that was killed before its first line was complete has done nothing yet.
    header: (facts as JournalHeader | undefined) ?? { ...journalHeader('', []), startedAt: '' },
    tasks: [...open.values()],
    close(allPaid) {
      if (allPaid) rmSync(file, { force: true });
      closeSync(fd);
    },
  };
}

const ownName = satisfying(
  `a name with "${namePrefix}"`,
  (name) => typeof name === 'string' && name.includes(namePrefix),
);
const setting = matching(/^[^/]+\/./s, 'section/key');
const aNode = satisfying('the number of a node', (node) => Number.isInteger(node) && (node as number) >= 0);
const formOf: Readonly<Record<CleanupTask['kind'], Matcher>> = {
  database: objectWith({ name: matching(/^docfeed-/, `a name that begins with "${namePrefix}"`) }),
  user: objectWith({ name: ownName }),
  setting: objectWith({
    node: aNode,
    name: setting,
    before: satisfying('a string or null', (value) => value === null || typeof value === 'string'),
  }),
  lock: objectWith({ run: aString }),
};
const firstLine = objectWith({
  format: oneOf(['docfeed-journal/1']),
  run: aString,
  urls: arrayOf(aString),
  startedAt: aString,
  host: aString,
});

/** What a line says is done to a target, so each is looked at. */
function parsedLine(file: string, number: number, line: string): unknown {
  const refuse = (what: string): never => {
    throw new Refusal('file', `${file}:${number}: ${what}`);
  };
  let value: { id?: unknown; owe?: Partial<CleanupTask>; paid?: unknown };
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return refuse('is no line of a journal');
  }
  const form =
    number === 1
      ? firstLine
      : objectWith({
          id: aNode,
          ...(value?.paid === true
            ? {}
            : { owe: formOf[value?.owe?.kind as CleanupTask['kind']] ?? oneOf([]) }),
        });
  const difference = form(value, '$');
  if (difference) refuse(`is no line of a journal: ${difference.path} is not as it must be`);
  return value;
}

/** A new file is there after a failure of power only if its folder is on the disk too. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
