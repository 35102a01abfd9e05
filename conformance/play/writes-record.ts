/** Records what was written, and the revisions that a database has then. */
import type { DocumentWrite, RevisionTree } from '../../reports/report.js';
import type { DatabaseState, PlannedWrite } from '../oracle/history.js';
import { winner } from '../oracle/revisions.js';

/** @param chosen the revision that the target has chosen; `undefined` if the write brought its own. */
export function recordWrite(
  id: string,
  document: PlannedWrite['document'],
  chosen: string | undefined,
): DocumentWrite {
  const { _id, _rev, _deleted, _revisions, ...fields } = document as SentDocument;
  const deleted = _deleted === true;
  if (_revisions) {
    const [rev, ...ancestors] = _revisions.ids.map((hash, index) => `${_revisions.start - index}-${hash}`);
    return { id, kind: 'replicate', deleted, fields, ancestors, ...(rev !== undefined && { rev }) };
  }
  return {
    id,
    kind: deleted ? 'delete' : _rev === undefined ? 'create' : 'update',
    deleted,
    fields,
    ancestors: _rev === undefined ? [] : [_rev],
    ...(chosen !== undefined && { rev: chosen }),
  };
}

interface SentDocument {
  readonly _id?: string;
  readonly _rev?: string;
  readonly _deleted?: boolean;
  readonly _revisions?: { readonly start: number; readonly ids: readonly string[] };
  readonly [field: string]: unknown;
}

export function recordTrees(state: DatabaseState): RevisionTree[] {
  return [...state].flatMap(([id, tree]) => {
    const winning = winner(tree);
    if (!winning) return [];
    const revisions = [...tree.values()].map(({ rev, parent, deleted }) => ({
      rev,
      ...(parent !== undefined && { parent }),
      deleted,
    }));
    return [{ id, winner: winning.rev, revisions }];
  });
}
