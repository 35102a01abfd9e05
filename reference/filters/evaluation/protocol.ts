/** What the server and the processes that evaluate filters say to each other. */

/** A selector in the syntax of `_find`. */
export interface SelectorProgram {
  readonly kind: 'selector';
  readonly selector: unknown;
}

/** A function of a design document. */
export interface FunctionProgram {
  /** `filter` passes what it returns something true for; `map` passes what it emits anything for. */
  readonly kind: 'filter' | 'map';
  /** Names the function for ever: another text or another design document has another name. */
  readonly key: string;
  readonly source: string;
  /** JSON text of the design document, which is `this` to a filter function. */
  readonly design: string;
  /** JSON text of the second argument, which only a filter function is given. */
  readonly request: string;
}

export type Program = SelectorProgram | FunctionProgram;

export interface Job {
  readonly program: Program;
  /** JSON text of an array of documents. */
  readonly documents: string;
  /** Processor time that the job may take, in milliseconds. */
  readonly cpuMs: number;
}

export interface Failure {
  /** Whether the source makes no function, or the function failed at a document. */
  readonly at: 'compilation' | 'execution';
  readonly message: string;
  /** The document that it failed at, by its place in the job; absent where it was at none. */
  readonly document?: number;
}

export type Reply =
  /** The process takes jobs from now on. */
  | { readonly ready: true }
  /** A character for each document: 1 for one that passes, 0 for one that does not. */
  | { readonly verdicts: string }
  /** With `last` the process is to be ended: a limit was broken, and who knows what that has left behind. */
  | { readonly failure: Failure; readonly last: boolean };
