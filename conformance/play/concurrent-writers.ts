/** Plays a history with concurrent writers. */
import { emptyState, type DatabaseState, type History } from '../model/history.js';
import type { DatabaseClient } from '../client/client.js';
import { play } from './player.js';

/**
 * Divides the documents among concurrent writers. Each writer plays the stages of its documents in order, so the
 * writes of different writers interleave arbitrarily.
 *
 * @param nodes the database as seen through each node; the writers are divided among them.
 * @param options.before the state of the database before these writes.
 */
export async function playConcurrently(
  nodes: readonly DatabaseClient[],
  stages: readonly History[],
  { before = emptyState, writers }: { readonly before?: DatabaseState; readonly writers: number },
): Promise<DatabaseState> {
  const ids = [...new Set(stages.flat().map(({ id }) => id))];
  const states = await Promise.all(
    Array.from({ length: Math.min(writers, ids.length) }, async (_, writer) => {
      const ownIds = new Set(ids.filter((_, index) => index % writers === writer));
      let state: DatabaseState = new Map([...before].filter(([id]) => ownIds.has(id)));
      for (const stage of stages) {
        const ownWrites = stage.filter(({ id }) => ownIds.has(id));
        state = await play(nodes[writer % nodes.length]!, ownWrites, state);
      }
      return [...state];
    }),
  );
  return new Map([...before, ...states.flat()]);
}
