/** How selectors that are none are refused (SERVICE 7). */
import type { History } from '../model/history.js';
import { requestFeed } from '../play/feed.js';
import { playNew } from '../play/player.js';
import { equalTo, matching, mustMatch, type Matcher } from '../verdict/matchers.js';
import { check, type Check, variantsFor } from '../check.js';

/** Nothing to judge, and something: a server may notice what is wrong only when it comes to a document. */
const histories: readonly History[] = [
  [],
  [{ id: 'a', writes: [{ kind: 'put', leaf: 0, body: { type: 'a', value: 1, tags: ['red'] } }] }],
];

const aboutTheSelector = matching(/selector/i, 'a reason that speaks of the selector');

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

function refuses(bodies: readonly object[], reason: Matcher): Check['run'] {
  return async (context) => {
    for (const history of histories) {
      const { database } = await playNew(context, history);
      for (const json of variantsFor(context, bodies)) {
        const answer = await requestFeed(database, { filter: '_selector' }, 'POST', {
          json,
          deliberatelyWrong: true,
        });
        const sent = JSON.stringify(json);
        mustMatch(`${sent} is not refused as a bad request`, answer.status, equalTo(400), 'status');
        const said = answer.object();
        // The service document writes a blank, real servers an underscore.
        const word = matching(/^bad[ _]request$/i, '"bad request"');
        mustMatch(`${sent} is refused with another error`, said.error, word, '$.error');
        mustMatch(`${sent} is refused for another reason`, said.reason, reason, '$.reason');
      }
    }
  };
}

export const filterErrorsChecks: readonly Check[] = [
  check({
    rule: 'error-selector-missing',
    run: refuses([{}, { doc_ids: ['a'] }, { selectors: { type: 'a' } }], aboutTheSelector),
  }),
  check({
    rule: 'error-selector-not-object',
    run: refuses(
      [5, 0, 'type', '', true, false, null, [], ['type'], [{ type: 'a' }]].map((selector) => ({ selector })),
      aboutTheSelector,
    ),
  }),
  check({
    rule: 'error-selector-invalid',
    run: refuses(
      invalid.map((selector) => ({ selector })),
      matching(
        /selector|operator|argument|condition|expression/i,
        'a reason that speaks of the selector or of what is wrong in it',
      ),
    ),
  }),
];
