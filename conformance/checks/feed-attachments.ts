/** Attachments of included documents (SERVICE 4.5, 4.7 rule 5). */
import fc from 'fast-check';
import { attachments } from '../arbitraries/attachments.js';
import { stagedHistories } from '../arbitraries/histories.js';
import { requests } from '../arbitraries/requests.js';
import type { FeedQuery, FeedRequest } from '../model/feed.js';
import { winner, type Attachments } from '../model/revisions.js';
import { readFeed, comparableRow, type Row } from '../play/feed.js';
import { documentPath, playNew } from '../play/player.js';
import { expectJson } from '../play/expect-json.js';
import { allSettledOrThrow } from '../play/settled.js';
import {
  absent,
  anInteger,
  anObject,
  aString,
  equalTo,
  matching,
  mustMatch,
  objectWith,
  sameElements,
  satisfying,
  type Matcher,
} from '../verdict/matchers.js';
import { asObject } from '../client/json.js';
import type { DatabaseClient } from '../client/client.js';
import { check, forAll, type Check, type Run } from '../check.js';

const histories = stagedHistories(1, {
  body: fc.record({ value: fc.nat() }),
  attachments,
  keeps: fc.boolean(),
}).map(([only]) => only!);

/** The attachments that a document shows. */
const shownIn = (document: unknown): unknown => asObject(document)['_attachments'] ?? {};

/** A property of the rows of documents, with the attachments that their winning revisions have. */
function forEveryRow(
  request: fc.Arbitrary<FeedRequest>,
  judge: (row: Row, written: Attachments, database: DatabaseClient) => void | Promise<void>,
): Run {
  return forAll(fc.record({ history: histories, request }), async (context, { history, request }) => {
    const { database, state } = await playNew(context, history);
    const { rows } = await readFeed(database, request.query, request.method);
    await allSettledOrThrow(
      rows.map(async (row) => {
        const tree = state.get(row.id);
        if (tree) await judge(row, winner(tree)!.attachments ?? new Map(), database);
      }),
    );
  });
}

/** What is ignored without include_docs leaves the rows as they are. */
function ignoredWithoutDocs(parameter: FeedQuery): Run {
  return forAll(
    fc.record({ history: histories, request: requests({ include_docs: undefined }), said: fc.boolean() }),
    async (context, { history, request: { method, query }, said }) => {
      const { database } = await playNew(context, history);
      const asked = said ? { ...query, include_docs: false } : query;
      const without = await readFeed(database, asked, method);
      const { rows } = await readFeed(database, { ...asked, ...parameter }, method);
      const what = `Without include_docs, ${Object.keys(parameter).join()} changes the rows`;
      mustMatch(what, rows.map(comparableRow), sameElements(without.rows.map(comparableRow)), '$.results');
    },
    { runs: { default: 10 } },
  );
}

/** For each attachment that was written, and for no other. */
function eachAttachment(written: Attachments, judge: (data: string) => Matcher): Matcher {
  return (actual, path) =>
    anObject(actual, path) ??
    sameElements([...written.keys()])(Object.keys(actual as object), path) ??
    objectWith(Object.fromEntries([...written].map(([name, data]) => [name, judge(data)])))(actual, path);
}

/** The bytes of another Base64 text, told by their own. */
const contentOf =
  (data: string): Matcher =>
  (actual, path) => {
    const isText = matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'Base64');
    return isText(actual, path) ?? equalTo(data)(actual, path);
  };

const notTrue = satisfying('nothing, or false', (actual) => actual === undefined || actual === false);

const asStub = requests({ include_docs: true, attachments: undefined });
const asStubExplicitly = requests({ include_docs: true, attachments: false });

export const feedAttachmentsChecks: readonly Check[] = [
  check({
    rule: 'feed-attachments',
    run: forEveryRow(requests({ include_docs: true, attachments: true }), (row, written) => {
      const whole = eachAttachment(written, (data) => objectWith({ data: contentOf(data), stub: notTrue }));
      const what = 'The attachments of a doc are not included as they were written';
      mustMatch(what, shownIn(row.value.doc), whole, `${row.path}.doc._attachments`);
    }),
  }),

  check({
    rule: 'feed-attachments',
    what: 'stubs',
    run: forEveryRow(fc.oneof(asStub, asStubExplicitly), (row, written) => {
      const stubs = eachAttachment(written, () => objectWith({ stub: equalTo(true), data: absent }));
      const what = 'Without attachments=true the attachments of a doc are no stubs';
      mustMatch(what, shownIn(row.value.doc), stubs, `${row.path}.doc._attachments`);
    }),
  }),

  check({
    rule: 'feed-attachments',
    what: 'needs-include-docs',
    run: ignoredWithoutDocs({ attachments: true }),
  }),

  check({
    rule: 'feed-att-encoding',
    run: forEveryRow(
      requests({ include_docs: true, attachments: undefined, att_encoding_info: true }),
      async (row, written, database) => {
        if (written.size === 0) return;
        const what = 'The stubs do not say how the attachments are stored';
        // Which attachments are compressed is the server's choice: the document itself tells what it was.
        const asked = { path: documentPath(row.id), query: { att_encoding_info: true } };
        const document = expectJson(await database.request(asked), [200]);
        const stored = new Map(Object.entries(asObject(shownIn(document))));
        for (const [name, stub] of Object.entries(asObject(shownIn(row.value.doc)))) {
          const { encoding, encoded_length: length } = asObject(stored.get(name));
          const isCompressed = 'encoding' in asObject(stub) || 'encoded_length' in asObject(stub);
          const matcher =
            encoding !== undefined
              ? objectWith({ encoding: equalTo(encoding), encoded_length: equalTo(length) })
              : isCompressed
                ? objectWith({ encoding: aString, encoded_length: anInteger({ min: 0 }) })
                : objectWith({});
          mustMatch(what, stub, matcher, `${row.path}.doc._attachments[${JSON.stringify(name)}]`);
        }
      },
    ),
  }),

  check({
    rule: 'feed-att-encoding',
    what: 'only-when-asked',
    run: forEveryRow(fc.oneof(asStub, asStubExplicitly), (row, written) => {
      const bare = eachAttachment(written, () => objectWith({ encoding: absent, encoded_length: absent }));
      const what = 'A stub says how the attachment is stored without att_encoding_info';
      mustMatch(what, shownIn(row.value.doc), bare, `${row.path}.doc._attachments`);
    }),
  }),

  check({
    rule: 'feed-att-encoding',
    what: 'needs-include-docs',
    run: ignoredWithoutDocs({ att_encoding_info: true }),
  }),
];
