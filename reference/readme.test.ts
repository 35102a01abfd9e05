/** The setup of the authentication handlers in the README, run as it stands there. */
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { transform } from 'esbuild';
import { execa } from 'execa';

test('the setup of proxy authentication, tokens and one-time codes works', async (t) => {
  const readme = await readFile('reference/README.md', 'utf8');
  const [, code] = /^### Set up proxy .*?^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const { code: program } = await transform(code!, { loader: 'ts' });
  const entry = new URL('index.js', import.meta.url).href;
  const { stdout, stderr } = await execa('node', [
    '--input-type=module',
    '--eval',
    program.replace('docfeed/reference', entry),
  ]);
  t.is(stderr, '');
  const sessions = stdout.split('\n').map((line) => JSON.parse(line) as unknown);
  const names = ['cookie', 'proxy', 'jwt', 'default'];
  const expected = [
    ['ann', ['cooks', 'guests'], 'proxy'],
    ['ben', ['cooks'], 'jwt'],
    ['cat', ['cooks'], 'cookie'],
  ].map(([name, roles, authenticated]) => ({
    ok: true,
    userCtx: { name, roles },
    info: { authentication_db: '_users', authentication_handlers: names, authenticated },
  }));
  t.deepEqual(sessions, expected);
});
