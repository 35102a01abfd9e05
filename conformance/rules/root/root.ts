/** The greeting: `GET /` (SERVICE 4.1). */
import {
  type Caller,
  type CheckContext,
  defineRule,
  mustMatch,
  mustRespond,
  onResponseTo,
} from '../../kit.js';
import { greetingShape, vendorShape } from '../shared/greeting-shape.js';
import { unseen } from '../shared/unseen.js';

async function greeting(context: CheckContext, as: Caller): Promise<Record<string, unknown>> {
  const response = await context.target.request({ path: '/', as });
  const owner = as === 'admin' ? 'the administrator' : 'a user';
  const sender = as === 'anonymous' ? 'without credentials' : `with the credentials of ${owner}`;
  mustRespond(response, 200, `The target does not respond to GET / ${sender} with 200`);
  return response.object();
}

export const rootGreeting = defineRule('root-greeting', {
  rung: 'greeting',
  inTraffic: {
    part: { judged: 'The greeting, and that credentials are not required for it.', rest: unseen.access },
    response: ({ operation, exchange, credentials, passing, context }) => {
      if (operation?.id !== 'getRoot') return false;
      const isRefused = credentials.kind === 'none' && (passing.status === 401 || passing.status === 403);
      if (passing.status !== 200 && !isRefused) return false;
      mustRespond(exchange, 200, 'The target does not respond to GET / without credentials with 200');
      mustMatch('The greeting is malformed', exchange.object(), greetingShape(context.names));
    },
  },
  checks: {
    'root-greeting': {
      optional: ['users'],
      async run(context) {
        const wellFormed = greetingShape(context.target.names);
        const mustGreet = async (as: Caller): Promise<void> =>
          mustMatch('The greeting is malformed', await greeting(context, as), wellFormed);
        await mustGreet('anonymous');
        if (context.target.admin) await mustGreet('admin');
        // Last, because the id of a user depends on the dialect, and so on the greeting.
        if (context.target.has('users')) await mustGreet({ basic: await context.createUser() });
      },
    },
  },
});

export const rootVendor = defineRule('root-vendor', {
  rung: 'greeting',
  inTraffic: {
    response: onResponseTo('getRoot', ({ exchange }) => {
      const { vendor } = exchange.object();
      mustMatch('The vendor in the greeting is malformed', vendor, vendorShape, '$.vendor');
    }),
  },
  checks: {
    'root-vendor': async (context) => {
      const { vendor } = await greeting(context, 'anonymous');
      mustMatch('The vendor in the greeting is malformed', vendor, vendorShape, '$.vendor');
    },
  },
});
