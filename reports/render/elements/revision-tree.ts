/** Draws the revision tree of a document as inline SVG. */
import type { DocumentWrite, RevisionTree } from '../../report.js';
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

/**
 * @param writes of the document.
 * @returns the drawing; `undefined` if it would not be readable
 */
export function renderRevisionTree(
  { id, winner, revisions }: RevisionTree,
  writes: readonly DocumentWrite[],
): string | undefined {
  const tree = withoutPlainRevisions(revisions, writes);
  const leaves = leavesOf(tree);
  if (tree.size > maxRevisions) return undefined;
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
    const roles = [...(rev === winner ? ['winner'] : []), ...(deleted ? ['deleted'] : [])];
    const label = [shortRevision(rev), ...roles].join(' · ');
    return (
      `<g class="${roles.join(' ')}"><title>${escapeHtml(rev)}</title><circle cx="${x}" cy="${y}" r="6"/>` +
      `<text x="${x}" y="${y - 11}">${escapeHtml(label)}</text></g>`
    );
  });
  const width = (generations.length - 1) * columnWidth + 190;
  const height = leaves.length * rowHeight + 8;
  const summary = `Revision tree of ${id}: ${leaves.length} leaf revisions, the winning revision is ${winner}`;
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

/** Omits revisions between others that no write is about: long branches would need a very wide drawing. */
function withoutPlainRevisions(revisions: RevisionTree['revisions'], writes: readonly DocumentWrite[]): Tree {
  const tree = new Map(revisions.map((revision) => [revision.rev, revision]));
  const written = new Set(writes.map(({ rev }) => rev));
  const children = (wanted: string): number =>
    [...tree.values()].filter(({ parent }) => parent === wanted).length;
  const isShown = ({ rev, parent }: Omit<Revision, 'omitted'>): boolean =>
    parent === undefined || written.has(rev) || children(rev) !== 1;
  const shown = [...tree.values()].filter(isShown).map((revision): [string, Revision] => {
    let omitted = 0;
    let parent = tree.get(revision.parent ?? '');
    for (; parent && !isShown(parent); parent = tree.get(parent.parent ?? '')) omitted += 1;
    const { rev, deleted } = revision;
    return [rev, { rev, deleted, omitted, ...(parent && { parent: parent.rev }) }];
  });
  return new Map(shown);
}

function leavesOf(tree: Tree): Revision[] {
  const parents = new Set([...tree.values()].map(({ parent }) => parent));
  return [...tree.values()].filter(({ rev }) => !parents.has(rev));
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
