/** How a passer-by judges the leaf revisions that a row lists. */
import { type JudgedFeed, must, type Row, unlessReplaced } from '../../kit.js';

/** Revisions of which some must be listed. */
interface Leaves {
  readonly revs: readonly string[];
  /** When a response has shown that they are leaves. */
  readonly at: number;
}

/** The leaves of the document that were known before the request, if there is one copy: another may lag behind. */
export function leavesBefore({ id }: Row, { passed, hasOneCopy }: JudgedFeed): Leaves | undefined {
  const known = passed.database?.leavesOf(id);
  return hasOneCopy && known && known.at < passed.passing.startedAt ? known : undefined;
}

/**
 * What is a leaf before a response and after it was one in it, and must be listed there.
 *
 * @param requiredSince since when it has been known that the list must contain the revision; undefined if it need not
 * @returns whether any must
 */
export function mustListLeaves(
  what: string,
  { id }: Row,
  leaves: Leaves | undefined,
  { path, listed }: { path: string; listed: readonly unknown[] },
  requiredSince: (rev: string) => number | undefined,
): boolean {
  const required = (leaves?.revs ?? []).flatMap((rev) => {
    const since = requiredSince(rev);
    return since === undefined ? [] : [{ rev, since }];
  });
  for (const { rev, since } of required) {
    if (listed.includes(rev)) continue;
    const assertion = (): void =>
      must(false, what, {
        path,
        expected: `also ${rev}, which is a leaf before and after the request`,
        actual: listed,
      });
    unlessReplaced(Math.min(leaves!.at, since), assertion, { id, rev, as: 'leaf' });
  }
  return required.length > 0;
}
