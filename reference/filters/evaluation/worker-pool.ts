/** A pool of processes that evaluate filters. */
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { httpError } from '../../http/errors.js';
import type { Failure, Job, Program, Reply } from './protocol.js';

/** The filter does not compile or failed during execution. */
export class EvaluationError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** At least two, so that a function with an infinite loop does not block all other filters. */
const maxProcesses = Math.min(4, Math.max(2, availableParallelism()));

/**
 * Timeout of a process. Usually the process itself stops a function after its CPU time, but it cannot interrupt built-in
 * functions and selectors. For these, the pool kills the process. The timeout is much longer than the CPU time, because
 * other processes may use the CPU meanwhile.
 */
const timeoutMs = (cpuMs: number): number => 3 * cpuMs + 5000;

/** The pool counts the timeout in ticks. If the machine is suspended, only one tick passes, not the whole timeout. */
const tickMs = 1000;

interface Task {
  readonly job: Job;
  resolve(results: string): void;
  reject(error: Error): void;
}

/** Starts processes on demand and reuses them. */
export class WorkerPool {
  readonly #cpuMs: () => number;
  readonly #workers = new Set<Worker>();
  readonly #waiting = new Set<Task>();
  #isClosed = false;

  /** @param cpuMs maximum CPU time of one call, in milliseconds */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
  }

  /**
   * Evaluates a program for documents.
   *
   * @param documents JSON text of an array
   * @returns the results as in `Reply`
   * @throws EvaluationError if the program fails; the reason of `signal` if it is aborted
   */
  evaluate(program: Program, documents: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(task);
        reject(signal.reason as Error);
      };
      const task: Task = {
        job: { program, documents, cpuMs: this.#cpuMs() },
        resolve(results) {
          signal.removeEventListener('abort', abort);
          resolve(results);
        },
        reject(error) {
          signal.removeEventListener('abort', abort);
          reject(error);
        },
      };
      if (signal.aborted) return abort();
      if (this.#isClosed) return reject(stopping());
      signal.addEventListener('abort', abort);
      this.#waiting.add(task);
      this.#assign();
    });
  }

  /** Starts a process in advance, so that the first filter does not have to wait for it. */
  prepare(): void {
    if (this.#workers.size === 0) this.#startWorker();
  }

  /** Kills all processes and rejects their tasks. */
  close(): void {
    this.#isClosed = true;
    for (const task of this.#waiting) task.reject(stopping());
    this.#waiting.clear();
    for (const worker of this.#workers) worker.end(stopping());
  }

  #assign(): void {
    for (const task of this.#waiting) {
      const worker = [...this.#workers].find(({ isFree }) => isFree) ?? this.#startWorker();
      if (!worker) return;
      this.#waiting.delete(task);
      worker.start(task);
    }
  }

  /** @returns undefined if the maximum number of processes is running */
  #startWorker(): Worker | undefined {
    if (this.#workers.size >= maxProcesses) return undefined;
    const worker = new Worker();
    this.#workers.add(worker);
    worker.events.on('free', () => this.#assign());
    worker.events.on('end', () => {
      this.#workers.delete(worker);
      this.#assign();
    });
    return worker;
  }
}

const stopping = () => httpError(503, 'service_unavailable', 'The server is stopping.');
const failed = (message: string) => new EvaluationError({ at: 'execution', message });

/** A process. It executes one task at a time. */
class Worker {
  readonly events = new EventEmitter<{ free: []; end: [] }>();
  readonly #process = fork(fileURLToPath(new URL('./worker.js', import.meta.url)), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  #isReady = false;
  #task: Task | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#process.on('message', (reply: Reply) => this.#receive(reply));
    this.#process.on('error', (error) => this.end(error));
    this.#process.on('exit', () =>
      this.end(
        this.#isReady ? failed('the process crashed') : new Error('The process for filters did not start.'),
      ),
    );
  }

  get isFree(): boolean {
    return this.#task === undefined;
  }

  start(task: Task): void {
    this.#task = task;
    this.#process.send(task.job);
    if (this.#isReady) this.#startTimer(task);
  }

  /** @param error rejects the current task */
  end(error: Error): void {
    clearInterval(this.#timer);
    this.#process.removeAllListeners().kill('SIGKILL');
    // Ignore later errors of the process.
    this.#process.on('error', () => {});
    this.#task?.reject(error);
    this.events.emit('end');
  }

  #receive(reply: Reply): void {
    if ('ready' in reply) {
      this.#isReady = true;
      if (this.#task) this.#startTimer(this.#task);
      return;
    }
    if ('failure' in reply && reply.isFatal) return this.end(new EvaluationError(reply.failure));
    const task = this.#task!;
    clearInterval(this.#timer);
    this.#task = undefined;
    if ('failure' in reply) task.reject(new EvaluationError(reply.failure));
    else task.resolve(reply.results);
    this.events.emit('free');
  }

  #startTimer({ job: { cpuMs } }: Task): void {
    let remainingTicks = Math.ceil(timeoutMs(cpuMs) / tickMs);
    this.#timer = setInterval(() => {
      remainingTicks -= 1;
      if (remainingTicks === 0) this.end(failed(`it needs more than ${cpuMs / 1000} s of CPU time`));
    }, tickMs);
  }
}
