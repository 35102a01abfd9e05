/** The greeting. */
import { anObject, aString, matching, mustMatch, objectWith } from '../verdict/matchers.js';
import { Violation } from '../verdict/outcomes.js';
import { check, type CheckContext } from '../check.js';
import type { Caller } from '../client/client.js';

async function greeting(context: CheckContext, as: Caller): Promise<Record<string, unknown>> {
  const exchange = await context.target.request({ path: '/', as });
  if (exchange.status !== 200) {
    const who = as === 'anonymous' ? 'without credentials' : 'with the credentials of the administrator';
    throw new Violation(`GET / ${who} is not answered with 200`, {
      path: '$status',
      expected: 200,
      actual: exchange.status,
    });
  }
  return exchange.object();
}

export const rootChecks = [
  check({
    rule: 'root-greeting',
    async run(context) {
      const wellFormed = objectWith({
        [context.target.names.greeting]: aString,
        uuid: matching(/^[0-9a-f]+(-[0-9a-f]+)*$/i, 'hexadecimal digits'),
        version: aString,
        vendor: anObject,
      });
      for (const as of context.target.admin ? (['anonymous', 'admin'] as const) : (['anonymous'] as const)) {
        mustMatch('The greeting is not well formed', await greeting(context, as), wellFormed);
      }
    },
  }),
  check({
    rule: 'root-vendor',
    async run(context) {
      const { vendor } = await greeting(context, 'anonymous');
      mustMatch(
        'The vendor is not well formed',
        vendor,
        objectWith({ name: aString, version: aString }),
        '$.vendor',
      );
    },
  }),
];
