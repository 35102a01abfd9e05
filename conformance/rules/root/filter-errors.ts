/** Errors for invalid selectors (SERVICE 7). */
import {
  aString,
  type Check,
  defineRule,
  feedModes,
  type FeedRequest,
  type History,
  type LiveRequest,
  type Matcher,
  mustMatch,
  mustRespond,
  newDocument,
  playNew,
  variantsFor,
  withLiveFeed,
  type Judge,
  type Passed,
  hasFilter,
  isPlainObject,
  isReadable,
  parseJson,
} from '../../kit.js';
import { aboutTheSelector, mustBeBadRequest } from '../shared/bad-request.js';

/** An empty database and one with a document: a server may only validate a selector when it evaluates it. */
const histories: readonly History[] = [[], [newDocument('a', { type: 'a', value: 1, tags: ['red'] })]];

const invalid: readonly object[] = [
  { type: { $near: 'a' } },
  { $near: 'a' },
  { $gt: 1 },
  { $and: 5 },
  { $or: {} },
  { $nor: 'a' },
  { $not: 5 },
  { type: { $in: 'a' } },
  { type: { $nin: 5 } },
  { type: { $exists: 'yes' } },
  { type: { $regex: '(' } },
  { value: { $mod: 3 } },
  { value: { $type: 5 } },
  { tags: { $all: 'red' } },
  { tags: { $size: 'two' } },
  { tags: { $elemMatch: 'red' } },
  { type: 'a', value: { $gt: 0, $near: 1 } },
];

/** Bodies that contain a valid selector but are not JSON (RFC 8259). A byte order mark is missing: parsers may ignore it. */
const malformed: readonly string[] = [
  '{"selector":{"type":"a"}',
  '{"selector":{"type":"a',
  '{"selector":{"type":"a"}}x',
  '{"selector":{"type":"a"}}}',
  '{"selector":{"type":"a"}},',
  '{"selector":{"type":"a"}} {}',
  '{"selector":{"type":"a"},}',
  '{"selector":{"type":"a",}}',
  '{"selector":{"$or":[{"type":"a"},]}}',
  '{"selector":{"$or":[{"type":"a"} {"type":"b"}]}}',
  '{"selector":{"type":"a" "value":1}}',
  '{"selector":{"type":"a";"value":1}}',
  '{"selector":{"type" "a"}}',
  '{"selector"={"type":"a"}}',
  '{selector:{"type":"a"}}',
  "{'selector':{'type':'a'}}",
  '{"selector":{"type":a}}',
  '{"selector":{"type":"a\n"}}',
  '{"selector":{"type":"\\x61"}}',
  '{"selector":{"value":01}}',
  '{"selector":{"value":+1}}',
  '{"selector":{"value":.5}}',
  '{"selector":{"value":1.}}',
  '{"selector":{"value":0x1}}',
  '{"selector":{"value":NaN}}',
  '{"selector":{"value":True}}',
  '{"selector":{"value":undefined}}',
  '{"selector":{"type":"a"}/* */}',
  '{"selector":{"type":"a"}} // ',
  '"selector":{"type":"a"}',
];

/** Looks at the reasons last: a target that only gives another reason must reject all the same. */
function rejects(bodies: readonly (object | string)[], reason: Matcher = aString): Check['run'] {
  return async (context) => {
    const reasons: [sent: string, reason: unknown][] = [];
    for (const history of histories) {
      const { database } = await playNew(context, history);
      for (const body of variantsFor(context, bodies)) {
        const sent = typeof body === 'string' ? body : JSON.stringify(body);
        const response = await database.request({
          method: 'POST',
          path: '/_changes',
          query: { filter: '_selector' },
          headers: { 'Content-Type': 'application/json' },
          body: sent,
          deliberatelyWrong: true,
        });
        reasons.push([sent, mustBeBadRequest(response, sent)]);
      }
    }
    for (const [sent, actual] of reasons)
      mustMatch(`The target rejects ${sent} for another reason`, actual, reason, '$.reason');
  };
}

/** Rejects these requests in the modes that wait, too, which must not wait then. */
const rejectsInEveryMode =
  (requests: readonly FeedRequest[]): Check['run'] =>
  async (context) => {
    for (const history of histories) {
      const { database } = await playNew(context, history);
      for (const feed of feedModes) {
        if (!context.target.feed.supports({ query: { feed } })) continue;
        for (const sent of variantsFor(context, requests)) {
          const live: LiveRequest = {
            mode: feed,
            ...sent,
            query: { filter: '_selector' },
            deliberatelyWrong: true,
          };
          const body = sent.method === 'POST' ? ` with the body ${JSON.stringify(sent.json)}` : '';
          const what = `The target does not reject a ${feed} feed by selector${body} as a bad request`;
          await withLiveFeed(database, live, async (opened) => {
            await opened.isMetInTime(() => opened.response !== undefined);
            mustRespond({ status: opened.response?.status ?? 0 }, 400, what);
          });
        }
      }
    }
  };

/** Whether a body is not JSON. A server may read a byte order mark or another coding, and a recording has gaps. */
const isMalformed = (text: string): boolean => {
  if (text.trim() === '' || /^\uFEFF|\0|\[redacted/.test(text) || !isReadable(text)) return false;
  return parseJson(text) === undefined;
};

/** Statuses that servers confuse with 400. The others may be about the caller, or about how much there is to do. */
const confused: ReadonlySet<number> = new Set([404, 422, 500]);

/**
 * Whether an error of a feed with the filter `_selector` is the target's, and about the body. Any other may come first, such
 * as that of a caller who may not read the database, or of a database that is missing. A gateway may refuse what is no JSON.
 */
function isAboutBody({ isPlain, passing: { status }, exchange, body }: Passed, isNoJson: boolean): boolean {
  if (!isPlain || (status !== 400 && !confused.has(status))) return false;
  // A page of a gateway may repeat the request, with the name of the filter.
  if (/selector/i.test(exchange.text.replaceAll('_selector', ''))) return true;
  return status === 400 && (!isNoJson || typeof body['error'] === 'string');
}

/** A judge of requests with the filter `_selector` and a body that has no valid one. */
const forSelectors =
  (
    isOf: (sent: Readonly<Record<string, unknown>>) => boolean,
    isOfText: (text: string) => boolean = () => false,
  ): Judge<Passed> =>
  (passed) => {
    const { operation, passing, exchange, sent, sentText } = passed;
    if (operation?.id !== 'postChanges' || !hasFilter(passed, '_selector')) return false;
    // All of the body must have passed.
    if (sentText === undefined || passing.sentAt === undefined) return false;
    const isNoJson = isOfText(sentText);
    if (!isNoJson && !(isPlainObject(sent) && isOf(sent))) return false;
    if (passing.status !== 200 && !isAboutBody(passed, isNoJson)) return false;
    const reason = mustBeBadRequest(exchange, 'the body');
    if (isNoJson) return;
    mustMatch('The target rejects the body for another reason', reason, aboutTheSelector, '$.reason');
  };

export const errorSelectorMissing = defineRule('error-selector-missing', {
  rung: 'errors',
  inTraffic: {
    response: forSelectors((sent) => !('selector' in sent)),
  },
  checks: {
    'error-selector-missing': rejects(
      [{}, { doc_ids: ['a'] }, { selectors: { type: 'a' } }],
      aboutTheSelector,
    ),

    'error-selector-missing/modes': {
      waits: 'changes',
      // The first request has no body.
      run: rejectsInEveryMode([{}, { method: 'POST', json: {} }]),
    },
  },
});

export const errorSelectorNotObject = defineRule('error-selector-not-object', {
  rung: 'errors',
  inTraffic: {
    response: forSelectors((sent) => 'selector' in sent && !isPlainObject(sent['selector']), isMalformed),
  },
  checks: {
    'error-selector-not-object': rejects(
      [5, 0, 'type', '', true, false, null, [], ['type'], [{ type: 'a' }]].map((selector) => ({ selector })),
      aboutTheSelector,
    ),

    'error-selector-not-object/malformed': rejects(malformed),

    'error-selector-not-object/modes': {
      waits: 'changes',
      run: rejectsInEveryMode(['type', []].map((selector) => ({ method: 'POST', json: { selector } }))),
    },
  },
});

export const errorSelectorInvalid = defineRule('error-selector-invalid', {
  rung: 'errors',
  notInTraffic: 'Servers may have operators of their own.',
  checks: {
    'error-selector-invalid': rejects(
      invalid.map((selector) => ({ selector })),
      aboutTheSelector,
    ),

    'error-selector-invalid/modes': {
      waits: 'changes',
      run: rejectsInEveryMode(
        [{ type: { $near: 'a' } }, { $and: 5 }].map((selector) => ({ method: 'POST', json: { selector } })),
      ),
    },
  },
});
