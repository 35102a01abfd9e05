/** A fault breaks what its summary says and no more. */
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import pMap from 'p-map';
import { startServer, type Fault } from '../../reference/index.js';
import { admin, asAdmin } from '../testing/reference.js';
import { faults } from './faults.js';

/** Requests, and the rules whose faults may change the response. */
const requests = [
  { path: '/', rules: /^(root-|response-schema$)/ },
  { path: '/_session', rules: /^(session-|response-schema$)/ },
  { path: '/db/_changes', rules: /^(feed-|response-schema$)/ },
  { path: '/db/_changes?feed=longpoll', rules: /^(feed-|longpoll-)/ },
  { path: '/db/_changes?feed=continuous&timeout=50', rules: /^(feed-|continuous-)/ },
  { path: '/db/_changes?feed=eventsource&timeout=50', rules: /^(feed-|eventsource-)/ },
  { path: '/db/a', rules: /^$/ },
  { path: '/db/_all_docs', rules: /^$/ },
];

const documents = {
  new_edits: false,
  docs: [
    { _id: 'a', _rev: '1-a', text: 'A' },
    { _id: 'b', _rev: '1-b', _deleted: true },
    { _id: 'c', _rev: '1-c' },
  ],
};

interface PlainResponse {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

/** Without the components of identifiers that differ between servers. */
const comparable = (text: string): string =>
  text.replace(/("(?:seq|last_seq)":|^id: )"(\d+)-[^"]*"/gm, '$1$2').replace(/"uuid":"\w+"/, '"uuid":""');

async function responsesOf(fault?: Fault): Promise<PlainResponse[]> {
  const server = await startServer({
    admin,
    components: fault?.replace,
    nodes: fault?.nodes,
    config: { chttpd_auth: { iterations: '10' } },
    log: { level: 'silent' },
  });
  const read = async (path: string): Promise<PlainResponse> => {
    const { status, headers, ...reply } = await asAdmin(server.url, 'GET', path);
    const type = String(headers['content-type']);
    const text = comparable(reply.text);
    return { status, type, body: type.startsWith('application/json') ? JSON.parse(text) : text };
  };
  try {
    await asAdmin(server.url, 'PUT', '/db');
    await asAdmin(server.url, 'POST', '/db/_bulk_docs', documents);
    return await Promise.all(requests.map(({ path }) => read(path)));
  } finally {
    await server.stop();
  }
}

test('a fault changes only responses that its rule concerns, and never into an internal error', async (t) => {
  const plain = await responsesOf();
  t.deepEqual(new Set(plain.map(({ status }) => status)), new Set([200]));
  const wrong = await pMap(
    faults,
    async (fault) =>
      (await responsesOf(fault)).flatMap((response, index) => {
        const { path, rules } = requests[index]!;
        const isRight = rules.test(fault.rule)
          ? response.status < 500
          : isDeepStrictEqual(response, plain[index]);
        return isRight ? [] : [{ fault: fault.id, path, response }];
      }),
    { concurrency: 8 },
  );
  t.deepEqual(wrong.flat(), []);
});
