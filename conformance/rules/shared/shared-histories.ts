/** Properties of databases that several checks read. */
import fc from 'fast-check';
import {
  type CheckContext,
  type DatabaseClient,
  type DatabaseState,
  forAll,
  type History,
  playShared,
  pooled,
  type PropertyOptions,
  type Run,
  sharedHistories,
} from '../../kit.js';

/**
 * A property of a database with a history of the pool, which it must not write to.
 *
 * @param more what else is generated for each case.
 */
export const forSharedHistories = <More extends object>(
  more: { readonly [name in keyof More]: fc.Arbitrary<More[name]> },
  holds: (
    played: { readonly database: DatabaseClient; readonly state: DatabaseState },
    values: More,
    context: CheckContext,
  ) => Promise<void>,
  options?: PropertyOptions,
): Run =>
  forAll(
    (context) => fc.record({ history: pooled(context, sharedHistories), ...more }),
    async (context, input) => holds(await playShared(context, input.history), input as More, context),
    options,
  );

/**
 * A property of one database, which it must not write to. A violation is shrunk to the documents that it needs.
 *
 * @param more what else belongs to the case.
 */
export const forSharedHistory = <More extends object>(
  history: History,
  more: { readonly [name in keyof More]: fc.Arbitrary<More[name]> },
  holds: (
    played: { readonly database: DatabaseClient; readonly state: DatabaseState },
    values: More,
  ) => Promise<void>,
): Run =>
  forAll(
    fc.record({ history: fc.constant(history), ...more }),
    async (context: CheckContext, input) => holds(await playShared(context, input.history), input as More),
    { once: true },
  );
