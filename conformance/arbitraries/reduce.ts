/**
 * Shrinks the histories of generated inputs quickly. fast-check alone shrinks one document after the other and starts
 * again after each success, so that the time for shrinking is over long before a history of many documents is small.
 */
import fc from 'fast-check';
import type { DocumentHistory, History, Write } from '../model/history.js';

/** What is left out of the histories in a value. The key of a write is its place in the value. */
interface Reduction {
  readonly dropped: ReadonlySet<string>;
  /** Writes whose body is empty. */
  readonly emptied: ReadonlySet<string>;
}

const nothing: Reduction = { dropped: new Set(), emptied: new Set() };

/** What a step leaves out. A phase tries large parts before small ones, and the phases follow each other. */
const phases = ['documents', 'writes', 'bodies'] as const;

/** Where to go on: larger parts have been tried. Phase `phases.length` means that there is nothing left to try. */
interface Progress {
  readonly phase: number;
  readonly size: number;
}

/** How a value came about: the value and context of the original arbitrary, and what is left out of it. */
class Reduced<T> {
  readonly whole: fc.Value<T>;
  readonly reduction: Reduction;
  readonly progress: Progress;

  constructor(whole: fc.Value<T>, reduction: Reduction, progress: Progress) {
    this.whole = whole;
    this.reduction = reduction;
    this.progress = progress;
  }
}

/**
 * The same values, but shrinking first leaves out documents of all histories in the value, then single writes, then
 * bodies. Then it shrinks the rest as `arbitrary` does.
 */
export const reducingHistories = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> => new Reducing(arbitrary);

class Reducing<T> extends fc.Arbitrary<T> {
  readonly #arbitrary: fc.Arbitrary<T>;

  constructor(arbitrary: fc.Arbitrary<T>) {
    super();
    this.#arbitrary = arbitrary;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    const whole = this.#arbitrary.generate(random, bias);
    return new fc.Value(whole.value_, new Reduced(whole, nothing, { phase: 0, size: Infinity }));
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    if (!(context instanceof Reduced)) return this.#arbitrary.shrink(value, context);
    const { whole, reduction, progress } = context as Reduced<T>;
    const shown = JSON.stringify(value);
    const original = this.#arbitrary
      .shrink(whole.value_, whole.context)
      .map((smaller) => reducedValue(smaller, reduction, { phase: phases.length, size: 0 }))
      // Otherwise time would go into documents that are left out.
      .filter((smaller) => JSON.stringify(smaller.value_) !== shown);
    return fc.stream(reductionsOf(whole, reduction, progress)).join(original);
  }
}

function reducedValue<T>(whole: fc.Value<T>, reduction: Reduction, progress: Progress): fc.Value<T> {
  return new fc.Value(
    mapHistories(whole.value_, '', (history, path) => reduceHistory(history, path, reduction)) as T,
    new Reduced(whole, reduction, progress),
  );
}

function* reductionsOf<T>(
  whole: fc.Value<T>,
  { dropped, emptied }: Reduction,
  from: Progress,
): IterableIterator<fc.Value<T>> {
  for (const [phase, kind] of phases.entries()) {
    if (phase < from.phase) continue;
    const parts = partsOf(whole.value_, kind, { dropped, emptied });
    const largest = phase === from.phase ? Math.min(from.size, parts.length) : parts.length;
    for (let size = largest; size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < parts.length; start += size) {
        const keys = parts.slice(start, start + size).flat();
        const reduction =
          kind === 'bodies'
            ? { dropped, emptied: new Set([...emptied, ...keys]) }
            : { dropped: new Set([...dropped, ...keys]), emptied };
        yield reducedValue(whole, reduction, { phase, size });
      }
    }
  }
}

/** What can still be left out, as the keys of the writes of each part. */
function partsOf(
  value: unknown,
  kind: (typeof phases)[number],
  { dropped, emptied }: Reduction,
): readonly (readonly string[])[] {
  const documents: string[][] = [];
  const bodies: string[] = [];
  mapHistories(value, '', (history, path) => {
    for (const { id, writes } of history) {
      const left = [...writes.entries()].filter(([index]) => !dropped.has(keyOf(path, id, index)));
      if (left.length > 0) documents.push(left.map(([index]) => keyOf(path, id, index)));
      for (const [index, { body }] of left) {
        const key = keyOf(path, id, index);
        if (Object.keys(body).length > 0 && !emptied.has(key)) bodies.push(key);
      }
    }
    return history;
  });
  if (kind === 'documents') return documents;
  if (kind === 'bodies') return bodies.map((key) => [key]);
  return documents.filter((keys) => keys.length > 1).flatMap((keys) => keys.map((key) => [key]));
}

function reduceHistory(history: History, path: string, { dropped, emptied }: Reduction): History {
  return history.flatMap(({ id, writes }) => {
    const left = writes.flatMap((write, index): Write[] => {
      const key = keyOf(path, id, index);
      if (dropped.has(key)) return [];
      return [emptied.has(key) ? { ...write, body: {} } : write];
    });
    return left.length === 0 && writes.length > 0 ? [] : [{ id, writes: left }];
  });
}

const keyOf = (path: string, id: string, index: number): string => JSON.stringify([path, id, index]);

/** Replaces the histories in a value, at any depth. */
function mapHistories(
  value: unknown,
  path: string,
  change: (history: History, path: string) => History,
): unknown {
  if (isHistory(value)) return change(value, path);
  if (Array.isArray(value)) {
    return value.map((element: unknown, index) => mapHistories(element, `${path}/${index}`, change));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    mapHistories(member, `${path}/${name}`, change),
  ]);
  // fast-check generates records without a prototype.
  return Object.setPrototypeOf(Object.fromEntries(members), Object.getPrototypeOf(value) as object | null);
}

const isHistory = (value: unknown): value is History =>
  Array.isArray(value) && value.length > 0 && value.every(isDocumentHistory);

function isDocumentHistory(value: unknown): value is DocumentHistory {
  const { id, writes } = (value ?? {}) as Partial<DocumentHistory>;
  return typeof id === 'string' && Array.isArray(writes);
}
