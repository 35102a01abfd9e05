/** Runs functions of design documents in QuickJS, without access to the host. */
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { prelude } from './prelude.js';
import type { Failure, FunctionProgram, Reply } from './protocol.js';

const memoryMiB = 64;
/** Enough for the maximum nesting depth of documents, but small enough for the native stack. */
const stackBytes = 256 * 1024;
/** Number of compiled functions in the cache. */
const cachedFunctions = 16;

export class FunctionRunner {
  readonly #quickjs: QuickJSWASMModule;
  readonly #cache = new Map<string, SandboxedFunction>();

  private constructor(quickjs: QuickJSWASMModule) {
    this.#quickjs = quickjs;
  }

  static async load(): Promise<FunctionRunner> {
    return new FunctionRunner(
      await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync')),
    );
  }

  /** Memory of all functions in bytes. It never shrinks, but is reused. */
  get memoryBytes(): number {
    // The types of the library refer to a DOM type.
    return (this.#quickjs.getWasmMemory() as { buffer: ArrayBuffer }).buffer.byteLength;
  }

  /**
   * @param documents JSON text of an array
   * @param cpuMs maximum CPU time, including compilation
   */
  run(program: FunctionProgram, documents: string, cpuMs: number): Reply {
    const budget = new CpuBudget(cpuMs);
    try {
      return { results: this.#compiled(program, budget).evaluate(documents, program.request, budget) };
    } catch (error) {
      if (error instanceof FunctionError) return { failure: error.failure, isFatal: error.isFatal };
      // QuickJS cannot recover from an overflow of the native stack.
      const message = error instanceof RangeError ? tooDeep : `the sandbox failed (${String(error)})`;
      return { failure: { at: 'execution', message }, isFatal: true };
    }
  }

  #compiled(program: FunctionProgram, budget: CpuBudget): SandboxedFunction {
    const { key } = program;
    const compiled = this.#cache.get(key) ?? new SandboxedFunction(this.#quickjs, program, budget);
    this.#cache.delete(key);
    this.#cache.set(key, compiled);
    const [oldest] = this.#cache;
    if (oldest && this.#cache.size > cachedFunctions) {
      this.#cache.delete(oldest[0]);
      oldest[1].dispose();
    }
    return compiled;
  }
}

const tooDeep = 'the nesting is too deep';

/** Limits that QuickJS reports as errors in the function. */
const limits: Readonly<Record<string, string>> = {
  'InternalError: out of memory': `it needs more than ${memoryMiB} MiB of memory`,
  'InternalError: stack overflow': tooDeep,
};

/** A function failed or exceeded a limit. */
class FunctionError extends Error {
  readonly failure: Failure;
  /** Whether a limit was exceeded. The sandbox must not be used afterwards. */
  readonly isFatal: boolean;

  constructor(failure: Failure, isFatal: boolean) {
    super(failure.message);
    this.failure = failure;
    this.isFatal = isFatal;
  }
}

/** Limit of CPU time. The process does nothing else at the same time. */
class CpuBudget {
  readonly milliseconds: number;
  readonly #from = process.cpuUsage();
  isExceeded = false;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  check(): boolean {
    const { user, system } = process.cpuUsage(this.#from);
    this.isExceeded ||= (user + system) / 1000 > this.milliseconds;
    return this.isExceeded;
  }
}

/** A function in its own runtime, so that functions do not share global variables. */
class SandboxedFunction {
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  readonly #method: 'evaluate' | 'validate';

  /** @throws FunctionError */
  constructor(quickjs: QuickJSWASMModule, { kind, source, design }: FunctionProgram, budget: CpuBudget) {
    this.#context = quickjs.newContext();
    this.#method = kind === 'validate' ? 'validate' : 'evaluate';
    this.#context.runtime.setMemoryLimit(memoryMiB * 1024 * 1024);
    this.#context.runtime.setMaxStackSize(stackBytes);
    this.#prelude = this.#context.unwrapResult(this.#context.evalCode(prelude));
    try {
      this.#call('compile', [withoutSemicolon(source), kind, design], budget, 'compilation').dispose();
    } catch (error) {
      if (error instanceof FunctionError && !error.isFatal) this.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#prelude.dispose();
    this.#context.dispose();
  }

  /** @throws FunctionError */
  evaluate(documents: string, request: string, budget: CpuBudget): string {
    const results = this.#call(this.#method, [documents, request], budget, 'execution');
    return results.consume((handle) => this.#context.getString(handle));
  }

  #call(method: string, texts: string[], budget: CpuBudget, at: Failure['at']): QuickJSHandle {
    this.#context.runtime.setInterruptHandler(() => budget.check());
    const handles = texts.map((text) => this.#context.newString(text));
    const result = this.#context.callMethod(this.#prelude, method, handles);
    for (const handle of handles) handle.dispose();
    if (result.error) throw this.#errorOf(result.error, budget, at);
    return result.value;
  }

  #errorOf(thrown: QuickJSHandle, budget: CpuBudget, at: Failure['at']): FunctionError {
    // Describing an error may execute code of the function, which needs remaining CPU time.
    const described = budget.isExceeded ? undefined : this.#text('describe', thrown);
    const position = Number(this.#text('position') ?? -1);
    thrown.dispose();
    const limit = budget.isExceeded
      ? `it needs more than ${budget.milliseconds / 1000} s of CPU time`
      : limits[described ?? ''];
    const message = limit ?? described ?? 'it throws a value that cannot be converted to text';
    return new FunctionError(
      { at, message, document: position < 0 ? undefined : position },
      limit !== undefined,
    );
  }

  #text(method: string, ...values: QuickJSHandle[]): string | undefined {
    const result = this.#context.callMethod(this.#prelude, method, values);
    if (!result.error) return result.value.consume((handle) => this.#context.getString(handle));
    result.error.dispose();
    return undefined;
  }
}

// A function may be written as a statement with a semicolon at the end.
const withoutSemicolon = (source: string) => source.replace(/(?<![\s;])[\s;]+$/, '');
