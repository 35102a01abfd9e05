/**
 * Shrinks the histories of generated inputs quickly. fast-check alone shrinks one document after the other and starts
 * again after each success, so that the time for shrinking is over long before a history of many documents is small.
 */
import fc from 'fast-check';
import type { DocumentHistory, History, Write } from '../oracle/history.js';

/** What is left out of the histories in a value. The key of a write is its place in the value. */
interface Reduction {
  readonly dropped: ReadonlySet<string>;
  /** Writes with an empty body, to the first revision that there is. */
  readonly plain: ReadonlySet<string>;
  /** Which documents have the ids `a`, `b` and so on. Otherwise, those of design documents are `_design/a` and so on. */
  readonly renamed: 'none' | 'all' | 'others';
}

const nothing: Reduction = { dropped: new Set(), plain: new Set(), renamed: 'none' };

/**
 * What a step simplifies. A phase tries large parts before small ones, and the phases follow each other: what makes a case
 * shorter comes first, since time may end the search. Parameters are all that is not a history.
 */
const phases = ['documents', 'parameters', 'writes', 'contents', 'ids'] as const;

/** How many cases parts of one size may take. A few of very many parts are not worth a case each. */
const mostOfSize = 30;

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
 * The same values, but shrinking first leaves out documents of all histories in the value. Then it shrinks what is not a
 * history as `arbitrary` does, which takes few cases. Then it leaves out single writes and what is special in them, gives
 * the documents plain ids, and at last shrinks everything as `arbitrary` does.
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
    const histories = historiesIn(value);
    const tried = new Set([shown]);
    const original = (progress: Progress): fc.Stream<fc.Value<T>> =>
      this.#arbitrary
        .shrink(whole.value_, whole.context)
        .map((smaller) => reducedValue(smaller, reduction, progress));
    const parameters = (progress: Progress): fc.Stream<fc.Value<T>> =>
      original(progress).filter((smaller) => historiesIn(smaller.value_) === histories);
    const end: Progress = { phase: phases.length, size: 0 };
    return (
      fc
        .stream(reductionsOf(whole, reduction, progress, parameters))
        .join(
          parameters(end),
          // What is left out may be another part of them, so that they can grow.
          original(end).filter((smaller) => JSON.stringify(smaller.value_).length < shown.length),
        )
        // Otherwise time would go into what is left out.
        .filter(({ value_ }) => {
          const text = JSON.stringify(value_);
          return !tried.has(text) && tried.add(text) !== undefined;
        })
    );
  }
}

function reducedValue<T>(whole: fc.Value<T>, reduction: Reduction, progress: Progress): fc.Value<T> {
  const reduced = mapHistories(whole.value_, '', (history, path) => reduceHistory(history, path, reduction));
  const value = reduction.renamed === 'none' ? reduced : withPlainIds(reduced, reduction.renamed);
  return new fc.Value(value as T, new Reduced(whole, reduction, progress));
}

function* reductionsOf<T>(
  whole: fc.Value<T>,
  reduction: Reduction,
  from: Progress,
  parameters: (progress: Progress) => Iterable<fc.Value<T>>,
): IterableIterator<fc.Value<T>> {
  const { dropped, plain, renamed } = reduction;
  for (const [phase, kind] of phases.entries()) {
    if (phase < from.phase) continue;
    if (kind === 'parameters') {
      yield* parameters({ phase, size: 0 });
      continue;
    }
    if (kind === 'ids') {
      for (const which of renamed === 'none' ? (['all', 'others'] as const) : [])
        yield reducedValue(whole, { ...reduction, renamed: which }, { phase, size: 0 });
      continue;
    }
    const parts = partsOf(whole.value_, kind, reduction);
    const largest = phase === from.phase ? Math.min(from.size, parts.length) : parts.length;
    for (let size = largest; size >= Math.max(1, parts.length / mostOfSize); size = Math.floor(size / 2)) {
      for (let start = 0; start < parts.length; start += size) {
        const keys = parts.slice(start, start + size).flat();
        const changed =
          kind === 'contents'
            ? { plain: new Set([...plain, ...keys]) }
            : { dropped: new Set([...dropped, ...keys]) };
        yield reducedValue(whole, { ...reduction, ...changed }, { phase, size });
      }
    }
  }
}

/** What can still be simplified, as the keys of the writes of each part. */
function partsOf(
  value: unknown,
  kind: Exclude<(typeof phases)[number], 'parameters' | 'ids'>,
  { dropped, plain }: Reduction,
): readonly (readonly string[])[] {
  const documents: string[][] = [];
  const contents: string[] = [];
  mapHistories(value, '', (history, path) => {
    for (const { id, writes } of history) {
      const left = [...writes.entries()].filter(([index]) => !dropped.has(keyOf(path, id, index)));
      if (left.length > 0) documents.push(left.map(([index]) => keyOf(path, id, index)));
      for (const [index] of left) {
        const key = keyOf(path, id, index);
        if (!plain.has(key)) contents.push(key);
      }
    }
    return history;
  });
  if (kind === 'documents') return documents;
  if (kind === 'contents') return contents.map((key) => [key]);
  return documents.filter((keys) => keys.length > 1).flatMap((keys) => keys.map((key) => [key]));
}

function reduceHistory(history: History, path: string, { dropped, plain }: Reduction): History {
  return history.flatMap(({ id, writes }) => {
    const left = writes.flatMap((write, index): Write[] => {
      const key = keyOf(path, id, index);
      if (dropped.has(key)) return [];
      return [plain.has(key) ? plainWrite(write) : write];
    });
    return left.length === 0 && writes.length > 0 ? [] : [{ id, writes: left }];
  });
}

const plainWrite = (write: Write): Write =>
  write.kind === 'replicate'
    ? { ...write, body: {}, parent: 0, hashDigits: [0] }
    : { ...write, body: {}, leaf: 0 };

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

/** The histories in a value, as a text to compare. */
function historiesIn(value: unknown): string {
  const found: History[] = [];
  mapHistories(value, '', (history) => {
    found.push(history);
    return history;
  });
  return JSON.stringify(found);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

const designPrefix = '_design/';

/** Renames the documents of all histories, also where else the value has their ids. */
function withPlainIds(value: unknown, which: 'all' | 'others'): unknown {
  const ids = new Set<string>();
  mapHistories(value, '', (history) => {
    for (const { id } of history) ids.add(id);
    return history;
  });
  const names = new Map(
    [...ids].map((id, index) => {
      const letter = letters[index] ?? `a${index}`;
      return [id, which === 'others' && id.startsWith(designPrefix) ? designPrefix + letter : letter];
    }),
  );
  return mapStrings(value, (text) => names.get(text) ?? text);
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element: unknown) => mapStrings(element, change));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, mapStrings(member, change)]);
  return Object.setPrototypeOf(Object.fromEntries(members), Object.getPrototypeOf(value) as object | null);
}
