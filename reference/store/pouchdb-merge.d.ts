/** Types of the functions of pouchdb-merge that the store uses. */
declare module 'pouchdb-merge' {
  type RevisionRoot = import('./revisions.js').RevisionRoot;

  /** Adds a path of revisions. Modifies `tree` and `path`. Paths are cut to the length `depth`. */
  export function merge(
    tree: RevisionRoot[],
    path: RevisionRoot,
    depth: number,
  ): { tree: RevisionRoot[]; stemmedRevs: string[] };

  /** Visits parents before children. The result of `visit` is the `context` of the children. */
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
