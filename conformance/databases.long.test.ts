/** Targets that create databases in another way than `PUT /{db}`, or not at all. */
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { httpError, startServer } from '../reference/index.js';
import { emptyFolder } from '../reports/testing/folder.js';
import { runConformance } from './index.js';
import { replaceHandler } from './rules/shared/components.faults.js';
import type { ConformanceOptions } from './session/conformance-options.js';
import { docfeed, killRun, only } from './session/testing/killing.js';
import { stateOf } from './session/testing/target-state.js';
import { hostileTarget } from './testing/hostile-target.js';
import { admin, authorization, referenceServer } from './testing/reference.js';

const refusal = '{"error":"refused","reason":"The test refuses it."}\n';

/** A database itself, without a slash at the end of its path. */
const isDatabase = (url: string): boolean => /^\/docfeed-[^/]+$/.test(url.split('?')[0]!);

/** The outcomes of a short run, by check. */
async function outcomesAt(url: string, options: Partial<ConformanceOptions> = {}) {
  const { checks } = await runConformance({
    urls: [url],
    admin,
    profile: 'smoke',
    seed: 1,
    shrinkMs: 0,
    only: [
      'feed-complete*',
      'feed-limit',
      'feed-pending',

      'filter-doc-ids',
      'filter-view',
      'normal-*',
      'longpoll-waits',
    ],
    ...options,
  });
  return checks.map(({ id, outcome, reason }) => `${id}: ${outcome} ${outcome === 'pass' ? '' : reason}`);
}

/** What the same run says of the reference server itself. */
let usual: readonly string[];
test.before(async () => {
  const server = await startServer({ admin });
  usual = await outcomesAt(server.url);
  await server.stop();
});

async function targetFile(t: ExecutionContext, text: string): Promise<string> {
  const file = join(await emptyFolder(t), 'docfeed.target.yaml');
  await writeFile(file, text);
  return file;
}

for (const status of [301, 307, 308]) {
  test.serial(`a redirect (${status}) to the path with a slash is followed, and remembered`, async (t) => {
    const server = await referenceServer(t);
    const before = await stateOf(server.url);
    const redirected: string[] = [];
    const url = await hostileTarget(t, server, ({ method, url }) => {
      if (!isDatabase(url!)) return undefined;
      redirected.push(method!);
      return { status, location: `${url!.replace(/(\?|$)/, '/$1')}`, body: '' };
    });
    t.deepEqual(await outcomesAt(url), usual);
    t.is(redirected.filter((method) => method === 'PUT').length, 1);
    t.deepEqual(await stateOf(server.url), before);
  });
}

for (const [status, location] of [
  [302, '/login'],
  [301, 'https://elsewhere.example/docfeed/'],
  [405, undefined],
] as const) {
  test(`without databases there is one cause, which says what to do: ${status}`, async (t) => {
    const url = await hostileTarget(t, await referenceServer(t), ({ method, url }) =>
      method === 'PUT' && isDatabase(url!)
        ? { status, body: refusal, ...(location !== undefined && { location }) }
        : undefined,
    );
    const { checks } = await runConformance({
      urls: [url],
      admin,
      only: ['feed-*'],
      profile: 'smoke',
      seed: 1,
    });
    const blocked = checks.filter(({ outcome }) => outcome === 'blocked');
    t.true(blocked.length > 10);
    const where = location === undefined ? '' : `, a redirect to ${location}`;
    t.deepEqual(
      [...new Set(blocked.map(({ obstacle }) => obstacle))],
      [
        `databases cannot be created (PUT /{db} returns ${status}${where}): \`databases\` in the target file says how to create them, \`--database NAME\` uses one that exists, \`docfeed proxy\` and \`check --read-only\` need none`,
      ],
    );
    t.deepEqual(
      checks.filter(({ outcome }) => outcome === 'fail'),
      [],
    );
  });
}

test.serial('the target file may have the body that creates a database', async (t) => {
  const server = await referenceServer(t);
  const before = await stateOf(server.url);
  const url = await hostileTarget(t, server, ({ method, url, headers }) =>
    // The name in the body is as long as that in the path.
    method === 'PUT' &&
    isDatabase(url!) &&
    headers['content-length'] !== String('{"bucket":"x-"}'.length + url!.split('/')[1]!.length)
      ? { status: 400, body: refusal }
      : undefined,
  );
  const target = await targetFile(t, 'databases: { create-body: { bucket: "x-$DOCFEED_DATABASE_NAME" } }\n');
  t.deepEqual(await outcomesAt(url, { target }), usual);
  t.deepEqual(await stateOf(server.url), before);
});

/** Commands that create databases behind the back of the target, which refuses to, under other names. */
async function commands(t: ExecutionContext, url: string, { create = '', remove = '' } = {}) {
  const folder = await emptyFolder(t);
  const script = (method: string, before: string) => `
    const { DOCFEED_DATABASE_NAME: name, DOCFEED_DATABASE_URL: url } = process.env;
    ${before}
    const at = url || '${url}/x-' + name;
    fetch(at, { method: '${method}', headers: { authorization: '${authorization}' } }).then(({ status }) => {
      console.log('A line before.');
      console.log(at);
      // A run that is killed may not have created it.
      const isDone = status < 300 || ('${method}' === 'DELETE' && status === 404);
      if (!isDone) throw new Error(at + ' returns ' + status);
    });`;
  await writeFile(join(folder, 'create.cjs'), script('PUT', create));
  await writeFile(join(folder, 'remove.cjs'), script('DELETE', remove));
  const file = join(folder, 'docfeed.target.yaml');
  await writeFile(file, 'databases:\n  create: node create.cjs\n  remove: node remove.cjs\n');
  return file;
}

const refusesToCreate = (status: number) => (request: IncomingMessage) =>
  ['PUT', 'DELETE'].includes(request.method!) && isDatabase(request.url!)
    ? { status, body: refusal }
    : undefined;

for (const status of [405, 403]) {
  test.serial(`commands create and remove databases, which are somewhere else: ${status}`, async (t) => {
    const server = await referenceServer(t);
    const before = await stateOf(server.url);
    const url = await hostileTarget(t, server, refusesToCreate(status));
    const target = await commands(t, server.url);
    t.deepEqual(await outcomesAt(url, { target }), usual);
    t.deepEqual(await stateOf(server.url), before);
  });
}

test.serial('a command that fails is one finding, with its status and what it says', async (t) => {
  const server = await referenceServer(t);
  const url = await hostileTarget(t, server, refusesToCreate(405));
  const create = `for (let line = 1; line < 9; line += 1) console.error('no bucket', line); process.exit(3);`;
  const target = await commands(t, server.url, { create });
  const { checks, warnings } = await runConformance({
    urls: [url],
    admin,
    target,
    only: ['feed-*'],
    seed: 1,
  });
  t.deepEqual(
    [...new Set(checks.filter(({ outcome }) => outcome === 'blocked').map(({ obstacle }) => obstacle))],
    [
      `databases.create in ${target} ended with exit status 3: ${[4, 5, 6, 7, 8].map((line) => `no bucket ${line}`).join('\n')}`,
    ],
  );
  t.deepEqual(warnings?.filter((warning) => warning.includes('could not')) ?? [], []);
});

test.serial('after kill -9, restore runs the command that removes', async (t) => {
  const created = new EventEmitter();
  const server = await referenceServer(t, {
    components: replaceHandler('putDatabase', async (putDatabase, request, context) => {
      const number = request.params.db.replace(/.*-/, '');
      // Commands that still run when docfeed is killed would create others later.
      if (Number(number) > 3) throw httpError(503, 'unavailable', 'Only three databases can be created.');
      const response = await putDatabase(request, context);
      created.emit(number);
      return response;
    }),
  });
  const before = await stateOf(server.url);
  const url = await hostileTarget(t, server, refusesToCreate(405));
  const [state, target] = [await emptyFolder(t), await commands(t, server.url)];
  t.true(await killRun(url, state, once(created, '3'), ['--target', target, ...only('feed-*')]));
  t.notDeepEqual(await stateOf(server.url), before);
  const { exitCode, stdout } = await docfeed(state, ['restore']);
  t.is(exitCode, 0, String(stdout));
  t.deepEqual(await stateOf(server.url), before);
});

test.serial('what a command cannot remove is told, and stays in the journal', async (t) => {
  const server = await referenceServer(t);
  const url = await hostileTarget(t, server, refusesToCreate(405));
  const [journalDir, target] = [
    await emptyFolder(t),
    await commands(t, server.url, { remove: `console.error('no'); process.exit(4);` }),
  ];
  const { warnings = [] } = await runConformance({
    urls: [url],
    admin,
    target,
    journalDir,
    only: ['normal-immediate'],
    seed: 1,
  });
  t.regex(
    warnings.join('\n'),
    /could not restore or remove: database docfeed-.* \(databases\.remove in .* ended with exit status 4: no\); use `docfeed restore`/,
  );
});

test.serial('a target that refuses the name of a deleted database for a moment is judged', async (t) => {
  const left = new Map<string, number>();
  let refused = 0;
  const url = await hostileTarget(t, await referenceServer(t), ({ method, url }) => {
    const [path] = url!.split('?');
    if (!isDatabase(path!)) return undefined;
    const refusals = left.get(path!) ?? 0;
    if (method === 'DELETE') left.set(path!, 2);
    if (method !== 'PUT' || refusals === 0) return undefined;
    left.set(path!, refusals - 1);
    refused += 1;
    return { status: 412, body: refusal };
  });
  const { checks } = await runConformance({ urls: [url], admin, seed: 1, only: ['feed-present-state'] });
  t.deepEqual(
    checks.map(({ id, outcome, reason }) => `${id}: ${reason ?? outcome}`),
    ['feed-present-state: pass'],
  );
  // Some cases must make a database again.
  t.true(refused > 0);
});
