/** A database with documents of which each filter accepts some, for checks that read it through many filters. */
import {
  type CheckContext,
  designDocumentHistory,
  documentsOfEachState,
  newDocument,
  playShared,
} from '../../kit.js';

export const differentBodies = [
  { type: 'a', value: 1, tags: ['red'] },
  { type: 'ü b', value: 2, tags: [] },
  { type: 1, value: 3, tags: 'red' },
  { value: 'x' },
];
export const differentDocuments = differentBodies.map((body, index) => newDocument(`doc-${index}`, body));

/** A check that calls this has `functions` and `attachments` among its optional capabilities, or needs them. */
export const playDifferentDocuments = (context: CheckContext): ReturnType<typeof playShared> =>
  playShared(context, [
    ...(context.target.has('functions') ? [designDocumentHistory] : []),
    ...differentDocuments,
    ...documentsOfEachState({ attachments: context.target.has('attachments') }),
  ]);
