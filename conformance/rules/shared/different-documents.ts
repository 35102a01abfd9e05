/** A database with documents of which each filter accepts some, for checks that read it through many filters. */
import fc from 'fast-check';
import {
  type CheckContext,
  type CheckDefinition,
  type DatabaseClient,
  type DatabaseState,
  designDocumentFor,
  designId,
  documentsOfEachState,
  type Filter,
  forAll,
  type History,
  newDocument,
  playShared,
  playSharedForFilters,
  variantsFor,
  wholeList,
} from '../../kit.js';

export const differentBodies = [
  { type: 'a', value: 1, tags: ['red'] },
  { type: 'ü b', value: 2, tags: [] },
  { type: 1, value: 3, tags: 'red' },
  { value: 'x' },
];
export const differentDocuments = differentBodies.map((body, index) => newDocument(`doc-${index}`, body));

const documentsFor = ({ target }: CheckContext): History => [
  ...differentDocuments,
  ...documentsOfEachState({ attachments: target.has('attachments') }),
];

/** A check that calls this has `attachments` among its optional capabilities, or needs them. */
export const playDifferentDocuments = (
  context: CheckContext,
  filters: readonly Filter[],
): ReturnType<typeof playShared> =>
  playShared(context, [...designDocumentFor(filters), ...documentsFor(context)]);

/** Reads one database through each of these filters. A violation is shrunk to one filter and the documents that it needs. */
export const throughEach = (
  filters: readonly Filter[],
  verify: (
    filter: Filter,
    played: { readonly database: DatabaseClient; readonly state: DatabaseState },
  ) => Promise<void>,
): Exclude<CheckDefinition, (...args: never) => unknown> => ({
  optional: ['functions', 'attachments'],
  run: forAll(
    (context) =>
      fc.record({
        before: fc.constant<History>([newDocument(designId), ...documentsFor(context)]),
        filters: wholeList(variantsFor(context, filters)),
      }),
    async (context: CheckContext, { before, filters }) => {
      const { database, after: state } = await playSharedForFilters(context, { before, after: [], filters });
      for (const filter of filters) await verify(filter, { database, state });
    },
    { once: true },
  ),
});
