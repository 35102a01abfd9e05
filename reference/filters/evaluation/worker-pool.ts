/** The processes that evaluate filters, and which of them does what next. */
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { httpError } from '../../http/errors.js';
import type { Failure, Job, Program, Reply } from './protocol.js';

/** The filter itself failed: its source, or what it did. */
export class EvaluationError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Two, so that a function that loops does not hold up all others; more where more can run at the same time. */
const maxProcesses = Math.min(4, Math.max(2, availableParallelism()));

/**
 * A process stops a function when its time is up, unless the function sits in a builtin, where QuickJS looks at no
 * clock, or the time goes to a selector. Those are stopped from outside, by the clock on the wall, which also runs
 * while others use the processor: hence so much more time.
 */
const wallMs = (cpuMs: number): number => 3 * cpuMs + 5000;

interface Task {
  readonly job: Job;
  resolve(verdicts: boolean[]): void;
  reject(error: Error): void;
}

/** Starts processes when there is work for them, and keeps them. */
export class WorkerPool {
  readonly #cpuMs: () => number;
  readonly #workerPool = new Set<PoolWorker>();
  readonly #waiting = new Set<Task>();
  #isClosed = false;

  /** @param cpuMs processor time that one call may take, in milliseconds */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
  }

  /**
   * Puts documents to a program.
   *
   * @param documents JSON text of an array
   * @returns whether each of them passes
   * @throws EvaluationError for what the filter is to blame for; the reason of `signal` when it is aborted first
   */
  evaluate(program: Program, documents: string, signal: AbortSignal): Promise<boolean[]> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(task);
        reject(signal.reason as Error);
      };
      const task: Task = {
        job: { program, documents, cpuMs: this.#cpuMs() },
        resolve(verdicts) {
          signal.removeEventListener('abort', abort);
          resolve(verdicts);
        },
        reject(error) {
          signal.removeEventListener('abort', abort);
          reject(error);
        },
      };
      if (signal.aborted) return abort();
      if (this.#isClosed) return reject(closed());
      signal.addEventListener('abort', abort);
      this.#waiting.add(task);
      this.#assign();
    });
  }

  /** Starts a process before there is work for it: whoever asks first need not wait until it is up. */
  prepare(): void {
    if (this.#workerPool.size === 0) this.#started();
  }

  /** Ends all processes; what they were asked is rejected. */
  close(): void {
    this.#isClosed = true;
    for (const task of this.#waiting) task.reject(closed());
    this.#waiting.clear();
    for (const worker of this.#workerPool) worker.end(closed());
  }

  #assign(): void {
    for (const task of this.#waiting) {
      const worker = [...this.#workerPool].find(({ isFree }) => isFree) ?? this.#started();
      if (!worker) return;
      this.#waiting.delete(task);
      worker.start(task);
    }
  }

  /** @returns undefined when there are enough of them */
  #started(): PoolWorker | undefined {
    if (this.#workerPool.size >= maxProcesses) return undefined;
    const worker = new PoolWorker();
    this.#workerPool.add(worker);
    worker.events.on('free', () => this.#assign());
    worker.events.on('end', () => {
      this.#workerPool.delete(worker);
      this.#assign();
    });
    return worker;
  }
}

const closed = () => httpError(503, 'service_unavailable', 'The server is being stopped.');
const failed = (message: string) => new EvaluationError({ at: 'execution', message });

/** A process, which does one task at a time. */
class PoolWorker {
  readonly events = new EventEmitter<{ free: []; end: [] }>();
  readonly #process = fork(fileURLToPath(new URL('./worker.js', import.meta.url)), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  #isReady = false;
  #task: Task | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#process.on('message', (reply: Reply) => this.#take(reply));
    this.#process.on('error', (error) => this.end(error));
    this.#process.on('exit', () =>
      this.end(
        this.#isReady ? failed('it broke its sandbox') : new Error('No process to evaluate filters came up.'),
      ),
    );
  }

  get isFree(): boolean {
    return this.#task === undefined;
  }

  start(task: Task): void {
    this.#task = task;
    this.#process.send(task.job);
    if (this.#isReady) this.#watch(task);
  }

  /** @param error what the task that it is at is rejected with */
  end(error: Error): void {
    clearTimeout(this.#timer);
    this.#process.removeAllListeners().kill('SIGKILL');
    // Whatever may still go wrong with it has no consequence.
    this.#process.on('error', () => {});
    this.#task?.reject(error);
    this.events.emit('end');
  }

  #take(reply: Reply): void {
    if ('ready' in reply) {
      this.#isReady = true;
      if (this.#task) this.#watch(this.#task);
      return;
    }
    if ('failure' in reply && reply.last) return this.end(new EvaluationError(reply.failure));
    const task = this.#task!;
    clearTimeout(this.#timer);
    this.#task = undefined;
    if ('failure' in reply) task.reject(new EvaluationError(reply.failure));
    else task.resolve([...reply.verdicts].map((verdict) => verdict === '1'));
    this.events.emit('free');
  }

  #watch({ job: { cpuMs } }: Task): void {
    const end = () => this.end(failed(`it takes more than ${cpuMs / 1000} s of processor time`));
    this.#timer = setTimeout(end, wallMs(cpuMs));
  }
}
