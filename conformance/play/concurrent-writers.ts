/** Plays a history with concurrent writers. */
import type { DatabaseState, History } from '../oracle/history.js';
import type { DatabaseClient } from '../http/client.js';
import { play } from './player.js';

/**
 * Divides the documents among concurrent writers. Each writer plays the writes of its documents in order, so the
 * writes of different writers interleave arbitrarily.
 *
 * @param nodes the database as seen through each node; the writers are divided among them.
 * @param options.before the state of the database before these writes.
 */
export async function playConcurrently(
  nodes: readonly DatabaseClient[],
  history: History,
  { before, writers }: { readonly before: DatabaseState; readonly writers: number },
): Promise<DatabaseState> {
  const states = await Promise.all(
    Array.from({ length: Math.min(writers, history.length) }, async (_, writer) => {
      const own = history.filter((_, index) => index % writers === writer);
      const ids = new Set(own.map(({ id }) => id));
      const ownBefore: DatabaseState = new Map([...before].filter(([id]) => ids.has(id)));
      return [...(await play(nodes[writer % nodes.length]!, own, ownBefore))];
    }),
  );
  return new Map([...before, ...states.flat()]);
}
