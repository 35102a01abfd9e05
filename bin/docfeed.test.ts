/** The program as a whole: what all commands share. */
import test from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../reports/testing/folder.js';
import { program } from '../reports/testing/program.js';

const docfeed = (args: readonly string[], nodeOptions: readonly string[] = []) =>
  execaNode(program, args, { nodeOptions, reject: false });

for (const [what, source] of [
  ['an exception', `throw new Error('It broke.')`],
  ['an unhandled rejection', `Promise.reject(new Error('It broke.'))`],
] as const) {
  test(`${what} during a command is reported as an internal error, not as a verdict`, async (t) => {
    // The program handles errors from the moment when it runs, not while Node.js starts.
    const isRunning = `process.listenerCount('uncaughtException') > 0`;
    const code = `const timer = setInterval(() => { if (${isRunning}) { clearInterval(timer); ${source} } }, 20)`;
    const broken = `data:text/javascript,${encodeURIComponent(code)}`;
    const { exitCode, stdout, stderr } = await docfeed(['serve', '--port', '0'], [`--import=${broken}`]);
    t.is(exitCode, 3);
    t.regex(stderr, /^docfeed: internal error in docfeed: Error: It broke\.\n {4}at /m);
    t.notRegex(stdout, /It broke/);
  });
}

for (const [args, suggestion] of [
  [['chek'], "; did you mean 'docfeed check'?"],
  [['diff'], "; did you mean 'docfeed report diff'?"],
  [['diff', '--help'], "; did you mean 'docfeed report diff'?"],
  [['help', 'diff'], "; did you mean 'docfeed report diff'?"],
  [['report', 'merg', '--help'], "; did you mean 'docfeed report merge'?"],
  [['report', 'check'], "; did you mean 'docfeed check'?"],
  [['nothing-like-it'], ''],
] as const) {
  test(`docfeed ${args.join(' ')} fails and suggests a command if one is similar`, async (t) => {
    const unknown = args.find((word) => !['help', 'report'].includes(word));
    t.like(await docfeed(args), {
      exitCode: 2,
      stdout: '',
      stderr: `docfeed: unknown command '${unknown}'${suggestion}`,
    });
  });
}

for (const [args, exitCode, message] of [
  [['check'], 2, 'missing the URL of the target, such as http://127.0.0.1:5984'],
  [
    ['check', 'localhost:5984'],
    2,
    '"localhost:5984" is not an HTTP URL; did you mean http://localhost:5984?',
  ],
  [['check', 'ftp://a'], 2, '"ftp://a" is not an HTTP URL such as http://127.0.0.1:5984'],
  [['check', 'http://127.0.0.1:1'], 3, 'http://127.0.0.1:1/: no response to GET /: connection refused'],
] as const) {
  test(`docfeed ${args.join(' ')} is refused with ${exitCode}`, async (t) => {
    const folder = await emptyFolder(t);
    t.like(await docfeed([...args, '--report-dir', folder, '--quiet']), {
      exitCode,
      stdout: '',
      stderr: `docfeed: ${message}`,
    });
  });
}
