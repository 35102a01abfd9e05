/** Messages between the server and the processes that evaluate programs. */
import type { Json } from '../../store/json.js';

/** A selector in the syntax of `_find`. */
export interface SelectorProgram {
  readonly kind: 'selector';
  /** Unique key of the selector. */
  readonly key: string;
  /** JSON text. */
  readonly selector: string;
}

/** A function of a design document. */
export interface FunctionProgram {
  /**
   * A document passes a `filter` that returns a truthy value, and a `map` that calls `emit`. A `validate` function throws
   * to reject a write.
   */
  readonly kind: 'filter' | 'map' | 'validate';
  /** Unique key of the function. It depends on the text of the design document. */
  readonly key: string;
  readonly source: string;
  /** JSON text of the design document, which is `this` in the function. */
  readonly design: string;
  /** JSON text of the second argument of a filter function; of an array of the last two of a validation function. */
  readonly request: string;
}

export type Program = SelectorProgram | FunctionProgram;

export interface Job {
  readonly program: Program;
  /** JSON text of an array of documents; for a validation function, of `{ document, before }` objects. */
  readonly documents: string;
  /** After this time, the process replies with the results so far. */
  readonly sliceMs: number;
  /** Maximum CPU time, in milliseconds. */
  readonly cpuMs: number;
}

/** What a validation function throws: an error, or any other value. Undefined cannot be represented in JSON. */
export type Refusal =
  { readonly name: string; readonly message: string } | { readonly name?: undefined; readonly thrown?: Json };

export interface Failure {
  /** Whether the source does not compile, or the program failed for a document. */
  readonly at: 'compilation' | 'execution';
  readonly message: string;
  /** Index of the document in the job, if the failure is about a document. */
  readonly document?: number | undefined;
  /** The limit that was exceeded, if any. After `state`, the process is in an undefined state. */
  readonly limit?: 'cpu' | 'memory' | 'state' | undefined;
}

/** The program does not compile, failed during execution or exceeded a limit. */
export class EvaluationError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface Evaluation {
  /**
   * One character for each evaluated document: `1` if it passes, `0` if not. For a validation function, JSON text of an
   * array with a `Refusal` or null for each write.
   */
  readonly results: string;
  /** Number of evaluated documents. Unless there are none, it is at least 1. */
  readonly count: number;
  /** Whether the results depend on nothing but the documents. */
  readonly isPure: boolean;
}

/** What became of a job. */
export type Outcome =
  | Evaluation
  /** `isFatal`: the process must be killed, because exceeding a limit may have left it in an undefined state. */
  | { readonly failure: Failure; readonly isFatal: boolean };

/** A message of a process: that it is ready for jobs, or the outcome of its job. */
export type Reply = (Outcome | { readonly ready: true }) & {
  /** Whether the process must not be used again, because its memory is nearly full. */
  readonly isFull: boolean;
  /** CPU time of the process since its start, in milliseconds. */
  readonly totalCpuMs: number;
};
