/** Packs and installs docfeed as a user does, compiles the TypeScript examples of the guides there, and runs the tests. */
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { execa } from 'execa';
import { emptyFolder } from '../reports/testing/folder.js';
import { packInto } from '../reports/testing/pack.js';

const root = process.cwd();
const guides = ['README.md', 'openapi/README.md', 'reference/README.md', 'conformance/README.md'];

/** A user's program that loads the declarations of all entries. */
const imports = `
import { checks, runConformance } from 'docfeed';
import { httpError, startServer } from 'docfeed/reference';
import type { components as service } from 'docfeed/types';
import type { components as couchdb } from 'docfeed/types/couchdb';

export { checks, httpError, runConformance, startServer };
export type Greeting = service['schemas']['Greeting'] | couchdb['schemas']['Greeting'];
`;

/** Clients need no assertions for fields that the service document requires, and no narrowing of the feed. */
const client = `
import createClient from 'openapi-fetch';
import type { paths } from 'docfeed/types/couchdb';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:5984' });
const { data: greeting } = await client.GET('/');
greeting?.vendor.version.trim();
const { data: session } = await client.GET('/_session');
session?.info.authentication_handlers.includes(session.info.authentication_db);
const params = { path: { db: 'recipes' }, query: { heartbeat: true, doc_ids: JSON.stringify(['a']) } } as const;
const { data: feed, error } = await client.POST('/{db}/_changes', { params, body: {} });
if (error) throw new Error(error.reason);
feed.pending.toFixed();
feed.results.map(({ changes }) => changes[0]?.rev);
const { data: document } = await client.GET('/{db}/{docid}', { params: { path: { db: 'recipes', docid: 'a' } } });
if (document && '_id' in document) document._id.trim();
const docid = { path: { db: 'recipes', docid: 'a' } };
const { data: written } = await client.PUT('/{db}/{docid}', { params: docid, body: { _id: 'a', flavour: 'sweet' } });
written?.rev?.trim();
await client.PUT('/_users/org.couchdb.user:{username}', {
  params: { path: { username: 'ann' } },
  body: { name: 'ann', password: 'secret', roles: [], type: 'user' },
});
const bulk = await client.POST('/{db}/_bulk_docs', { params: { path: { db: 'a' } }, body: { docs: [{}] } });
if (bulk.error) throw new Error(bulk.error.reason);
`;

const examplesOf = (guide: string): string[] =>
  [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);

test('the examples of the guides compile in an installed package, which has what README.md links to', async (t) => {
  const folder = await emptyFolder(t);
  const inFolder = execa({ cwd: folder, preferLocal: true, localDir: folder, all: true, reject: false });
  const succeeds = async (command: string, ...parameters: string[]) => {
    const { all, exitCode } = await inFolder(command, parameters);
    t.is(exitCode, 0, `${command} ${parameters.join(' ')}\n${all}`);
  };

  const tarball = await packInto(folder);
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const tools = ['typescript', '@types/node', 'openapi-fetch', 'ava', 'nano'].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
  tools.push('mocha@11', 'vitest@3');
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await succeeds('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...tools);

  const installed = join(folder, 'node_modules/docfeed');
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  for (const [, path = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
    t.true(existsSync(join(installed, path)), `the package lacks ${path}, to which README.md links`);
  }

  const sources = new Map([
    ['imports.ts', imports],
    ['client.ts', client],
  ]);
  for (const guide of guides) {
    const examples = examplesOf(await readFile(join(root, guide), 'utf8'));
    t.true(examples.length > 0, guide);
    examples.forEach((code, index) => {
      // A block without imports is not a module, and its names would be global.
      sources.set(`${guide.replaceAll(/\W/g, '-')}-${index}.ts`, `${code}\nexport {};\n`);
    });
  }
  for (const [name, source] of sources) await writeFile(join(folder, name), source);
  await succeeds('docfeed', 'types', '--dialect', 'couchdb', '--out', 'couchdb.d.ts');
  await succeeds('tsc', '--noEmit', '--strict', '--module', 'nodenext', ...sources.keys());

  await cp(join(root, 'conformance/examples/test-runners'), folder, { recursive: true });
  await succeeds('node', '--test', 'node-test.test.js');
  await succeeds('ava', '--timeout', '2m', 'ava.test.js');
  await succeeds('mocha', 'mocha.test.js');
  await succeeds('vitest', 'run', 'vitest.test.js');

  // An ES module has no entry for CommonJS.
  await succeeds('npx', '--yes', '@arethetypeswrong/cli@0.18', tarball, '--profile', 'esm-only');
  await succeeds('npx', '--yes', 'publint@0.3', tarball, '--strict');
});
