/** Attachments of included documents (SERVICE 4.5, 4.7 rule 5). */
import fc from 'fast-check';
import {
  absent,
  allSettledOrThrow,
  anInteger,
  anObject,
  asObject,
  aString,
  attachments,
  type Attachments,
  compressibleAttachment,
  type DatabaseClient,
  defineRule,
  type DocumentHistory,
  documentPath,
  equalTo,
  expectJson,
  type FeedQuery,
  type FeedRequest,
  forAll,
  type Matcher,
  mustMatch,
  objectWith,
  orJoined,
  playShared,
  pooled,
  readFeed,
  requests,
  type Row,
  type Run,
  sameElements,
  satisfying,
  Skip,
  stagedHistories,
  winner,
  withQuery,
  isPlainObject,
  onRow,
} from '../../kit.js';
import { mustHaveSameMembers } from '../shared/row-assertions.js';
import { unlessLost } from '../shared/stored.js';
import { aBase64 } from '../shared/base64.js';
import { unseen } from '../shared/unseen.js';

/** Its attachment is older than its winning revision, since the second edit keeps it. */
const compressible: DocumentHistory = {
  id: 'compressible',
  writes: [
    { kind: 'put', leaf: 0, body: {}, attachments: [compressibleAttachment] },
    { kind: 'put', leaf: 0, body: {}, keepAttachments: true },
  ],
};

const histories = orJoined(
  stagedHistories(1, { body: fc.record({ value: fc.nat() }), attachments, keepAttachments: fc.boolean() }),
).map(([history]) => history!);

const attachmentsIn = (document: unknown): unknown => asObject(document)['_attachments'] ?? {};

/** A property of the row of every document, given the attachments of its winning revision. */
function forEveryRow(
  requests: fc.Arbitrary<FeedRequest>,
  verify: (row: Row, written: Attachments, database: DatabaseClient) => void | Promise<void>,
): Run {
  return forAll(
    (context) => fc.record({ history: pooled(context, histories), request: requests }),
    async (context, { history, request }) => {
      const { database, state } = await playShared(context, [compressible, ...history]);
      const { rows } = await readFeed(database, request);
      await allSettledOrThrow(
        rows.map(async (row) => {
          const tree = state.get(row.id);
          if (tree) await verify(row, winner(tree)!.attachments ?? new Map(), database);
        }),
      );
    },
  );
}

/** Without include_docs, the parameter must not change the rows. */
function ignoredWithoutDocs(parameter: FeedQuery): Run {
  return forAll(
    (context) =>
      fc.record({
        history: pooled(context, histories),
        request: requests({ include_docs: undefined }),
        explicit: fc.boolean(),
      }),
    async (context, { history, request, explicit }) => {
      const { database } = await playShared(context, [compressible, ...history]);
      const withoutDocs = explicit ? withQuery(request, { include_docs: false }) : request;
      const without = await readFeed(database, withoutDocs);
      const { rows } = await readFeed(database, withQuery(withoutDocs, parameter));
      const what = `Without include_docs, ${Object.keys(parameter).join()} changes the rows`;
      mustHaveSameMembers(what, rows, without.rows);
    },
    { cases: { default: 6 } },
  );
}

/** Skips a check that has never called `onEncoding`, since then it has verified nothing. */
const unlessNothingIsEncoded =
  (create: (onEncoding: () => void) => Run): Run =>
  async (context) => {
    let isEncoded = false;
    await create(() => (isEncoded = true))(context);
    if (!isEncoded) throw new Skip('The target shows no encoding of any attachment, not even of long text.');
  };

/** The attachments of the document as stored. The server chooses which it compresses. */
async function readEncodings(database: DatabaseClient, id: string): Promise<ReadonlyMap<string, unknown>> {
  const read = { path: documentPath(id), query: { att_encoding_info: true } };
  const document = expectJson(await database.request(read));
  return new Map(Object.entries(asObject(attachmentsIn(document))));
}

/** Exactly the written attachments, each of which matches. */
function attachmentsWith(written: Attachments, matcherFor: (data: string) => Matcher): Matcher {
  return (actual, path) =>
    anObject(actual, path) ??
    sameElements([...written.keys()])(Object.keys(actual as object), path) ??
    objectWith(Object.fromEntries([...written].map(([name, data]) => [name, matcherFor(data)])))(
      actual,
      path,
    );
}

/** Valid Base64 with the same content as `data`. */
const contentOf =
  (data: string): Matcher =>
  (actual, path) =>
    aBase64(actual, path) ?? equalTo(data)(actual, path);

const notTrue = satisfying('nothing, or false', (actual) => actual === undefined || actual === false);

function mustShow({ value, path }: Row, expected: Matcher, what: string): void {
  mustMatch(what, attachmentsIn(value.doc), expected, `${path}.doc._attachments`);
}

/** Like {@link mustShow}, but for attachments that the target has stored. */
const mustShowStored = (
  database: DatabaseClient,
  row: Row,
  written: Attachments,
  ...expected: [Matcher, what: string]
): Promise<void> => {
  const isCause = (document: object): boolean => {
    const stored = asObject(attachmentsIn(document));
    return [...written].some(([name, data]) => {
      const { data: found = data } = asObject(stored[name]);
      return !(name in stored) || found !== data;
    });
  };
  return unlessLost(database, row, { isCause, lost: 'an attachment' }, () => mustShow(row, ...expected));
};

const requestsForStubs = fc.oneof(
  requests({ include_docs: true, attachments: undefined }),
  requests({ include_docs: true, attachments: false }),
);

/** The attachments in the doc of a row that passes. */
const passingAttachments = ({ doc }: Row['value']): Readonly<Record<string, unknown>>[] =>
  Object.values(asObject(asObject(doc)['_attachments'])).filter(isPlainObject);

/** What a stub of an attachment that is not compressed shows, or that of any if nobody asks. */
const bare = objectWith({ encoding: absent, encoded_length: absent });
const encoded = objectWith({ encoding: aString, encoded_length: anInteger({ min: 0 }) });

export const feedAttachments = defineRule('feed-attachments', {
  rung: 'parameters',
  inTraffic: {
    part: { judged: 'Attachments have content in Base64 exactly if it was asked for.', rest: unseen.stored },
    feed: onRow(({ value, path }, { parameters, passed }) => {
      if (!parameters.has('include_docs') || passed.passing.lacksDocuments) return false;
      const isInline = parameters.has('attachments');
      if (isInline === undefined) return false;
      const expected = isInline ? objectWith({ data: aBase64, stub: absent }) : objectWith({ data: absent });
      const attachments = passingAttachments(value);
      const what = isInline
        ? 'With attachments=true, an attachment has no content in Base64'
        : 'Without attachments=true, an attachment has its content';
      for (const one of attachments) mustMatch(what, one, expected, `${path}.doc._attachments`);
      return attachments.length > 0;
    }),
  },
  checks: {
    'feed-attachments': forEveryRow(
      requests({ include_docs: true, attachments: true }),
      (row, written, database) => {
        const whole = attachmentsWith(written, (data) =>
          objectWith({ data: contentOf(data), stub: notTrue }),
        );
        const what = 'A doc does not include its attachments as they were written';
        return mustShowStored(database, row, written, whole, what);
      },
    ),

    'feed-attachments/stubs': forEveryRow(requestsForStubs, (row, written, database) => {
      const stubs = attachmentsWith(written, () => objectWith({ stub: equalTo(true), data: absent }));
      const what = 'Without attachments=true, the attachments of a doc are not stubs';
      return mustShowStored(database, row, written, stubs, what);
    }),

    'feed-attachments/needs-include-docs': ignoredWithoutDocs({ attachments: true }),
  },
});

export const feedAttEncoding = defineRule('feed-att-encoding', {
  rung: 'parameters',
  inTraffic: {
    part: {
      judged: 'A stub shows its encoding only if it was asked for, and together with its length.',
      rest: 'The server chooses which attachments to compress.',
    },
    feed: onRow(({ value, path }, { parameters, passed }) => {
      if (!parameters.has('include_docs') || passed.passing.lacksDocuments) return false;
      const isAsked = parameters.has('att_encoding_info');
      // Attachments with their content are no stubs.
      if (isAsked === undefined || parameters.has('attachments') !== false) return false;
      const attachments = passingAttachments(value);
      const what = isAsked
        ? 'A stub shows an encoding without a length, or the other way round'
        : 'A stub shows its encoding or encoded length without att_encoding_info=true';
      for (const one of attachments) {
        const isEncoded = isAsked && ('encoding' in one || 'encoded_length' in one);
        mustMatch(what, one, isEncoded ? encoded : bare, `${path}.doc._attachments`);
      }
      return attachments.length > 0;
    }),
  },
  checks: {
    'feed-att-encoding': unlessNothingIsEncoded((onEncoding) =>
      forEveryRow(
        requests({ include_docs: true, attachments: undefined, att_encoding_info: true }),
        async (row, written, database) => {
          if (written.size === 0) return;
          const stored = await readEncodings(database, row.id);
          for (const [name, stub] of Object.entries(asObject(attachmentsIn(row.value.doc)))) {
            const { encoding, encoded_length: length } = asObject(stored.get(name));
            const isCompressed = 'encoding' in asObject(stub) || 'encoded_length' in asObject(stub);
            if (encoding !== undefined || isCompressed) onEncoding();
            const matcher =
              encoding !== undefined
                ? objectWith({ encoding: equalTo(encoding), encoded_length: equalTo(length) })
                : isCompressed
                  ? encoded
                  : objectWith({});
            const what = 'With att_encoding_info=true, a stub does not show the stored encoding and length';
            mustMatch(what, stub, matcher, `${row.path}.doc._attachments[${JSON.stringify(name)}]`);
          }
        },
      ),
    ),

    'feed-att-encoding/only-when-asked': unlessNothingIsEncoded((onEncoding) =>
      forEveryRow(requestsForStubs, async (row, written, database) => {
        const what = 'A stub shows its encoding or encoded length without att_encoding_info=true';
        await mustShowStored(
          database,
          row,
          written,
          attachmentsWith(written, () => bare),
          what,
        );
        if (row.id !== compressible.id) return;
        const stored = [...(await readEncodings(database, row.id)).values()];
        if (stored.some((attachment) => asObject(attachment)['encoding'] !== undefined)) onEncoding();
      }),
    ),

    'feed-att-encoding/needs-include-docs': ignoredWithoutDocs({ att_encoding_info: true }),
  },
});
