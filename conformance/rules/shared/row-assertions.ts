/** Assertions about the rows of a feed that several checks share. */
import { isDeepStrictEqual } from 'node:util';
import {
  absent,
  anObject,
  arrayOf,
  aString,
  comparableRow,
  equalTo,
  type Matcher,
  matching,
  must,
  mustMatch,
  objectWith,
  type Row,
  satisfying,
  toJson,
  writtenMembers,
} from '../../kit.js';

export const aSeq = satisfying(
  'a seq: any JSON value except null',
  (actual) => actual !== undefined && actual !== null,
);

const aRevision = objectWith({ rev: matching(/^[1-9]\d*-\S+$/, 'a revision <n>-<hash>') });

const oneRevision: Matcher = (actual, path) =>
  aRevision(actual, path) ??
  (Object.keys(actual as object).length === 1 ? undefined : { path, expected: 'the field rev only', actual });

const someChanges: Matcher = (actual, path) =>
  Array.isArray(actual) && actual.length === 0
    ? { path, expected: 'at least one revision', actual }
    : arrayOf(oneRevision)(actual, path);

/** The shape of a row in all modes (SERVICE 2.6). */
export const rowShape = objectWith({
  id: aString,
  seq: aSeq,
  changes: someChanges,
  deleted: satisfying(
    'a boolean or nothing',
    (actual) => actual === undefined || typeof actual === 'boolean',
  ),
});

/** The shape of the response in normal and longpoll mode (SERVICE 2.5). */
export const responseShape = objectWith({
  results: satisfying('an array', Array.isArray),
  last_seq: aSeq,
  pending: satisfying('a number', (actual) => typeof actual === 'number'),
});

/**
 * `deleted` must be true in the row of a deleted document, and must not be there in any other (SERVICE 2.6): false is not
 * allowed either, but says nothing else of the document.
 */
export function mustBeMarked({ value: { deleted }, path }: Row, isDeleted: boolean): void {
  const place = `${path}.deleted`;
  if (isDeleted) {
    mustMatch('The row of a deleted document is not marked as deleted', deleted, equalTo(true), place);
    return;
  }
  const what =
    deleted === true
      ? 'The row of a live document is marked as deleted'
      : 'The row of a live document has the member deleted, which must be absent there';
  mustMatch(what, deleted, absent, place);
}

/** No two rows may be of one document. */
export function mustHaveOneRowEach(rows: readonly Row[]): void {
  const earlier = new Set<string>();
  for (const { id, path } of rows) {
    must(!earlier.has(id), 'The feed has several rows for one document', {
      path: `${path}.id`,
      expected: 'an id that no earlier row has',
      actual: id,
    });
    earlier.add(id);
  }
}

/**
 * The rows must be the same in any order, except for their seqs. How often a row is there is not compared: the rule
 * feed-one-row covers a row that comes twice.
 */
export const mustHaveSameRows = (what: string, rows: readonly Row[], expected: readonly Row[]): void =>
  mustHaveSame(comparableRow, what, rows, expected);

/** Like {@link mustHaveSameRows}; each row must also have the same members, except for `seq`. */
export const mustHaveSameMembers = (what: string, rows: readonly Row[], expected: readonly Row[]): void =>
  mustHaveSame(comparableMembers, what, rows, expected);

function mustHaveSame(
  comparable: (row: Row) => unknown,
  what: string,
  rows: readonly Row[],
  expected: readonly Row[],
): void {
  const wanted = expected.map(comparable);
  const found = rows.map(comparable);
  const isAmong = (all: readonly unknown[], one: unknown): boolean =>
    all.some((other) => isDeepStrictEqual(other, one));
  const extra = found.findIndex((one) => !isAmong(wanted, one));
  const missing = wanted.filter((one) => !isAmong(found, one));
  must(extra < 0, what, {
    path: rows[extra]?.path ?? '$.results',
    expected: missing.length === 0 ? 'no other row' : { oneOf: missing },
    actual: found[extra],
  });
  must(missing.length === 0, what, {
    path: '$.results',
    expected: `also ${toJson(missing)}`,
    actual: rows.map(({ id }) => id),
  });
}

const comparableMembers = (row: Row): unknown => [
  comparableRow(row),
  Object.keys(row.value)
    .filter((name) => name !== 'seq')
    .sort(),
];

/** The `doc` of the row must be the winning revision with these fields, as it was written. */
export function mustIncludeDoc({ value, path }: Row, fields: Readonly<Record<string, unknown>>): void {
  const what = 'The doc of a row is not the winning revision as it was written';
  mustMatch(what, value.doc, anObject, `${path}.doc`);
  mustMatch(what, writtenMembers(value.doc as object), equalTo(fields), `${path}.doc`);
}

/**
 * Of any `interval` consecutive rows, at least one must have a seq. Only so many rows have a seq of their own, and one
 * more, such as the last: a row for which the target has computed none may repeat that of another.
 */
export function mustHaveSeqInEach(interval: number, rows: readonly Row[]): void {
  for (const [start, { path }] of rows.slice(0, Math.max(0, rows.length - interval + 1)).entries()) {
    const seqs = rows.slice(start, start + interval).map(({ seq }) => seq);
    must(
      seqs.some((seq) => seq !== null && seq !== undefined),
      'More consecutive rows than seq_interval allows have no seq',
      { path: `${path}.seq`, expected: `a seq in one of ${interval} consecutive rows`, actual: seqs },
    );
  }
  const sent = rows.map(({ seq }) => seq).filter((seq) => seq !== null && seq !== undefined);
  const own = sent.filter((seq, index) => !isDeepStrictEqual(seq, sent[index - 1]));
  const most = Math.ceil(rows.length / interval) + 1;
  must(own.length <= most, 'More rows than every Nth have a seq of their own', {
    path: '$.results',
    expected: `${most} seqs at most in ${rows.length} rows with seq_interval=${interval}`,
    actual: rows.map(({ seq }) => seq),
  });
}

/** The feed must have a row for each of the wanted documents. */
export function mustContainIds(
  what: string,
  ids: readonly string[],
  wanted: Iterable<string>,
  since: unknown,
): void {
  const missing = [...wanted].filter((id) => !ids.includes(id));
  must(missing.length === 0, what, {
    path: '$.results',
    expected: `rows for ${JSON.stringify(missing)} since ${toJson(since)}`,
    actual: ids,
  });
}

/** The feed must not have a row for any of the unwanted documents. */
export function mustNotContainIds(
  what: string,
  rows: readonly Row[],
  unwanted: ReadonlySet<string>,
  since: unknown,
): void {
  for (const { id, path } of rows) {
    must(!unwanted.has(id), what, {
      path: `${path}.id`,
      expected: `a document changed after ${toJson(since)}`,
      actual: id,
    });
  }
}
