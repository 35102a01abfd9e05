/** Draws the revision tree of a document as inline SVG. */
import type { DocumentWrite } from './writes.js';
import { escapeHtml } from './markup.js';

interface Revision {
  readonly rev: string;
  readonly parent?: string;
  readonly deleted: boolean;
  /** The number of revisions between this one and `parent` that the drawing omits. */
  readonly omitted: number;
}

type Tree = ReadonlyMap<string, Revision>;

const columnWidth = 150;
const rowHeight = 36;

/** A tree with more revisions would not be readable. */
const maxRevisions = 40;

/** @returns the drawing; `undefined` if the document has no conflict, because the list of writes then says the same. */
export function renderRevisionTree(id: string, writes: readonly DocumentWrite[]): string | undefined {
  const tree = withoutPlainRevisions(revisionTree(writes), writes);
  const leaves = leavesOf(tree);
  if (leaves.length < 2 || tree.size > maxRevisions) return undefined;
  const winner = winnerOf(leaves)!;
  const generations = [...new Set([...tree.keys()].map(generation))].sort((a, b) => a - b);
  const rows = rowsOf(tree);
  const place = (rev: string) => ({
    x: generations.indexOf(generation(rev)) * columnWidth + 14,
    y: rows.get(rev)! * rowHeight + 24,
  });
  const lines = [...tree.values()].flatMap(({ rev, parent, omitted }) => {
    if (parent === undefined) return [];
    const [from, to] = [place(parent), place(rev)];
    const title = omitted === 0 ? '' : `<title>${omitted} revisions between</title>`;
    return `<path${omitted === 0 ? '' : ' class="omitted"'} d="M${from.x} ${from.y}C${from.x + 60} ${from.y} ${to.x - 60} ${to.y} ${to.x} ${to.y}">${title}</path>`;
  });
  const nodes = [...tree.values()].map(({ rev, deleted }) => {
    const { x, y } = place(rev);
    const roles = [...(rev === winner.rev ? ['winner'] : []), ...(deleted ? ['deleted'] : [])];
    const label = [shortRevision(rev), ...roles].join(' · ');
    return (
      `<g class="${roles.join(' ')}"><title>${escapeHtml(rev)}</title><circle cx="${x}" cy="${y}" r="6"/>` +
      `<text x="${x}" y="${y - 11}">${escapeHtml(label)}</text></g>`
    );
  });
  const width = (generations.length - 1) * columnWidth + 190;
  const height = leaves.length * rowHeight + 8;
  const summary = `Revision tree of ${id}: ${leaves.length} leaf revisions, the winning revision is ${winner.rev}`;
  return (
    `<svg class="tree" role="img" aria-label="${escapeHtml(summary)}" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}">${lines.join('')}${nodes.join('')}</svg>`
  );
}

/** @returns the revision with the first digits of its hash. */
export function shortRevision(rev: string): string {
  const dash = rev.indexOf('-');
  const hash = rev.slice(dash + 1);
  // Generated hashes differ in their first digit or in their last ones.
  return hash.length > 12 ? `${rev.slice(0, dash + 3)}…${hash.slice(-2)}` : rev;
}

function revisionTree(writes: readonly DocumentWrite[]): Tree {
  const tree = new Map<string, Revision>();
  for (const { rev, ancestors, deleted, error } of writes) {
    if (rev === undefined || error !== undefined) continue;
    const branch = [rev, ...ancestors];
    for (const [index, one] of branch.entries()) {
      if (tree.has(one)) continue;
      const parent = branch[index + 1];
      const isDeleted = index === 0 && deleted;
      tree.set(one, {
        rev: one,
        deleted: isDeleted,
        omitted: 0,
        ...(parent === undefined ? {} : { parent }),
      });
    }
  }
  return tree;
}

/** Omits revisions between others that no write is about: long branches would need a very wide drawing. */
function withoutPlainRevisions(tree: Tree, writes: readonly DocumentWrite[]): Tree {
  const written = new Set(writes.map(({ rev }) => rev));
  const children = (wanted: string): number =>
    [...tree.values()].filter(({ parent }) => parent === wanted).length;
  const isShown = ({ rev, parent }: Revision): boolean =>
    parent === undefined || written.has(rev) || children(rev) !== 1;
  const shown = [...tree.values()].filter(isShown).map((revision): [string, Revision] => {
    let omitted = 0;
    let parent = tree.get(revision.parent ?? '');
    for (; parent && !isShown(parent); parent = tree.get(parent.parent ?? '')) omitted += 1;
    return [revision.rev, { ...revision, omitted, ...(parent ? { parent: parent.rev } : {}) }];
  });
  return new Map(shown);
}

function leavesOf(tree: Tree): Revision[] {
  const parents = new Set([...tree.values()].map(({ parent }) => parent));
  return [...tree.values()].filter(({ rev }) => !parents.has(rev));
}

/** Not deleted before deleted, then the longer branch, then the greater hash. */
function winnerOf(leaves: readonly Revision[]): Revision | undefined {
  return leaves.toSorted(
    (a, b) =>
      Number(a.deleted) - Number(b.deleted) ||
      generation(b.rev) - generation(a.rev) ||
      (a.rev < b.rev ? 1 : -1),
  )[0];
}

/** Gives each leaf a row of its own, and each other revision the row of its longest branch. */
function rowsOf(tree: Tree): Map<string, number> {
  const rows = new Map<string, number>();
  const leaves = leavesOf(tree).toSorted((a, b) => generation(b.rev) - generation(a.rev));
  for (const [row, leaf] of leaves.entries()) {
    let revision: Revision | undefined = leaf;
    for (; revision && !rows.has(revision.rev); revision = tree.get(revision.parent ?? ''))
      rows.set(revision.rev, row);
  }
  return rows;
}

const generation = (rev: string): number => Number.parseInt(rev, 10) || 0;
