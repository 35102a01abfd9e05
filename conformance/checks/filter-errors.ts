/** Errors for invalid selectors (SERVICE 7). */
import type { History } from '../model/history.js';
import { requestFeed } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { matching, mustMatch, mustRespond, type Matcher } from '../verdict/matchers.js';
import { check, type Check, variantsFor } from '../check.js';

/** An empty database and one with a document: a server may only validate a selector when it evaluates it. */
const histories: readonly History[] = [
  [],
  [{ id: 'a', writes: [{ kind: 'put', leaf: 0, body: { type: 'a', value: 1, tags: ['red'] } }] }],
];

const aboutTheSelector = matching(/selector/i, 'a reason that mentions the selector');

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

function rejects(bodies: readonly object[], reason: Matcher): Check['run'] {
  return async (context) => {
    for (const history of histories) {
      const { database } = await playNew(context, history);
      for (const json of variantsFor(context, bodies)) {
        const response = await requestFeed(database, {
          method: 'POST',
          query: { filter: '_selector' },
          json,
          deliberatelyWrong: true,
        });
        const sent = JSON.stringify(json);
        mustRespond(response, 400, `The target does not reject ${sent} as a bad request`);
        const body = response.object();
        // The service document has a space, CouchDB an underscore.
        const badRequest = matching(/^bad[ _]request$/i, '"bad request"');
        mustMatch(`The target rejects ${sent} with another error`, body.error, badRequest, '$.error');
        mustMatch(`The target rejects ${sent} for another reason`, body.reason, reason, '$.reason');
      }
    }
  };
}

export const filterErrorsChecks: readonly Check[] = [
  check({
    rule: 'error-selector-missing',
    run: rejects([{}, { doc_ids: ['a'] }, { selectors: { type: 'a' } }], aboutTheSelector),
  }),
  check({
    rule: 'error-selector-not-object',
    run: rejects(
      [5, 0, 'type', '', true, false, null, [], ['type'], [{ type: 'a' }]].map((selector) => ({ selector })),
      aboutTheSelector,
    ),
  }),
  check({
    rule: 'error-selector-invalid',
    run: rejects(
      invalid.map((selector) => ({ selector })),
      matching(
        /selector|operator|argument|condition|expression/i,
        'a reason that mentions the selector or its invalid part',
      ),
    ),
  }),
];
