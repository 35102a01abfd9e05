/**
 * Evaluates programs in a pool of processes, which all feeds and writes share fairly. They are processes, not threads: Node
 * 20 measures the CPU time of a process only, a limit of wall-clock time would end lawful programs on a busy machine, and
 * what crashes a thread ends the server.
 */
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { httpError } from '../../http/errors.js';
import { FairQueue } from '../../http/fair-queue.js';
import { EvaluationError, type Failure, type Program } from './protocol.js';
import { CrashError, WorkerProcess, type Result } from './worker-process.js';

/** At least two, so that a slow program does not block all others. */
const maxProcesses = Math.min(4, Math.max(2, availableParallelism()));

/** Slow programs run in all processes but one. */
const maxSlowProcesses = maxProcesses - 1;

/** A program gets a process for one slice; then it is the turn of others. A slice ends after a document. */
const sliceMs = 25;

/** A program whose slice takes more CPU time is slow: it is interrupted, and starts again when it is its turn. */
const fastCpuMs = 100;

/**
 * Programs of one account that have not filtered a document yet run in all processes but one: a built-in function that
 * does not end occupies its process until a signal kills it.
 */
const maxUnknownProcesses = maxProcesses - 1;

/** A process is replaced after this CPU time, and so it can have a limit that the system enforces. */
const processCpuMs = 30_000;

export interface EvaluationOptions {
  /** Whose program it is. Accounts are served in turn. */
  readonly account: string;
  /** Cancels the evaluation. */
  readonly signal: AbortSignal;
}

/** The results of all documents. */
export interface Results {
  /** As in `Evaluation`, in several parts. */
  readonly parts: readonly string[];
  /** As in `Evaluation`. */
  readonly isPure: boolean;
}

interface Task {
  readonly program: Program;
  /** JSON texts of the documents. */
  readonly documents: readonly string[];
  readonly account: string;
  /** Maximum CPU time for all documents. */
  readonly cpuMs: number;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: Error) => void;
  readonly parts: string[];
  isPure: boolean;
  /** Number of documents that have results. */
  done: number;
  usedCpuMs: number;
  isSlow: boolean;
}

/** Starts processes on demand and reuses them. */
export class WorkerPool {
  readonly #cpuMs: () => number;
  readonly #workers = new Set<WorkerProcess>();
  /** All tasks that are not settled. */
  readonly #tasks = new Set<Task>();
  /** The processes that execute a slice of a task. */
  readonly #running = new Map<Task, WorkerProcess>();
  readonly #fast = new FairQueue<Task>();
  readonly #slow = new FairQueue<Task>();
  /** The last slice of programs, by their keys. */
  readonly #speeds = new LRUCache<string, 'fast' | 'slow'>({ max: 1000 });
  #keepsFreeProcess = false;
  #isClosed = false;

  /** @param cpuMs maximum CPU time of one call, in milliseconds */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
  }

  /**
   * Evaluates a program for documents.
   *
   * @param documents JSON texts; none to only compile the program
   * @throws EvaluationError if the program fails; the reason of `signal` if it is aborted
   */
  async evaluate(
    program: Program,
    documents: readonly string[],
    { account, signal }: EvaluationOptions,
  ): Promise<Results> {
    signal.throwIfAborted();
    if (this.#isClosed) throw stopping();
    let abort = () => {};
    const finished = new Promise<Results>((resolve, reject) => {
      const progress = { parts: [], isPure: true, done: 0, usedCpuMs: 0, isSlow: false };
      const cpuMs = this.#cpuMs();
      const task: Task = { program, documents, account, cpuMs, ...progress, resolve, reject };
      abort = () => {
        // A fast slice ends soon anyway.
        if (task.isSlow) this.#running.get(task)?.end();
        this.#settle(task, () => reject(signal.reason as Error));
      };
      this.#enqueue(task);
    });
    signal.addEventListener('abort', abort, { once: true });
    return finished.finally(() => signal.removeEventListener('abort', abort));
  }

  /** Starts processes in advance from now on, up to the maximum, so that no program has to wait for one. */
  prepare(): void {
    this.#keepsFreeProcess = true;
    this.#assign();
  }

  /** Kills all processes and rejects all tasks. */
  close(): void {
    this.#isClosed = true;
    for (const task of this.#tasks) this.#settle(task, () => task.reject(stopping()));
    for (const worker of this.#workers) worker.end();
  }

  #enqueue(task: Task): void {
    task.isSlow = this.#isSlow(task);
    this.#tasks.add(task);
    (task.isSlow ? this.#slow : this.#fast).add(task.account, task);
    this.#assign();
  }

  #isSlow({ program }: Task): boolean {
    return this.#speeds.get(program.key) === 'slow';
  }

  #assign(): void {
    while (!this.#isClosed) {
      for (const worker of this.#workers) if (worker.hasEnded) this.#workers.delete(worker);
      const free = [...this.#workers].find(({ isFree }) => isFree);
      const isFull = this.#workers.size >= maxProcesses;
      const task = free || !isFull ? this.#nextTask() : undefined;
      if (!task) {
        if (this.#keepsFreeProcess && !free && !isFull) this.#startWorker();
        return;
      }
      const left = task.cpuMs - task.usedCpuMs;
      const cpuMs = task.isSlow ? left : Math.min(left, fastCpuMs);
      if (free && !free.canSpend(cpuMs)) free.end();
      void this.#runSlice(task, cpuMs, free?.isFree ? free : this.#startWorker());
    }
  }

  #nextTask(): Task | undefined {
    const slow = this.#countRunning(({ isSlow }) => isSlow);
    if (slow === 0) return this.#slow.shift() ?? this.#nextFastTask();
    return this.#nextFastTask() ?? (slow < maxSlowProcesses ? this.#slow.shift() : undefined);
  }

  #nextFastTask(): Task | undefined {
    for (;;) {
      const task = this.#fast.shift((next) => this.#canRun(next));
      if (!task || !this.#isSlow(task)) return task;
      // The program has turned out to be slow while this task was waiting.
      task.isSlow = true;
      this.#slow.add(task.account, task);
    }
  }

  #canRun({ program, account }: Task): boolean {
    const isUnknown = (task: Pick<Task, 'program'>) => !this.#speeds.has(task.program.key);
    if (!isUnknown({ program })) return true;
    return this.#countRunning((task) => task.account === account && isUnknown(task)) < maxUnknownProcesses;
  }

  #countRunning(condition: (task: Task) => boolean): number {
    return [...this.#running.keys()].filter(condition).length;
  }

  #startWorker(): WorkerProcess {
    const worker = new WorkerProcess(processCpuMs + this.#cpuMs());
    this.#workers.add(worker);
    return worker;
  }

  async #runSlice(task: Task, cpuMs: number, worker: WorkerProcess): Promise<void> {
    this.#running.set(task, worker);
    const documents = `[${task.documents.slice(task.done).join(',')}]`;
    try {
      const sliced = worker.run({ program: task.program, documents, sliceMs, cpuMs });
      const result = await sliced.finally(() => this.#running.delete(task));
      task.usedCpuMs += result === 'timeout' ? cpuMs : result.cpuMs;
      if (this.#tasks.has(task)) this.#finishSlice(task, result, cpuMs, worker);
    } catch (error) {
      const crash = { at: 'execution', message: 'the process crashed' } as const;
      this.#fail(task, error instanceof CrashError ? new EvaluationError(crash) : (error as Error));
    } finally {
      this.#assign();
    }
  }

  #finishSlice(task: Task, result: Result, cpuMs: number, worker: WorkerProcess): void {
    const { program, documents } = task;
    if (result === 'timeout') return this.#handleSlowSlice(task);
    if ('failure' in result) {
      const { failure } = result;
      if (failure.limit === 'cpu') return this.#handleSlowSlice(task, failure);
      // Earlier jobs may have used the memory. The new process takes the place of the one that has ended.
      if (failure.limit === 'memory' && !worker.isFresh) {
        this.#workers.delete(worker);
        return void this.#runSlice(task, cpuMs, this.#startWorker());
      }
      return this.#fail(task, new EvaluationError(withOffset(failure, task.done)));
    }
    // Only compiling a program does not show that it is fast.
    if (result.count > 0 && result.cpuMs <= fastCpuMs) this.#speeds.set(program.key, 'fast');
    task.parts.push(result.results);
    task.isPure &&= result.isPure;
    task.done += result.count;
    if (task.done >= documents.length) this.#settle(task, () => task.resolve(task));
    else if (task.usedCpuMs >= task.cpuMs) this.#fail(task, exceeded(task));
    else this.#enqueue(task);
  }

  /** @param failure names the document, unless the process was killed */
  #handleSlowSlice(task: Task, failure?: Failure): void {
    const isOver = task.isSlow || task.usedCpuMs >= task.cpuMs;
    this.#speeds.set(task.program.key, 'slow');
    if (isOver) this.#fail(task, exceeded(task, failure));
    else this.#enqueue(task);
  }

  #fail(task: Task, error: Error): void {
    this.#settle(task, () => task.reject(error));
  }

  #settle(task: Task, settle: () => void): void {
    if (!this.#tasks.delete(task)) return;
    for (const queue of [this.#fast, this.#slow]) queue.delete(task.account, task);
    settle();
  }
}

function exceeded({ cpuMs, done }: Task, failure: Failure = { at: 'execution', message: '' }): Error {
  const message = `it needs more than ${cpuMs / 1000} s of CPU time`;
  return new EvaluationError(withOffset({ ...failure, message }, done));
}

/** A job has only the documents from the offset on. */
const withOffset = (failure: Failure, offset: number): Failure => ({
  ...failure,
  document: failure.document === undefined ? undefined : failure.document + offset,
});

const stopping = () => httpError(503, 'service_unavailable', 'The server is stopping.');
