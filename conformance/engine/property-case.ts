/** Tries one case of a property: again for a lagging copy, and alone to confirm a violation in a shared database. */
import type { ScopeContext } from './check.js';
import { Finding } from './finding.js';

/** What a case threw. */
export interface Thrown {
  readonly reason: unknown;
}

/** How often a case must hold with settled copies before a lagging copy explains that it failed. */
const settledTries = 2;

/** A case that fails so often again does not fail by a rare lag. */
const steadyTries = 2;

/**
 * Tries a case. A violation that a lagging copy may have caused counts only if it shows again in a read that waits for
 * the copies. A violation in a database that other checks share is confirmed in a new one, if `confirms` says so; without
 * confirmation it stays, marked as unconfirmed.
 *
 * @param options.isAlone whether the case shares nothing with other checks
 * @returns what the case threw, or `undefined` if it holds
 */
export async function tryCase<Context extends ScopeContext<Context>>(
  context: Context,
  holds: (inner: Context) => Promise<void>,
  { isAlone, confirms }: { isAlone: boolean; confirms: (finding: Finding) => boolean },
): Promise<Thrown | undefined> {
  const thrown = await tryWithCopies(context, holds, { isAlone, confirms });
  const finding = findingIn(thrown);
  if (!finding?.circumstances.isShared || !confirms(finding)) return thrown;
  const confirmed = await tryWithCopies(context, holds, { isAlone: true, confirms });
  return findingIn(confirmed) ? confirmed : { reason: finding.with({ isUnconfirmed: true }) };
}

async function tryWithCopies<Context extends ScopeContext<Context>>(
  context: Context,
  holds: (inner: Context) => Promise<void>,
  { isAlone, confirms }: { isAlone: boolean; confirms: (finding: Finding) => boolean },
): Promise<Thrown | undefined> {
  const thrown = await errorOf(context.inScope(holds, { isAlone, judges: true }));
  const finding = findingIn(thrown);
  if (!finding) return thrown;
  const mayBeLag =
    finding.circumstances.mayBeLag || (!isAlone && confirms(finding) && (await isRareLag(context, holds)));
  if (!mayBeLag) return thrown;
  for (let left = settledTries; left > 0; left -= 1) {
    const again = await errorOf(context.inScope(holds, { isAlone, isSettled: true, judges: true }));
    if (again) return again;
  }
  context.countLag();
  return undefined;
}

/** Whether a case that has failed holds when it is tried again, and copies turn out to lag behind now and then. */
async function isRareLag<Context extends ScopeContext<Context>>(
  context: Context,
  holds: (inner: Context) => Promise<void>,
): Promise<boolean> {
  for (let left = steadyTries; left > 0 && context.findRareLag; left -= 1)
    if (!(await errorOf(context.inScope(holds, { judges: true })))) return context.findRareLag();
  return false;
}

const findingIn = (thrown: Thrown | undefined): Finding | undefined =>
  thrown?.reason instanceof Finding ? thrown.reason : undefined;

const errorOf = (promise: Promise<unknown>): Promise<Thrown | undefined> =>
  promise.then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  );
