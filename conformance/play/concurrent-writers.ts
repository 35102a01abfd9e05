/** Writers that are at work at the same time. */
import { emptyState, type DatabaseState, type History } from '../model/history.js';
import type { DatabaseClient } from '../client/client.js';
import { play } from './player.js';

/**
 * Divides the documents among so many writers, each of which plays one stage of its own after the other: what one of
 * them writes falls anywhere between what the others write.
 *
 * @param nodes the database, as each node of the target has it: the writers are divided among them.
 */
export async function playConcurrently(
  nodes: readonly DatabaseClient[],
  stages: readonly History[],
  { before = emptyState, writers }: { readonly before?: DatabaseState; readonly writers: number },
): Promise<DatabaseState> {
  const ids = [...new Set(stages.flat().map(({ id }) => id))];
  const states = await Promise.all(
    Array.from({ length: Math.min(writers, ids.length) }, async (_, writer) => {
      const mine = new Set(ids.filter((_, place) => place % writers === writer));
      let state: DatabaseState = new Map([...before].filter(([id]) => mine.has(id)));
      for (const stage of stages) {
        const part = stage.filter(({ id }) => mine.has(id));
        state = await play(nodes[writer % nodes.length]!, part, state);
      }
      return [...state];
    }),
  );
  return new Map([...before, ...states.flat()]);
}
