/**
 * Stores on disk what a run must remove, so that `docfeed restore` can do so if the run is killed. Each task is written
 * before the run acts. There is one file per run, with one JSON value per line. Only the owner can read it.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../engine/refusal.js';
import type { JournalTask } from './cleanup-task.js';
import { journalFolder } from './journal-folder.js';
import { type JournalEntry, type JournalHeader, parseJournal } from './journal-lines.js';

const extension = '.journal.jsonl';

const require = createRequire(import.meta.url);

/**
 * The lock of a journal tells a run that is alive from one that was killed. The package has a native part, which some
 * systems lack. It loads when a run writes its first journal.
 *
 * @returns a function that locks an open file until the process ends and is false if another process holds the lock;
 * `undefined` where files cannot be locked
 */
export function journalLock(): ((fd: number) => boolean) | undefined {
  try {
    return (require('fs-native-extensions') as typeof import('fs-native-extensions')).tryLock;
  } catch {
    return undefined;
  }
}

/** The journals in a folder, or none if it does not exist. */
export async function journalsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Refusal('file', `cannot read journals in ${folder}: ${(error as Error).message}`);
  }
}

export function journalHeader(run: string, urls: readonly URL[]): JournalHeader {
  return {
    format: 'docfeed-run-journal/1',
    run,
    urls: urls.map(({ href }) => href),
    startedAt: new Date().toISOString(),
    host: hostname(),
  };
}

/** The journal of the run in this process. */
export class RunJournal {
  readonly file: string;
  readonly #fd: number;
  readonly #ids = new Map<JournalTask, number>();
  #lastId = 0;

  /** @throws Refusal if the journal cannot be written. */
  constructor(folder: string, header: JournalHeader) {
    this.file = join(folder, `${header.run}${extension}`);
    // Under this name, `docfeed restore` does not find the file before it is locked.
    const unlocked = `${this.file}.new`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#fd = openSync(unlocked, 'wx', 0o600);
      journalLock()?.(this.#fd);
      this.#write(header);
      fsyncSync(this.#fd);
      renameSync(unlocked, this.file);
      syncFolder(folder);
    } catch (error) {
      throw new Refusal('file', `cannot write a journal in ${folder}: ${(error as Error).message}`);
    }
  }

  /** When this returns, the task is in the file. */
  add(task: JournalTask): void {
    this.#lastId += 1;
    this.#ids.set(task, this.#lastId);
    this.#write({ id: this.#lastId, todo: task });
    // Must survive a power failure as well: unlike a leftover database, wrong settings break the server.
    if (task.kind === 'lock') fsyncSync(this.#fd);
  }

  /** The task says more than before. */
  update(task: JournalTask): void {
    const id = this.#ids.get(task);
    if (id !== undefined) this.#write({ id, todo: task });
  }

  markDone(task: JournalTask): void {
    const id = this.#ids.get(task);
    if (id === undefined) return;
    this.#ids.delete(task);
    this.#write({ id, done: true });
  }

  /** The run has ended by itself, and says what it could not restore or remove. */
  markReported(): void {
    this.#write({ reported: true });
  }

  /** Removes the file if all tasks are done. */
  close(): void {
    if (this.#ids.size === 0) rmSync(this.file, { force: true });
    closeSync(this.#fd);
  }

  #write(line: JournalHeader | JournalEntry): void {
    writeSync(this.#fd, `${JSON.stringify(line)}\n`);
  }
}

/**
 * Opens the journal of a run. A run that does not change settings continues with a warning if no journal can be
 * written, for example in a container without a home folder.
 */
export function openRunJournal(
  { configure, journalDir }: { configure?: boolean; journalDir?: string },
  header: JournalHeader,
): { journal?: RunJournal; warnings: string[] } {
  const folder = journalDir ?? (configure ? journalFolder() : undefined);
  if (folder === undefined) return { warnings: [] };
  try {
    return { journal: new RunJournal(folder, header), warnings: [] };
  } catch (error) {
    if (configure || !(error instanceof Refusal)) throw error;
    return { warnings: [`\`docfeed restore\` cannot clean up if this run is killed: ${error.message}.`] };
  }
}

/** The journal of a run that was killed, or that has left something. */
export interface AbandonedJournal {
  readonly file: string;
  readonly header: JournalHeader;
  /** Whether the run has ended by itself and has told its user what it left. */
  readonly isReported: boolean;
  /** The tasks that are not done, oldest first. */
  readonly tasks: readonly JournalTask[];
  /** Unlocks the file, and removes it if all tasks are done. */
  close(isDone: boolean): void;
}

/**
 * Opens and locks a journal in order to run its tasks.
 *
 * @returns `undefined` if another process holds the lock, such as the run itself. Where files cannot be locked, the
 * caller must know that the run has ended.
 * @throws Refusal if the file cannot be read or is not a journal.
 */
export function openJournal(file: string): AbandonedJournal | undefined {
  let fd: number;
  let text: string;
  try {
    fd = openSync(file, 'r+');
    if (journalLock()?.(fd) === false) {
      closeSync(fd);
      return undefined;
    }
    text = readFileSync(fd, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal('file', `cannot read journal ${file}: ${code ?? message}`);
  }
  const { header = journalHeader('', []), entries } = parseJournal(file, text);
  const pending = new Map<number, JournalTask>();
  for (const entry of entries) {
    if ('todo' in entry) pending.set(entry.id, entry.todo);
    else if ('done' in entry) pending.delete(entry.id);
  }
  return {
    file,
    header,
    isReported: entries.some((entry) => 'reported' in entry),
    tasks: [...pending.values()],
    close(isDone) {
      if (isDone) rmSync(file, { force: true });
      closeSync(fd);
    },
  };
}

/**
 * The journals of runs that have ended and left something on one of these nodes, the latest run first. Where files cannot
 * be locked there are none, since each of the runs may be alive.
 */
export async function journalsOfEndedRuns(
  folder: string,
  urls: readonly URL[],
): Promise<Omit<AbandonedJournal, 'close'>[]> {
  if (!journalLock()) return [];
  const hrefs = urls.map(({ href }) => href);
  const journals = (await journalsIn(folder)).flatMap((file) => {
    try {
      const journal = openJournal(file);
      journal?.close(false);
      return journal !== undefined && journal.tasks.length > 0 ? [journal] : [];
    } catch (error) {
      // It was removed, belongs to another user or is damaged: `docfeed restore` says so.
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
  return journals
    .filter(({ header }) => header.urls.some((url) => hrefs.includes(url)))
    .sort((a, b) => b.header.startedAt.localeCompare(a.header.startedAt));
}

/** After a power failure, a new file exists only if its folder was synced too. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
