/** What commands and entries of the package load: loading modules takes most of the start-up time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../reports/testing/folder.js';
import { program } from '../reports/testing/program.js';

const root = new URL('../', import.meta.url).href;

/** A hook of the module loader that appends the URL of each loaded module to a file. */
const hook = (file: string): string => `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  }`;

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Runs Node.js. @returns the loaded modules, those of this project as paths from its root */
async function modulesOf(
  t: ExecutionContext,
  entry: string | URL,
  args: readonly string[] = [],
): Promise<string[]> {
  const file = join(await emptyFolder(t), 'modules');
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook(file)))});`;
  await execaNode(entry, args, {
    nodeOptions: [`--import=${dataUrl(register)}`],
    reject: false,
    env: { XDG_STATE_HOME: join(file, '..') },
  });
  const urls = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return urls.map((url) => url.replace(root, '').replace(/\?.*/, ''));
}

for (const args of [['--help'], ['check', '--help'], ['report', '--help'], ['selftest', '--help']]) {
  test(`docfeed ${args.join(' ')} loads commands and no library but Commander`, async (t) => {
    const loaded = await modulesOf(t, program, args);
    t.true(loaded.includes('bin/docfeed.js'));
    const libraries = loaded.flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    const allowed = ['commander', 'fastest-levenshtein'];
    t.deepEqual(
      libraries.filter((name) => !allowed.includes(name)),
      [],
    );
    t.deepEqual(
      loaded.filter((path) =>
        /^conformance\/(rules|engine\/(?!run-options|outcomes|refusal|suggestion)|index)|^reports\/render/.test(
          path,
        ),
      ),
      [],
    );
  });
}

test('docfeed check loads no renderer of report files and nothing of the server before it has a report', async (t) => {
  const reportDir = await emptyFolder(t);
  const loaded = await modulesOf(t, program, ['check', 'http://127.0.0.1:1', '--report-dir', reportDir]);
  t.true(loaded.includes('conformance/session/probe/greeting.js'));
  t.deepEqual(
    loaded.filter((path) =>
      /^(reference\/|conformance\/areas\/.*faults\.js)|^reports\/render\/(html|junit|markdown|page|elements)/.test(
        path,
      ),
    ),
    [],
  );
});

test('the reference server loads nothing of the suite', async (t) => {
  const loaded = await modulesOf(t, new URL('../reference/index.js', import.meta.url));
  t.true(loaded.includes('reference/server/server.js'));
  t.deepEqual(
    loaded.filter((path) => /^(conformance|reports|generators)\/|\/node_modules\/fast-check\//.test(path)),
    [],
  );
});
