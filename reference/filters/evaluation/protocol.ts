/** Messages between the server and the processes that evaluate filters. */

import type { Json } from '../../store/json.js';

/** A selector in the syntax of `_find`. */
export interface SelectorProgram {
  readonly kind: 'selector';
  readonly selector: unknown;
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
  /** JSON text of the design document, which is `this` in a filter function. */
  readonly design: string;
  /** JSON text of the second argument of a filter function; of an array of the last two of a validation function. */
  readonly request: string;
}

export type Program = SelectorProgram | FunctionProgram;

export interface Job {
  readonly program: Program;
  /** JSON text of an array of documents; for a validation function, of `{ document, before }` objects. */
  readonly documents: string;
  /** Maximum CPU time of the job, in milliseconds. */
  readonly cpuMs: number;
}

/** What a validation function throws: an error, or any other value. Undefined cannot be represented in JSON. */
export type Refusal =
  { readonly name: string; readonly message: string } | { readonly name?: undefined; readonly thrown?: Json };

export interface Failure {
  /** Whether the source does not compile, or the function failed for a document. */
  readonly at: 'compilation' | 'execution';
  readonly message: string;
  /** Index of the document in the job, if the failure is about a document. */
  readonly document?: number;
}

export type Reply =
  /** The process is ready for jobs. */
  | { readonly ready: true }
  /**
   * One character for each document: `1` if it passes, `0` if not. For a validation function, JSON text of an array with
   * a `Refusal` or null for each write.
   */
  | { readonly results: string }
  /** `isFatal`: the process must be killed, because exceeding a limit may have left it in an undefined state. */
  | { readonly failure: Failure; readonly isFatal: boolean };
