import { emptyState, planWrite, type DatabaseState, type History } from '../oracle/history.js';
import { type Lacks, storable } from '../oracle/storable.js';
import { emptyTree, generation, winner } from '../oracle/revisions.js';

/** Returns the state of a database after a history, with revisions that a server would generate. */
export function simulate(
  history: History,
  before: DatabaseState = emptyState,
  lacks: Lacks = new Set(),
): DatabaseState {
  const state = new Map(before);
  for (const { id, writes } of history) {
    for (const write of writes) {
      const tree = state.get(id) ?? emptyTree;
      const stored = storable(id, tree, write, lacks);
      const planned = stored && planWrite(id, tree, stored);
      const parent = (planned?.document._rev as string | undefined) ?? winner(tree)?.rev;
      const made = `${parent === undefined ? 1 : generation(parent) + 1}-${tree.size.toString(16)}`;
      if (planned) state.set(id, planned.newEdits ? planned.grow(made) : planned.grow());
    }
  }
  return state;
}
