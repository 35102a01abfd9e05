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
 * confirmation it stays, marked as unconfirmed. One that does not show again may come from a lag that is rare: see
 * {@link ScopeContext.findRareLag}.
 *
 * @param options.isAlone whether the case shares nothing with other checks
 * @returns what the case threw, or `undefined` if it holds
 */
export async function tryCase<Context extends ScopeContext<Context>>(
  context: Context,
  holds: Case<Context>,
  { isAlone, confirms }: { isAlone: boolean; confirms: (finding: Finding) => boolean },
): Promise<Thrown | undefined> {
  const thrown = await tryWithCopies(context, holds, isAlone);
  const finding = findingIn(thrown);
  if (!finding || isAlone || !confirms(finding)) return thrown;
  const { isShared } = finding.circumstances;
  if (isShared) {
    const confirmed = await tryWithCopies(context, holds, true);
    if (findingIn(confirmed)) return confirmed;
  } else {
    // One that depends on timing is confirmed when the target is less busy.
    if (finding.violation.dependsOnTiming || !context.findRareLag) return thrown;
    if (!(await holdsAgain(context, holds))) return thrown;
  }
  // Where the look fails, nothing shows a lag.
  const isRareLag = await context.findRareLag?.().catch(() => false);
  // What checks share may have been read while it was behind.
  if (isRareLag) return trySettled(context, holds, isAlone || isShared);
  return isShared ? { reason: finding.with({ isUnconfirmed: true }) } : thrown;
}

type Case<Context> = (inner: Context) => Promise<void>;

async function tryWithCopies<Context extends ScopeContext<Context>>(
  context: Context,
  holds: Case<Context>,
  isAlone: boolean,
): Promise<Thrown | undefined> {
  const thrown = await errorOf(context.inScope(holds, { isAlone, judges: true }));
  return findingIn(thrown)?.circumstances.mayBeLag ? trySettled(context, holds, isAlone) : thrown;
}

/** Tries a case that has failed, in reads that wait for the copies. */
async function trySettled<Context extends ScopeContext<Context>>(
  context: Context,
  holds: Case<Context>,
  isAlone: boolean,
): Promise<Thrown | undefined> {
  for (let left = settledTries; left > 0; left -= 1) {
    const again = await errorOf(context.inScope(holds, { isAlone, isSettled: true, judges: true }));
    if (again) return again;
  }
  context.countLag();
  return undefined;
}

async function holdsAgain<Context extends ScopeContext<Context>>(
  context: Context,
  holds: Case<Context>,
): Promise<boolean> {
  for (let left = steadyTries; left > 0; left -= 1)
    if (!(await errorOf(context.inScope(holds, { judges: true })))) return true;
  return false;
}

const findingIn = (thrown: Thrown | undefined): Finding | undefined =>
  thrown?.reason instanceof Finding ? thrown.reason : undefined;

const errorOf = (promise: Promise<unknown>): Promise<Thrown | undefined> =>
  promise.then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  );
