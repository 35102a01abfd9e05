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
 * What the target can store of a write: all of it if the target lacks nothing, and nothing if the write is what it lacks.
 * No write becomes several, which a feed could show one after the other.
 */
export function storable(id: string, tree: RevisionTree, write: Write, lacks: Lacks): Write | undefined {
  if (lacks.has('design-documents') && isDesignId(id)) return undefined;
  if (lacks.has('unusual-ids') && !isUsual(id)) return undefined;
  const all = leaves(tree);
  if (lacks.has('recreation') && all.length > 0 && all.every(({ deleted }) => deleted)) return undefined;
  const content = withoutLost(write, lacks);
  if (content.kind === 'replicate') return storableReplicated(tree, content, lacks);
  // A target may take a deleted branch for the document, too, and then refuse to edit the other one.
  return lacks.has('conflict-edits') && all.length > 1 ? undefined : content;
}

function withoutLost(write: Write, lacks: Lacks): Write {
  const { body, attachments } = write;
  const isDeletion = write.kind === 'delete' || (write.kind === 'replicate' && write.deleted);
  return {
    ...write,
    ...(lacks.has('exact-numbers') && { body: withShortNumbers(body) as Body }),
    ...(lacks.has('deleted-bodies') && isDeletion && { body: {} }),
    ...(lacks.has('attachments') && attachments && { attachments: [] }),
  };
}

/** With numbers of at most 15 digits and without an exponent, which no conversion changes. */
function withShortNumbers(value: unknown): unknown {
  if (typeof value === 'number') {
    const short = Number(value.toPrecision(15));
    return Number(String(short).replace(/e.*/, ''));
  }
  if (Array.isArray(value)) return value.map(withShortNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortNumbers(member)]));
}

/** Without chosen revisions, a write that makes no conflict is an ordinary edit. */
function storableReplicated(tree: RevisionTree, write: ReplicatedWrite, lacks: Lacks): Write | undefined {
  const parent = parentOf(tree, write);
  const all = leaves(tree);
  const continued = all.find(({ rev }) => rev === parent);
  const isConflict = tree.size > 0 && !continued;
  if (isConflict && (lacks.has('conflicts') || lacks.has('new-edits'))) return undefined;
  if (!lacks.has('new-edits')) return write;
  const { body, attachments = [], deleted } = write;
  const live = all.filter((leaf) => !leaf.deleted);
  const edit: Edit = { kind: deleted ? 'delete' : 'put', leaf: 0, body, attachments };
  if (continued && !continued.deleted) return { ...edit, leaf: live.indexOf(continued) };
  // Only if no leaf is live does an edit make the document, or make it again. A deletion does nothing then.
  return live.length > 0 || deleted ? undefined : edit;
}
