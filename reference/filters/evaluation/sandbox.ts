/** Runs functions of design documents in QuickJS, without access to the host. */
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import quickjsVariant from '@jitl/quickjs-wasmfile-release-sync';
import { LRUCache } from 'lru-cache';
import { prelude } from './prelude.js';
import {
  EvaluationError,
  type Evaluation,
  type Failure,
  type FunctionProgram,
  type Job,
  type Outcome,
} from './protocol.js';
import { totalCpuMs } from './watchdog.js';

/** The package declares the types of a CommonJS module. */
const variant = quickjsVariant as unknown as QuickJSSyncVariant;

/** The types of the libraries refer to DOM types, which Node has without declaring them. */
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Memory of all functions together. QuickJS itself cannot limit the memory of a function in WebAssembly. */
const memoryMiB = 128;
const pagesPerMiB = 16;
/** Enough for the maximum nesting depth of documents, but small enough for the native stack. */
const stackBytes = 256 * 1024;
/** Number of compiled functions in the cache. */
const cachedFunctions = 16;

export class FunctionRunner {
  readonly #quickjs: QuickJSWASMModule;
  readonly #cache = new LRUCache<string, SandboxedFunction>({
    max: cachedFunctions,
    dispose: (compiled) => compiled.dispose(),
  });

  private constructor(quickjs: QuickJSWASMModule) {
    this.#quickjs = quickjs;
  }

  static async load(): Promise<FunctionRunner> {
    const limits = { initial: 16 * pagesPerMiB, maximum: memoryMiB * pagesPerMiB };
    const limited = newVariant(variant, { wasmMemory: new WebAssembly.Memory(limits) });
    return new FunctionRunner(await newQuickJSWASMModuleFromVariant(limited));
  }

  /** Memory of all functions in bytes. It never shrinks, but is reused. */
  get memoryBytes(): number {
    return (this.#quickjs.getWasmMemory() as { buffer: ArrayBuffer }).buffer.byteLength;
  }

  /** Whether so much memory is in use that the next function may not get enough. */
  get isFull(): boolean {
    return this.memoryBytes > (memoryMiB / 2) * 1024 * 1024;
  }

  run(program: FunctionProgram, job: Omit<Job, 'program'>): Outcome {
    const budget = new CpuBudget(job.cpuMs);
    try {
      const outcome = this.#compiled(program, budget).evaluate(program.request, job, budget);
      if (outcome.results.includes('{"thrown":null}') && this.#isExhausted)
        throw new EvaluationError({ at: 'execution', ...outOfMemory });
      return outcome;
    } catch (error) {
      let failure = error instanceof EvaluationError ? error.failure : failureOf(error);
      if (failure.message === 'null' && this.#isExhausted) failure = { ...failure, ...outOfMemory };
      // The function may have been interrupted at any point. Next time, it starts with new global variables.
      if (failure.limit === 'cpu') this.#cache.delete(program.key);
      return { failure, isFatal: failure.limit === 'memory' || failure.limit === 'state' };
    }
  }

  /** QuickJS throws null if there is no memory for an error. */
  get #isExhausted(): boolean {
    return this.memoryBytes > 0.9 * memoryMiB * 1024 * 1024;
  }

  #compiled(program: FunctionProgram, budget: CpuBudget): SandboxedFunction {
    const compiled = this.#cache.get(program.key) ?? new SandboxedFunction(this.#quickjs, program, budget);
    this.#cache.set(program.key, compiled);
    return compiled;
  }
}

type Limit = Failure['limit'];

const tooDeep = 'the nesting is too deep';

const outOfMemory: { message: string; limit: Limit } = {
  message: `it needs more than ${memoryMiB} MiB of memory`,
  limit: 'memory',
};

/** Limits that QuickJS reports as errors in the function. */
const limits: Readonly<Record<string, { message: string; limit: Limit }>> = {
  'InternalError: out of memory': outOfMemory,
  'InternalError: stack overflow': { message: tooDeep, limit: 'state' },
};

/** QuickJS cannot recover from an overflow of the native stack. */
function failureOf(error: unknown): Failure {
  const message = error instanceof RangeError ? tooDeep : `the sandbox failed (${String(error)})`;
  return { at: 'execution', message, limit: 'state' };
}

/** Limit of CPU time. The process does nothing else at the same time. */
class CpuBudget {
  readonly #endMs: number;
  isExceeded = false;

  constructor(milliseconds: number) {
    this.#endMs = totalCpuMs() + milliseconds;
  }

  check(): boolean {
    return (this.isExceeded ||= totalCpuMs() > this.#endMs);
  }
}

/** A function in its own runtime, so that functions do not share global variables. */
class SandboxedFunction {
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  readonly #method: 'evaluate' | 'validate';

  /** @throws EvaluationError */
  constructor(quickjs: QuickJSWASMModule, { kind, source, design }: FunctionProgram, budget: CpuBudget) {
    this.#context = quickjs.newContext();
    this.#method = kind === 'validate' ? 'validate' : 'evaluate';
    this.#context.runtime.setMaxStackSize(stackBytes);
    this.#prelude = this.#context.unwrapResult(this.#context.evalCode(prelude));
    try {
      this.#call('compile', [withoutSemicolon(source), kind, design], budget, 'compilation').dispose();
    } catch (error) {
      // Memory and stack may be in an undefined state after they were exceeded.
      const limit = error instanceof EvaluationError ? error.failure.limit : 'state';
      if (limit === undefined || limit === 'cpu') this.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#prelude.dispose();
    this.#context.dispose();
  }

  /** @throws EvaluationError */
  evaluate(
    request: string,
    { documents, sliceMs }: Pick<Job, 'documents' | 'sliceMs'>,
    budget: CpuBudget,
  ): Evaluation {
    const handle = this.#call(this.#method, [documents, request, String(sliceMs)], budget, 'execution');
    const results = handle.consume((text) => this.#context.getString(text));
    return { results, count: Number(this.#text('position')), isPure: this.#text('isPure') === 'true' };
  }

  #call(method: string, texts: string[], budget: CpuBudget, at: Failure['at']): QuickJSHandle {
    this.#context.runtime.setInterruptHandler(() => budget.check());
    const handles = texts.map((text) => this.#context.newString(text));
    const result = this.#context.callMethod(this.#prelude, method, handles);
    for (const handle of handles) handle.dispose();
    if (result.error) throw this.#errorOf(result.error, budget, at);
    return result.value;
  }

  #errorOf(thrown: QuickJSHandle, budget: CpuBudget, at: Failure['at']): EvaluationError {
    // Describing an error may execute code of the function, which needs remaining CPU time.
    const described = budget.isExceeded ? undefined : this.#text('describe', thrown);
    const position = Number(this.#text('position') ?? -1);
    thrown.dispose();
    const document = position < 0 ? undefined : position;
    if (budget.isExceeded) return new EvaluationError({ at, message: 'CPU time', limit: 'cpu', document });
    const message = described ?? 'it throws a value that cannot be converted to text';
    return new EvaluationError({ at, message, document, ...limits[message] });
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
