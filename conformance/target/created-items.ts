/** The databases and users that checks create, and how they are removed. */
import type { Exchange } from '../http/client.js';

/** A database or user that a run creates on its target and has to remove. */
export interface CreatedItem {
  readonly kind: 'database' | 'user';
  /** Of a user, the id of its document. */
  readonly name: string;
}

/** Removes what a run creates. `TargetCleanup` implements it; the runner only says what there is. */
export interface Cleanup {
  /** Call this before the request that creates the item: a lost response does not mean that nothing was created. */
  add<Item extends CreatedItem>(item: Item): Item;
  /** Delays the removal until the target has responded to the request that creates the item. */
  whileCreating<T>(item: CreatedItem, response: Promise<T>): Promise<T>;
  /** The target has refused to create the item, so there is nothing to remove. */
  markDone(item: CreatedItem): void;
  /** Removes the given items, or all. Never throws: the report warns of what could not be removed. */
  run(items?: Iterable<CreatedItem>): Promise<void>;
}

/** True if the target has done nothing. After a 5xx this is unknown. */
export const isClientError = ({ status }: Exchange): boolean => status >= 400 && status < 500;
