/** The part of pouchdb-merge that the store uses; the package ships no types. */
declare module 'pouchdb-merge' {
  /** One revision: its hash, what is known of it, and the revisions made from it. */
  export type RevisionNode = [hash: string, known: { deleted?: true }, children: RevisionNode[]];

  /** A root of a revision tree; `pos` is the generation of the root revision. */
  export interface RevisionRoot {
    pos: number;
    ids: RevisionNode;
  }

  /** Adds a path of revisions. Changes `tree` and `path` in place; nothing deeper than `depth` stays. */
  export function merge(
    tree: RevisionRoot[],
    path: RevisionRoot,
    depth: number,
  ): { tree: RevisionRoot[]; stemmedRevs: string[] };

  export function winningRev(metadata: { rev_tree: RevisionRoot[] }): string;

  /** Visits parents before children; what `visit` returns for a node is its children's `context`. */
  export function traverseRevTree<T>(
    tree: RevisionRoot[],
    visit: (
      isLeaf: boolean,
      pos: number,
      hash: string,
      context: T | undefined,
      known: { deleted?: true },
    ) => T,
  ): void;
}
