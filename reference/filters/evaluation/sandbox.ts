/** Runs functions of design documents in QuickJS, where there is no host to reach. */
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { prelude } from './prelude.js';
import type { Failure, FunctionProgram, Reply } from './protocol.js';

const memoryMiB = 64;
/** More than documents need that nest as deeply as this server takes them, less than would harm the process. */
const stackBytes = 256 * 1024;
/** Compiled functions that are kept: those that were used last. */
const keptFunctions = 16;

export class FunctionRunner {
  readonly #quickjs: QuickJSWASMModule;
  readonly #kept = new Map<string, SandboxedFunction>();

  private constructor(quickjs: QuickJSWASMModule) {
    this.#quickjs = quickjs;
  }

  static async load(): Promise<FunctionRunner> {
    return new FunctionRunner(
      await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync')),
    );
  }

  /** Bytes of memory for all functions together. It never gets less: what one gives back the next one uses. */
  get memoryBytes(): number {
    // The types of the library name the type of the DOM.
    return (this.#quickjs.getWasmMemory() as { buffer: ArrayBuffer }).buffer.byteLength;
  }

  /**
   * @param documents JSON text of an array
   * @param cpuMs processor time that it may take, compiling included
   */
  run(program: FunctionProgram, documents: string, cpuMs: number): Reply {
    const budget = new Budget(cpuMs);
    try {
      return { verdicts: this.#compiled(program, budget).evaluate(documents, program.request, budget) };
    } catch (error) {
      if (error instanceof Stopped) return { failure: error.failure, last: error.last };
      // QuickJS itself does not survive what nests more deeply than this process can follow.
      const message = error instanceof RangeError ? tooDeep : `it broke its sandbox (${String(error)})`;
      return { failure: { at: 'execution', message }, last: true };
    }
  }

  #compiled(program: FunctionProgram, budget: Budget): SandboxedFunction {
    const { key } = program;
    const compiled = this.#kept.get(key) ?? new SandboxedFunction(this.#quickjs, program, budget);
    this.#kept.delete(key);
    this.#kept.set(key, compiled);
    const [longestUnused] = this.#kept;
    if (longestUnused && this.#kept.size > keptFunctions) {
      this.#kept.delete(longestUnused[0]);
      longestUnused[1].dispose();
    }
    return compiled;
  }
}

const tooDeep = 'it nests too deeply';

/** The two limits that QuickJS reports by throwing an error into the function. */
const limits: Readonly<Record<string, string>> = {
  'InternalError: out of memory': `it needs more than ${memoryMiB} MiB of memory`,
  'InternalError: stack overflow': tooDeep,
};

/** Why a function did not come to its end. */
class Stopped extends Error {
  readonly failure: Failure;
  /** Whether it broke a limit, after which the sandbox is of no more use. */
  readonly last: boolean;

  constructor(failure: Failure, last: boolean) {
    super(failure.message);
    this.failure = failure;
    this.last = last;
  }
}

/** Processor time, of which this process takes no other. */
class Budget {
  readonly milliseconds: number;
  readonly #from = process.cpuUsage();
  /** Whether more was wanted. */
  isSpent = false;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  check(): boolean {
    const { user, system } = process.cpuUsage(this.#from);
    this.isSpent ||= (user + system) / 1000 > this.milliseconds;
    return this.isSpent;
  }
}

/** A function in a runtime of its own: what it leaves behind, such as global variables, no other function sees. */
class SandboxedFunction {
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;

  /** @throws Stopped */
  constructor(quickjs: QuickJSWASMModule, { kind, source, design }: FunctionProgram, budget: Budget) {
    this.#context = quickjs.newContext();
    this.#context.runtime.setMemoryLimit(memoryMiB * 1024 * 1024);
    this.#context.runtime.setMaxStackSize(stackBytes);
    this.#prelude = this.#context.unwrapResult(this.#context.evalCode(prelude));
    try {
      this.#call('compile', [withoutSemicolon(source), kind, design], budget, 'compilation').dispose();
    } catch (error) {
      if (error instanceof Stopped && !error.last) this.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#prelude.dispose();
    this.#context.dispose();
  }

  /** @throws Stopped */
  evaluate(documents: string, request: string, budget: Budget): string {
    const verdicts = this.#call('evaluate', [documents, request], budget, 'execution');
    return verdicts.consume((handle) => this.#context.getString(handle));
  }

  #call(method: string, texts: string[], budget: Budget, at: Failure['at']): QuickJSHandle {
    this.#context.runtime.setInterruptHandler(() => budget.check());
    const handles = texts.map((text) => this.#context.newString(text));
    const result = this.#context.callMethod(this.#prelude, method, handles);
    for (const handle of handles) handle.dispose();
    if (result.error) throw this.#stopped(result.error, budget, at);
    return result.value;
  }

  #stopped(thrown: QuickJSHandle, budget: Budget, at: Failure['at']): Stopped {
    // What describes an error can be code of the function, for which there must be time left.
    const described = budget.isSpent ? undefined : this.#text('describe', thrown);
    const position = Number(this.#text('position') ?? -1);
    thrown.dispose();
    const limit = budget.isSpent
      ? `it takes more than ${budget.milliseconds / 1000} s of processor time`
      : limits[described ?? ''];
    const message = limit ?? described ?? 'it throws what cannot be shown';
    return new Stopped({ at, message, document: position < 0 ? undefined : position }, limit !== undefined);
  }

  #text(method: string, ...values: QuickJSHandle[]): string | undefined {
    const result = this.#context.callMethod(this.#prelude, method, values);
    if (!result.error) return result.value.consume((handle) => this.#context.getString(handle));
    result.error.dispose();
    return undefined;
  }
}

// Whoever writes a function as a statement may end it like one.
const withoutSemicolon = (source: string) => source.replace(/(?<![\s;])[\s;]+$/, '');
