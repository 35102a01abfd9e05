/** What remains of a history on a target that cannot store all of it. */
import type { Capability } from '../../openapi/generated/rules.js';
import { type Edit, parentOf, type ReplicatedWrite, type Write } from './history.js';
import { type Body, leaves, type RevisionTree } from './revisions.js';

/** Capabilities that the target lacks. */
export type Lacks = ReadonlySet<Capability>;

const designPrefix = '_design/';

export const isDesignId = (id: string): boolean => id.startsWith(designPrefix);

/** Letters and digits with a few signs between them, which need no escaping anywhere. */
const isUsual = (id: string): boolean => /^(_design\/)?[a-z\d][\w.-]{0,99}$/i.test(id);

/**
 * The writes that the target can store instead of this one, in order: the write itself if the target lacks nothing. They
 * are the same when they are asked for again.
 */
export function storable(id: string, tree: RevisionTree, write: Write, lacks: Lacks): readonly Write[] {
  if (lacks.has('design-documents') && isDesignId(id)) return [];
  if (lacks.has('unusual-ids') && !isUsual(id)) return [];
  const all = leaves(tree);
  if (lacks.has('recreation') && all.length > 0 && all.every(({ deleted }) => deleted)) return [];
  const content = withoutLost(write, lacks);
  if (content.kind === 'replicate') return storableReplicated(tree, content, lacks);
  const isOfConflict = all.filter(({ deleted }) => !deleted).length > 1;
  return lacks.has('conflict-edits') && isOfConflict ? [] : [content];
}

function withoutLost<Kind extends Write>(write: Kind, lacks: Lacks): Kind {
  const { body, attachments } = write;
  const isDeletion = write.kind === 'delete' || (write.kind === 'replicate' && write.deleted);
  return {
    ...write,
    ...(lacks.has('exact-numbers') && { body: withShortNumbers(body) as Body }),
    ...(lacks.has('deleted-bodies') && isDeletion && { body: {} }),
    ...(lacks.has('attachments') && attachments && { attachments: [] }),
  };
}

/** With numbers of at most 15 digits, which no conversion changes. */
function withShortNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(15));
  if (Array.isArray(value)) return value.map(withShortNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortNumbers(member)]));
}

/** Without chosen revisions, a write that makes no conflict is an ordinary edit. */
function storableReplicated(tree: RevisionTree, write: ReplicatedWrite, lacks: Lacks): readonly Write[] {
  const parent = parentOf(tree, write);
  const all = leaves(tree);
  const continued = all.find(({ rev }) => rev === parent);
  const isConflict = tree.size > 0 && !continued;
  if (isConflict && (lacks.has('conflicts') || lacks.has('new-edits'))) return [];
  if (!lacks.has('new-edits')) return [write];
  const live = all.filter(({ deleted }) => !deleted);
  const { body, attachments = [], deleted } = write;
  const put: Edit = { kind: 'put', leaf: 0, body, attachments };
  if (tree.size === 0) return deleted ? [put, { kind: 'delete', leaf: 0, body }] : [put];
  if (!continued!.deleted)
    return [{ ...put, kind: deleted ? 'delete' : 'put', leaf: live.indexOf(continued!) }];
  // A deleted document can only be made again.
  return live.length > 0 || deleted ? [] : [put];
}
