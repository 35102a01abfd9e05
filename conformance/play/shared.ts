/**
 * Plays a history once for all checks that only read it. Such a check draws its history from the pool of the run
 * (`arbitraries/pool.ts`) and must not write to the database.
 *
 * A verdict is as valid as on a database of its own: nobody writes after the history, so all readers must see the same
 * state. Before a property reports a violation, it plays the history again in a new database (see `forAll`).
 */
import type { DatabaseClient, TargetRequest } from '../http/client.js';
import type { DatabaseState, History } from '../oracle/history.js';
import { readFeed, type Feed } from './read-feed.js';
import { play, playNew, readWinners } from './player.js';

/** The part of a check context that shares databases. */
export interface DatabaseSharer {
  readonly isAlone: boolean;
  createDatabase(options?: DatabaseOptions): Promise<DatabaseClient>;
  openDatabase(name: string): DatabaseClient;
  shared<T>(key: unknown, make: (context: DatabaseSharer) => Promise<T>): Promise<T>;
}

interface DatabaseOptions {
  readonly query?: TargetRequest['query'];
}

/** Plays the history in a database that no check writes to, unless the run has already done so. */
export async function playShared(
  context: DatabaseSharer,
  history: History,
  options: DatabaseOptions = {},
): Promise<{ database: DatabaseClient; state: DatabaseState }> {
  const { name, state } = await context.shared(['history', history, options], async (inner) => {
    const { database, state } = await playNew(inner, history, options);
    return { name: database.name, state: await readWinners(database, state) };
  });
  return { database: context.openDatabase(name), state };
}

/** A history of two stages in a shared database, for checks that resume from the end of the first stage. */
export interface PlayedStages {
  readonly database: DatabaseClient;
  /** The state between the stages, without its winning revisions. */
  readonly before: DatabaseState;
  /** The feed between the stages, requested without parameters. */
  readonly feed: Feed;
  /** The state after both stages. */
  readonly after: DatabaseState;
}

/** Like {@link playShared}, and reads the feed between the stages. */
export async function playSharedStages(
  context: DatabaseSharer,
  { before, after }: { readonly before: History; readonly after: History },
  options: DatabaseOptions = {},
): Promise<PlayedStages> {
  const { name, ...played } = await context.shared(['stages', before, after, options], async (inner) => {
    const { database, state } = await playNew(inner, before, options);
    const feed = await readFeed(database);
    const last = await readWinners(database, await play(database, after, state));
    return { name: database.name, before: state, feed, after: last };
  });
  return { database: context.openDatabase(name), ...played };
}
