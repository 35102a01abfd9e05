/**
 * Long work on the main thread runs in slices, so that it does not delay other requests. All long work of the process
 * takes turns: each round of the event loop has at most one slice.
 */

/** A short request waits for a few slices. */
const sliceMs = 10;

const waiting: (() => void)[] = [];

function startNextSlice(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(startNextSlice);
}

/** The turn of one request. Check `isOver` after each item of work. */
export class Turn {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for the next turn. */
  async next(): Promise<void> {
    await new Promise<void>((start) => {
      waiting.push(start);
      if (waiting.length === 1) setImmediate(startNextSlice);
    });
    this.#end = performance.now() + sliceMs;
  }
}

/** Like `Array.map`, in slices. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const turn = new Turn();
  const results: Result[] = [];
  for (const item of items) {
    if (turn.isOver) await turn.next();
    results.push(map(item));
  }
  return results;
}

/** Minimum size of a transaction. Smaller requests are therefore written completely or not at all. */
const minTransaction = 20;

/** Divides a bulk write into transactions, between which other requests proceed. */
export interface BulkTurn {
  /** Whether a transaction with this number of documents ends. */
  isOver(written: number): boolean;
  /** Resolves when the next transaction may begin. */
  next(): Promise<void>;
}

/** Transactions are as long as other requests can wait. */
export function bulkTurn(): BulkTurn {
  const turn = new Turn();
  return {
    isOver: (written) => written >= minTransaction && turn.isOver,
    next: () => turn.next(),
  };
}
