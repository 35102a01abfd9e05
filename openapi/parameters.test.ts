/**
 * Every described parameter has an effect: the handler of its operation reads it. Without this test, a parameter that is
 * added to the description would compile, validate and pass all other tests although the server ignores it.
 */
import { createRequire } from 'node:module';
import test from 'ava';
import type { Schema } from 'joi';
import { type Description, handledOperations } from '../generators/description.js';
import { dialects } from './generated/dialects.js';
import { routes, type Route } from '../reference/generated/routes.js';
import { admin, basic, testServer, type TestServer } from '../reference/testing/server.js';

type AnyHandler = (request: object, context: object) => Promise<object>;

const description = createRequire(import.meta.url)('docfeed/openapi/service.json') as Description;
const described = handledOperations(description);

const kinds = ['params', 'query', 'headers'] as const;

/** Parameters that the server ignores on purpose, in one operation or in all (`*`), with the reason. */
const ignored: Readonly<Record<string, string>> = {
  '* headers.accept': 'Each response has only one media type.',
  '* headers.content-encoding': 'hapi decompresses bodies before the handler is called.',
  '* headers.if-none-match': 'hapi compares it with the ETag of the response.',
  '* query.n': 'The server is not a cluster.',
  '* query.q': 'The server is not a cluster.',
  '* query.w': 'The server is not a cluster.',
  'deleteDocument query.batch': 'As in CouchDB, a deletion tells its revision.',
  'deleteDesignDocument query.batch': 'As in CouchDB, a deletion tells its revision.',
  'deleteUser query.batch': 'As in CouchDB, a deletion tells its revision.',
  'deleteLocalDocument query.rev': 'As in CouchDB, local documents have no conflicts.',
};

/** What is stored, by the names of parameters of paths. Others are the examples of the description. */
const stored: Readonly<Record<string, string>> = { docid: 'soup', ddoc: 'd', attname: 'photo' };

const changesQueries = [
  '?include_docs=true',
  '?filter=_doc_ids&doc_ids=["soup"]',
  '?filter=_view&view=d/v',
  '?feed=eventsource&timeout=1',
];

/** Query strings of operations that need several requests. Operations without an entry need one without a query. */
const queries: Readonly<Record<string, readonly string[]>> = {
  getChanges: changesQueries,
  postChanges: changesQueries,
  getAllDocs: ['?include_docs=true'],
  postAllDocs: ['?include_docs=true'],
  getDesignDocs: ['?include_docs=true'],
  postDesignDocs: ['?include_docs=true'],
  postAllDocsQueries: ['?include_docs=true'],
  postDesignDocsQueries: ['?include_docs=true'],
  getLocalDocs: ['?include_docs=true'],
  postLocalDocs: ['?include_docs=true'],
  getDocument: ['', '?rev=1-a'],
  getDesignDocument: ['', '?rev=1-a'],
  getUser: ['', '?rev=1-a'],
};

/** Bodies other than the examples of the description. */
const bodies: Readonly<Record<string, unknown>> = {
  postSession: { name: admin.name, password: admin.password },
  postChanges: {},
  postAllDocs: {},
  postDesignDocs: {},
  postLocalDocs: {},
  postAllDocsQueries: { queries: [{}] },
  postDesignDocsQueries: { queries: [{}] },
  putAttachment: 'content',
  postDocumentForm: '--b--',
};

test('the server reads every described parameter', async (t) => {
  const read = new Set<string>();
  const server = await testServer(t, {
    components: (components) => {
      const handlers = Object.entries(components.handlers as unknown as Record<string, AnyHandler>);
      const recording = handlers.map(([operationId, handle]): [string, AnyHandler] => [
        operationId,
        (request, context) => handle(record(operationId, request, read), context),
      ]);
      return { ...components, handlers: Object.fromEntries(recording) as never };
    },
  });
  const table = routes(dialects.service);
  const notOffered = new Set<string>();
  for (const route of table) if (await sendRequests(server, route)) notOffered.add(route.operationId);

  const parameters = table
    .filter(({ operationId }) => !notOffered.has(operationId))
    .flatMap((route) => kinds.flatMap((kind) => namesOf(route, kind).map((name) => ({ route, kind, name }))));
  const problems = parameters.flatMap(({ route: { operationId, method, path }, kind, name }) => {
    const isRead = read.has(`${operationId} ${kind}.${name}`);
    const isIgnored = ['*', operationId].some((operation) => `${operation} ${kind}.${name}` in ignored);
    if (isRead !== isIgnored) return [];
    const problem = isRead ? 'reads the ignored parameter' : 'never reads the parameter';
    return `${method} ${path}: the server ${problem} ${kind}.${name}`;
  });
  t.deepEqual(problems, []);
  for (const entry of Object.keys(ignored)) {
    const [operation, parameter] = entry.split(' ');
    t.true(
      parameters.some(
        ({ route, kind, name }) =>
          (operation === '*' || operation === route.operationId) && parameter === `${kind}.${name}`,
      ),
      `There is no ignored parameter ${entry}.`,
    );
  }
});

/** Wraps the parameters of a request so that reading one adds it to `read`. */
function record(operationId: string, request: object, read: Set<string>): object {
  const wrapped = kinds.map((kind) => [
    kind,
    new Proxy((request as Record<string, object>)[kind]!, {
      get(target, name) {
        read.add(`${operationId} ${kind}.${String(name)}`);
        return Reflect.get(target, name) as unknown;
      },
      ownKeys() {
        throw new Error(`The handler of ${operationId} copies ${kind}. Read parameters by name instead.`);
      },
    }),
  ]);
  return { ...request, ...(Object.fromEntries(wrapped) as object) };
}

/** Sends the requests of an operation and returns whether all responses are 501. */
async function sendRequests(
  { asAdmin, send }: TestServer,
  { operationId, method, path }: Route,
): Promise<boolean> {
  await asAdmin('PUT', '/recipes');
  await asAdmin('POST', '/recipes/_bulk_docs', {
    new_edits: false,
    docs: [
      { _id: 'soup', _rev: '1-a', _attachments: { photo: { data: 'AAAA' } } },
      { _id: '_design/d', _rev: '1-a', views: { v: { map: 'function (doc) { emit(doc._id); }' } } },
    ],
  });
  await asAdmin('PUT', '/recipes/_local/soup', {});
  const user = { _id: 'org.service.user:alice', _rev: '1-a', name: 'alice', roles: [], type: 'user' };
  await asAdmin('POST', '/_users/_bulk_docs', { new_edits: false, docs: [user] });
  const { parameters, body } = described.find(({ id }) => id === operationId)!;
  const example = (name: string): unknown => parameters.find((one) => one.name === name)!.examples[0];
  const required = parameters.filter((one) => one.in === 'header' && one.required);
  const type = body?.media[0]!.type;
  const headers = {
    ...basic(admin.name, admin.password),
    ...Object.fromEntries(required.map(({ name, examples: [first] }) => [name, String(first)])),
    // That of the example of `Referer`.
    host: '127.0.0.1:5984',
    'content-type': type?.startsWith('multipart/') ? `${type}; boundary=b` : type,
  };
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => stored[name] ?? String(example(name)));
  const statuses = new Set<number>();
  for (const query of queries[operationId] ?? ['']) {
    const { status, text } = await send(method, filled + query, {
      headers,
      body: bodies[operationId] ?? (body && JSON.stringify(body.media[0]!.examples[0])),
    });
    if (status === 500) throw new Error(`${method} ${filled}${query}: ${text}`);
    statuses.add(status);
  }
  return statuses.size === 1 && statuses.has(501);
}

function namesOf({ validators }: Route, kind: (typeof kinds)[number]): string[] {
  const schema: Schema | undefined = validators[kind];
  return Object.keys((schema?.describe() as { keys?: object } | undefined)?.keys ?? {});
}
