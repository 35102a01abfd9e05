/** The request object that filter functions get: that of replication filters (SERVICE 4.8). */
import {
  allSettledOrThrow,
  type CheckContext,
  type CheckDefinition,
  type DatabaseClient,
  type DocumentHistory,
  feedOf,
  forAll,
  type FeedRequest,
  must,
  mustRespond,
  newDocument,
  playNew,
  requestFeed,
  type Run,
  variantsFor,
  wholeList,
  withQuery,
} from '../../kit.js';
import { forMember } from '../shared/sessions.js';

/** Sent with each request, so that a function can compare the request object with it. */
const sent = { header: 'x-docfeed-test', value: 'sent', role: 'docfeed-reader' };

/** For each member, an expression of ECMAScript 3 that is true if a function gets it. */
type Members = Readonly<Record<string, string>>;

const members: Members = {
  method: 'req.method === req.query.method',
  path: `req.path[req.path.length - 1] === '_changes'`,
  requested_path: 'req.requested_path.length > 1',
  raw_path: `req.raw_path.indexOf('_changes?') > 0`,
  query: `req.query.value === '${sent.value}'`,
  headers: `(function () {
    for (var name in req.headers) {
      if (name.toLowerCase() === '${sent.header}') { return req.headers[name] === '${sent.value}'; }
    }
  })()`,
  info: `typeof req.info.db_name === 'string'`,
  id: 'req.id === null',
  uuid: `typeof req.uuid === 'string'`,
  peer: `typeof req.peer === 'string'`,
  form: `typeof req.form === 'object' && req.form !== null`,
  cookie: `typeof req.cookie === 'object' && req.cookie !== null`,
};

/** Some servers pass the text of the body. */
const membersOfPost: Members = {
  body: `(typeof req.body === 'string' ? JSON.parse(req.body) : req.body).value === '${sent.value}'`,
};

const membersOfUser: Members = {
  'userCtx.name': 'req.userCtx.name === req.query.name',
  'userCtx.roles': `(' ' + req.userCtx.roles.join(' ') + ' ').indexOf(' ${sent.role} ') >= 0`,
  'userCtx.db': `typeof req.userCtx.db === 'string'`,
  secObj: 'req.secObj.members.names[0] === req.query.name',
};

const expressions: Members = { ...members, ...membersOfPost, ...membersOfUser };

/** Functions with these names, and a document for them. */
const documentsFor = (names: readonly string[]): readonly DocumentHistory[] => [
  newDocument('_design/request', {
    language: 'javascript',
    filters: Object.fromEntries(
      names.map((name) => [
        name,
        `function (doc, req) { try { return ${expressions[name]} ? true : false; } catch (error) { return false; } }`,
      ]),
    ),
  }),
  newDocument('a'),
];

/** In this order, so that a long poll does not wait for a row that a normal request would not get either. */
const requests: readonly FeedRequest[] = [
  { method: 'GET' },
  { method: 'POST', json: { value: sent.value } },
  // A target that does not find the row must end the wait before its own limit of a minute.
  { method: 'GET', query: { feed: 'longpoll', timeout: 10_000 } },
];

/** Sends the requests that the target supports one after the other. */
async function mustGetInEach(
  { target }: CheckContext,
  database: DatabaseClient,
  name: string,
  query?: Readonly<Record<string, string>>,
): Promise<void> {
  for (const request of requests.filter((one) => target.feed.supports(one)))
    await mustGet(database, name, request, query);
}

/** The function accepts each document if it gets what its name says. */
async function mustGet(
  database: DatabaseClient,
  name: string,
  request: FeedRequest,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const more = { filter: `request/${name}`, method: request.method, value: sent.value, ...query };
  const headers = { [sent.header]: sent.value };
  const response = await requestFeed(database, { ...withQuery(request, more), headers });
  mustRespond(response, 200, 'The target rejects a filter function');
  const { ids } = feedOf(response);
  must(ids.includes('a'), `A filter function does not get req.${name} as the request has it`, {
    path: '$.results',
    expected: `also "a", which the function accepts if this holds: ${expressions[name]}`,
    actual: ids,
  });
}

/** A violation is shrunk to one function. */
const forNames = (
  namesFor: (context: CheckContext) => readonly string[],
  holds: (context: CheckContext, database: DatabaseClient, names: readonly string[]) => Promise<void>,
): Run =>
  forAll(
    (context) => wholeList(namesFor(context)),
    async (context: CheckContext, names) => {
      const { database } = await playNew(context, documentsFor(names));
      await holds(context, database, names);
    },
    { once: true },
  );

export const filterFunctionRequest = forNames(
  (context) => [...variantsFor(context, Object.keys(members)), ...Object.keys(membersOfPost)],
  async (context, database, names) => {
    await allSettledOrThrow(
      names.map((name) =>
        name in membersOfPost
          ? mustGet(database, name, requests[1]!)
          : mustGetInEach(context, database, name),
      ),
    );
  },
);

export const filterFunctionUser: CheckDefinition = {
  needs: ['users'],
  run: forNames(
    () => Object.keys(membersOfUser),
    async (context, database, names) => {
      const user = await context.createUser({ roles: [sent.role] });
      const databaseOfUser = await forMember(context, database, user);
      await allSettledOrThrow(
        names.map((name) => mustGetInEach(context, databaseOfUser, name, { name: user.name })),
      );
    },
  ),
};
