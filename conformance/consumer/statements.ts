/** What a consumer says that it knows, and how that differs from the truth. */
import { Violation } from '../engine/outcomes.js';
import { asObject, parseJson } from '../http/parse-json.js';
import type { DatabaseState } from '../oracle/history.js';
import type { Truth } from './scenario-histories.js';

/** A line of a consumer. */
export interface Statement {
  readonly id: string;
  readonly rev: string;
  readonly deleted: boolean;
  /** All leaf revisions that the consumer knows, sorted; missing if it does not say. */
  readonly leaves?: readonly string[];
}

/** @returns undefined if the line is not a statement, such as a message for people */
export function parseStatement(line: string): Statement | undefined {
  const { id, rev, deleted = false, leaves } = asObject(parseJson(line));
  if (typeof id !== 'string' || typeof rev !== 'string' || typeof deleted !== 'boolean') return undefined;
  return {
    id,
    rev,
    deleted,
    ...(Array.isArray(leaves) && { leaves: leaves.map(String).sort() }),
  };
}

/** The last statement of an id counts, also across restarts. */
export class Knowledge {
  readonly #latest = new Map<string, Statement>();
  /** All different statements, as JSON. */
  readonly #said = new Map<string, Statement>();
  /** Number of statements. */
  count = 0;
  saysLeaves = false;

  /** Number of documents that the consumer knows. */
  get size(): number {
    return this.#latest.size;
  }

  /** @returns whether the consumer says this for the first time: one that alternates makes no progress */
  learn(statement: Statement): boolean {
    const text = JSON.stringify(statement);
    const isNews = !this.#said.has(text);
    this.#said.set(text, statement);
    this.#latest.set(statement.id, statement);
    this.count += 1;
    this.saysLeaves ||= statement.leaves !== undefined;
    return isNews;
  }

  /** The first difference to the truth; undefined if the consumer knows all of it. */
  differenceTo(truths: ReadonlyMap<string, Truth>, withLeaves: boolean): Violation | undefined {
    for (const [id, truth] of truths) {
      const known = this.#latest.get(id);
      const at = (what: string, expected: unknown, actual: unknown): Violation =>
        new Violation(what, { path: `$[${JSON.stringify(id)}]`, expected, actual });
      const { rev, deleted } = truth;
      if (deleted && !known?.deleted)
        return at('The consumer does not know that a document is deleted', { rev, deleted }, known);
      if (!known) return at('The consumer does not know a document', { rev, deleted }, known);
      if (known.rev !== rev || known.deleted !== deleted)
        return at('The consumer knows an outdated state of a document', { rev, deleted }, known);
      if (withLeaves && String(known.leaves) !== String(truth.leaves))
        return at('The consumer does not know all leaf revisions of a document', truth.leaves, known.leaves);
    }
    return undefined;
  }

  /**
   * What the consumer said and what was never written.
   *
   * @param states the last one of each database that had the name.
   */
  inventionAgainst(states: readonly DatabaseState[]): Violation | undefined {
    for (const { id, rev } of this.#said.values()) {
      const revs = new Set(states.flatMap((state) => [...(state.get(id)?.keys() ?? [])]));
      if (revs.has(rev)) continue;
      return new Violation(
        `The consumer says a ${revs.size > 0 ? 'revision' : 'document'} that was never written`,
        { path: `$[${JSON.stringify(id)}]`, expected: [...revs], actual: rev },
      );
    }
    return undefined;
  }
}
