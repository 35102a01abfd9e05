/** The program as a whole: what every command has in common. */
import test from 'ava';
import { execaNode } from 'execa';

const docfeed = (args: readonly string[], nodeOptions: readonly string[] = []) =>
  execaNode('bin/docfeed.ts', args, { nodeOptions: ['--import=tsx', ...nodeOptions], reject: false });

for (const [what, source] of [
  ['an exception', `throw new Error('It broke.')`],
  ['a promise that nobody asks about', `Promise.reject(new Error('It broke.'))`],
] as const) {
  test(`${what} in the middle of a command is a fault of the program, and no verdict`, async (t) => {
    const broken = `data:text/javascript,setTimeout(() => { ${source} }, 500)`;
    const { exitCode, stdout, stderr } = await docfeed(['serve', '--port', '0'], [`--import=${broken}`]);
    t.is(exitCode, 3);
    t.regex(stderr, /^docfeed: this is a fault of docfeed itself: Error: It broke\.\n {4}at /m);
    t.notRegex(stdout, /It broke/);
  });
}

test('a command that is not there is named, and the nearest that is', async (t) => {
  const { exitCode, stderr } = await docfeed(['chek']);
  t.is(exitCode, 2);
  t.regex(stderr, /unknown command 'chek'\n\(Did you mean check\?\)/);
});
