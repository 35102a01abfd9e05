/** What holds of every response of a run. These checks come last, and judge what all others have exchanged. */
import { Blocked, Skip, Violation } from '../verdict/outcomes.js';
import type { TrafficProblem } from '../client/traffic.js';
import { putUser } from '../client/users.js';
import { check, type Check, type CheckContext } from '../check.js';
import { observeFeed } from './observations.js';
import { postSession, getSession } from './shared/sessions.js';

/** Requests that each operation of the service document answers, for runs that have made none of it. */
const exercises: Readonly<Record<string, { needs?: Check['needs']; run: Check['run'] }>> = {
  getRoot: {
    run: async ({ target }) => void (await target.request({ path: '/' })),
  },
  getSession: {
    async run(context) {
      await getSession(context);
      await getSession(context, { as: 'admin' });
    },
  },
  postSession: {
    needs: ['users'],
    async run(context) {
      const { name, password } = await context.createUser({ roles: ['reader'] });
      await postSession(context, name, password);
    },
  },
  putUser: {
    needs: ['users'],
    run: async (context) => void (await context.target.request(putUser(context.planUser()))),
  },
  getChanges: { run: (context) => readChanges(context, 'GET') },
  postChanges: { run: (context) => readChanges(context, 'POST') },
};

async function readChanges(context: CheckContext, method: 'GET' | 'POST'): Promise<void> {
  const database = await context.createDatabase();
  const read = { method, path: '/_changes', ...(method === 'POST' ? { json: {} } : {}) };
  await database.request(read);
  await database.request({ method: 'PUT', path: '/written', json: { value: 1 } });
  await database.request({ ...read, query: { include_docs: true } });
  await database.request({ ...read, query: { style: 'all_docs' } });
}

/** Requests that a server cannot but answer with an error. */
async function provokeErrors(context: CheckContext): Promise<void> {
  const database = await context.createDatabase();
  const nobody = context.planUser();
  await database.request({ path: '/missing' });
  await database.request({ method: 'PUT', path: '' });
  await database.request({ method: 'PUT', path: '/refused', json: { _unknown: 1 }, deliberatelyWrong: true });
  await database.request({ path: '/_changes', query: { feed: 'none' }, deliberatelyWrong: true });
  await context.target.request({ path: `/${database.name}-missing/_changes`, as: 'admin' });
  await postSession(context, nobody.name, nobody.password);
}

function report(what: string, { difference, exchange, before }: TrafficProblem): never {
  const violation = new Violation(
    `${what} of ${exchange.request.method} ${exchange.request.path}`,
    difference,
  );
  violation.exchanges = [exchange];
  violation.omitted = before;
  throw violation;
}

export const errorsChecks = [
  check({
    rule: 'error-shape',
    last: true,
    async run(context) {
      await provokeErrors(context);
      if (context.property.profile !== 'smoke') await observeFeed(context);
      const { checked, problem } = context.traffic.errorBodies();
      if (problem) report('is answered with an error body that is not well formed', problem);
      if (checked === 0) throw new Skip('The target has answered nothing with a JSON error body.');
    },
  }),
  ...Object.entries(exercises).map(([operationId, { needs, run }]) =>
    check({
      rule: 'response-schema',
      what: operationId,
      needs,
      last: true,
      async run(context) {
        if (context.traffic.responses(operationId).checked === 0) await run(context);
        const { checked, problem } = context.traffic.responses(operationId);
        if (problem) report('is answered with what the description does not allow', problem);
        if (checked === 0) throw new Blocked('No request of this operation has been answered with success.');
      },
    }),
  ),
];
