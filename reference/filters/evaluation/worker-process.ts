/** A process that evaluates programs. */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Job, Outcome, Reply } from './protocol.js';

/** Usually the process itself keeps to its CPU time. This is for the case that it cannot. */
const timeoutMs = (cpuMs: number): number => 3 * cpuMs + 5000;

/** The timeout is counted in ticks. If the machine is suspended, only one tick passes, not the whole timeout. */
const tickMs = 1000;

/** CPU time for starting the process, which its limit includes. */
const startCpuMs = 3000;

const shell = '/bin/sh';
/** Arguments: the limit in seconds, then the command. A lower limit of the server stays in force. */
const limitedCommand = 'ulimit -c 0; ulimit -t "$1"; shift; exec "$@"';

/** What became of a job, or `timeout` if the process exceeded the CPU time of the job and was killed. */
export type Result = (Outcome & { readonly cpuMs: number }) | 'timeout';

interface Run {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** The process ended by itself. */
export class CrashError extends Error {}

/**
 * Executes one job at a time.
 *
 * The system limits the CPU time of the process (`RLIMIT_CPU`), so that it ends even if nothing else can end it, for
 * example after the server was killed. Where there is no `/bin/sh`, only its watchdog and the server end it.
 */
export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly #limitMs: number;
  #isReady = false;
  #hasEnded = false;
  #run: Run | undefined;
  #timer: NodeJS.Timeout | undefined;
  #totalCpuMs = 0;
  #jobs = 0;

  /** @param cpuMs CPU time that the process has for all of its jobs */
  constructor(cpuMs: number) {
    this.#limitMs = cpuMs;
    const path = fileURLToPath(new URL('./worker.js', import.meta.url));
    const options = { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] } as const;
    const seconds = String(Math.ceil((cpuMs + startCpuMs) / 1000));
    const limited = ['-c', limitedCommand, shell, seconds, process.execPath, ...process.execArgv];
    this.#process = existsSync(shell)
      ? fork(path, { ...options, stdio: [...options.stdio], execPath: shell, execArgv: limited })
      : fork(path, { ...options, stdio: [...options.stdio] });
    this.#process.on('message', (reply: Reply) => this.#receive(reply));
    this.#process.on('error', (error) => this.#fail(error));
    this.#process.on('exit', (_, signal) => {
      if (signal === 'SIGXCPU' && this.#run) this.#finish('timeout', true);
      else this.#fail(this.#isReady ? new CrashError() : new Error('The process for filters did not start.'));
    });
  }

  get pid(): number {
    return this.#process.pid!;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isFree(): boolean {
    return this.#run === undefined && !this.#hasEnded;
  }

  /** Whether the process has executed at most one job. */
  get isFresh(): boolean {
    return this.#jobs <= 1;
  }

  /** Whether enough CPU time is left for a job. */
  canSpend(cpuMs: number): boolean {
    return this.#totalCpuMs + cpuMs <= this.#limitMs;
  }

  /** Rejects with a `CrashError` if the process crashes. */
  run(job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#run = { job, resolve, reject };
      this.#jobs += 1;
      this.#process.send(job);
      if (this.#isReady) this.#startTimer(job);
    });
  }

  /** Kills the process. Rejects its job. */
  end(): void {
    this.#fail(new Error('The process was killed.'));
  }

  #receive(reply: Reply): void {
    const cpuMs = reply.totalCpuMs - this.#totalCpuMs;
    this.#totalCpuMs = reply.totalCpuMs;
    if ('ready' in reply) {
      this.#isReady = true;
      if (this.#run) this.#startTimer(this.#run.job);
      return;
    }
    const isFatal = reply.isFull || ('isFatal' in reply && reply.isFatal);
    this.#finish({ ...reply, cpuMs }, isFatal);
  }

  #finish(result: Result, isLast: boolean): void {
    clearInterval(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    if (isLast) this.end();
    run?.resolve(result);
  }

  #fail(error: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer);
    this.#process.removeAllListeners().kill('SIGKILL');
    // Ignore later errors of the process.
    this.#process.on('error', () => {});
    this.#run?.reject(error);
    this.#run = undefined;
  }

  #startTimer({ cpuMs }: Job): void {
    let remainingTicks = Math.ceil(timeoutMs(cpuMs) / tickMs);
    this.#timer = setInterval(() => {
      remainingTicks -= 1;
      if (remainingTicks === 0) this.#finish('timeout', true);
    }, tickMs);
  }
}
