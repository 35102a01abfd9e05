import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import ts from 'typescript';
import { type Rule, rules } from '../../openapi/generated/rules.js';
import { program } from '../../reports/testing/program.js';

const project = process.cwd();

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program as a user does, in the folder of the project. */
async function docfeed(...args: string[]): Promise<Result> {
  try {
    const output = await promisify(execFile)(process.execPath, [program, ...args], {
      maxBuffer: 2 ** 24,
    });
    return { code: 0, ...output };
  } catch (error) {
    const { code, stdout, stderr } = error as Result;
    return { code, stdout, stderr };
  }
}

/** A temporary folder within the project, where modules resolve to its dependencies. */
async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(project, '.types-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A program that uses the types with openapi-fetch, with one error per line. The tests of the package have a valid one. */
const client = `
import createClient from 'openapi-fetch';
import type { paths } from './x.js';
const client = createClient<paths>();
export const a = client.GET('/{db}/_changes', { params: { path: { db: 'a' }, query: { style: 'bogus' } } });
export const b = client.GET('/{db}/_changes', { params: { path: { database: 'a' } } });
export const c = client.PUT('/_users/org.service.user:{username}', { params: { path: { username: 'a' } } });
export const d = client.POST('/_session', { body: { name: 'a', password: 7 } });
`;

test.serial('types replaces a file, and openapi-fetch with its types reports mistakes', async (t) => {
  const path = await folder(t);
  const out = join(path, 'x.d.ts');
  await writeFile(out, 'replaced');
  t.deepEqual(await docfeed('types', '--dialect', 'couchdb', '--out', out), {
    code: 0,
    stdout: '',
    stderr: '',
  });
  t.deepEqual(await readdir(path), ['x.d.ts']);

  await writeFile(join(path, 'client.ts'), client);
  const program = ts.createProgram([join(path, 'client.ts')], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start!).line;
    return [
      file?.fileName.split('/').at(-1),
      line,
      ts.flattenDiagnosticMessageText(messageText, ' '),
    ] as const;
  });
  t.deepEqual(
    errors.map(([name, line]) => `${name}:${line}`),
    ['client.ts:4', 'client.ts:5', 'client.ts:6', 'client.ts:7'],
    JSON.stringify(errors, null, 2),
  );
});

test.serial('types prints the generated file to stdout', async (t) => {
  const neutral = await docfeed('types');
  t.is(neutral.code, 0);
  t.is(neutral.stdout, await readFile(join(project, 'openapi/generated/types.service.ts'), 'utf8'));
  t.true(neutral.stdout.includes(`'/_users/org.service.user:{username}'`));
});

for (const [args, file] of [
  [[], 'service.json'],
  [['--dialect', 'couchdb'], 'couchdb.json'],
  [['--dialect', 'couchdb', '--openapi', '3.0'], 'couchdb.openapi-3.0.json'],
] as const) {
  test.serial(`openapi prints ${file}`, async (t) => {
    const { code, stdout } = await docfeed('openapi', ...args);
    t.is(code, 0);
    t.is(stdout, await readFile(join(project, 'openapi/generated', file), 'utf8'));
  });
}

test.serial('an unwritable file is a one-line error', async (t) => {
  const path = await folder(t);
  const out = join(path, 'missing/x.d.ts');
  const result = await docfeed('types', '--out', out);
  t.deepEqual(result, {
    code: 2,
    stdout: '',
    stderr: `docfeed: cannot write ${out}: ENOENT: no such file or directory\n`,
  });
  t.deepEqual(await readdir(path), []);
});

test.serial('an unknown dialect is rejected', async (t) => {
  const { code, stdout, stderr } = await docfeed('types', '--dialect', 'klingon');
  t.is(code, 2);
  t.is(stdout, '');
  t.regex(stderr, /'klingon' is invalid\. Allowed choices are service, couchdb\./);
});

test.serial('rules lists every rule', async (t) => {
  const { code, stdout } = await docfeed('rules');
  t.is(code, 0);
  const heads = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  t.deepEqual(
    heads,
    rules.map(
      ({ id, level, needs }) => `${id}  ${level}${needs.length > 0 ? `  needs ${needs.join(', ')}` : ''}`,
    ),
  );
  for (const line of stdout.split('\n')) t.true(line.length <= 100, line);
  const words = (text: string) => text.split(/\s+/).join(' ');
  for (const { statement } of rules) t.true(words(stdout).includes(words(statement)));
});

test.serial('rules with an id shows the rule in full', async (t) => {
  const { code, stdout } = await docfeed('rules', 'root-greeting');
  t.is(code, 0);
  t.true(stdout.startsWith('root-greeting  MUST\n\n  '));
  for (const line of [
    'applies from  the first version',
    'needs         nothing',
    'operations    getRoot',
    'checks        root-greeting',
  ]) {
    t.true(stdout.includes(`\n${line}\n`), line);
  }
  t.regex(stdout, /\nsource {8}SERVICE 1, SERVICE 2\.1, /);
  t.regex(stdout, /\nfaults {8}[a-z-]+: \S/);
  for (const [id, words] of [
    ['feed-one-row', 'The whole rule is judged.'],
    ['continuous-limit', 'A part is judged. No continuous feed has more rows than `limit`'],
    ['continuous-live', 'It is not judged. When a change must arrive'],
  ] as const)
    t.true((await docfeed('rules', id)).stdout.includes(`\nin traffic    ${words}`), id);
});

test.serial('rules as JSON', async (t) => {
  const all = await docfeed('rules', '--json');
  const listed = JSON.parse(all.stdout) as (Rule & { checks: string[] })[];
  t.deepEqual(
    listed.map(({ id }) => id),
    rules.map(({ id }) => id),
  );
  const one = await docfeed('rules', 'login-rejects', '--json');
  t.deepEqual(
    JSON.parse(one.stdout),
    listed.find(({ id }) => id === 'login-rejects'),
  );
  t.true(listed.find(({ id }) => id === 'login-rejects')!.checks.includes('login-rejects/unknown-name'));
});

test.serial('an unknown rule exits with 2 and suggests similar rules only', async (t) => {
  t.deepEqual(await docfeed('rules', 'feed-las-seq'), {
    code: 2,
    stdout: '',
    stderr: 'docfeed: unknown rule "feed-las-seq"; did you mean feed-last-seq?\n',
  });
  t.deepEqual(await docfeed('rules', 'nosuchrule'), {
    code: 2,
    stdout: '',
    stderr: 'docfeed: unknown rule "nosuchrule"; run `docfeed rules` for the list\n',
  });
});
