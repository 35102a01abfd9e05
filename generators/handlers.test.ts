/** What the generated types of handlers reject. The handlers of the server show what they accept. */
import { join } from 'node:path';
import test from 'ava';
import ts from 'typescript';

const root = process.cwd();
const folder = join(root, 'reference/generated');

const preamble = `
import type { Readable } from 'node:stream';
import type { Handler, Handlers, OperationRequest } from './handlers.js';
interface Context { user: string }
declare const all: Handlers<Context>;
declare const stream: Readable;
`;

/** The compiler errors of each source, as `TS<code> <text>`. */
function compile(sources: Record<string, string>): Record<string, string[]> {
  const files = new Map(
    Object.entries(sources).map(([name, source]) => [join(folder, `fixture.${name}.ts`), preamble + source]),
  );
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const withFixtures: ts.CompilerHost = {
    ...host,
    readFile: (path) => files.get(path) ?? host.readFile(path),
    fileExists: (path) => files.has(path) || host.fileExists(path),
    getSourceFile: (path, ...rest) => {
      const source = files.get(path);
      if (source === undefined) return host.getSourceFile(path, ...rest);
      return ts.createSourceFile(path, source, ts.ScriptTarget.ES2023);
    },
  };
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, withFixtures);
  return Object.fromEntries(
    Object.keys(sources).map((name) => {
      const file = program.getSourceFile(join(folder, `fixture.${name}.ts`));
      const diagnostics = ts.getPreEmitDiagnostics(program, file);
      return [
        name,
        diagnostics.map((one) => `TS${one.code} ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`),
      ];
    }),
  );
}

/** The source of a handler that returns the response. */
const handlerReturning = (response: string) =>
  `export const getChanges: Handler<'getChanges', Context> = async () => (${response});`;

const row = `{ id: 'a', seq: '1-x', changes: [{ rev: '1-a' }] }`;
const body = `{ results: [${row}], last_seq: '1-x', pending: 0 }`;

const invalid: Record<string, { source: string; error: RegExp }> = {
  missingOperation: {
    source: `
      const { getChanges: _, ...others } = all;
      export const handlers: Handlers<Context> = others;`,
    error: /^TS2741 Property 'getChanges' is missing in type .* but required in type 'Handlers<Context>'\.$/,
  },
  unknownOperation: {
    source: `export const handlers: Handlers<Context> = { ...all, getChange: all.getChanges };`,
    error:
      /^TS2561 .*'getChange' does not exist in type 'Handlers<Context>'\. Did you mean to write 'getChanges'\?$/,
  },
  wrongStatus: {
    source: handlerReturning(`{ status: 201, body: ${body} }`),
    error: /^TS2322 .*Type '201' is not assignable to type '200'/,
  },
  statusWithTheWrongBody: {
    source: handlerReturning(`{ status: 404, body: ${body} }`),
    error: /^TS2322 .*not assignable to type '.*error: string;.*reason: string;/,
  },
  missingField: {
    source: handlerReturning(`{ status: 200, body: { results: [], pending: 0 } }`),
    error: /^TS2322 .*last_seq/,
  },
  wrongField: {
    source: handlerReturning(
      `{ status: 200, body: { results: [{ ...${row}, deleted: false }], last_seq: '1-x', pending: 0 } }`,
    ),
    error: /^TS2322 .*Type 'false' is not assignable to type 'true'/,
  },
  unknownField: {
    source: `export const getSession: Handler<'getSession', Context> = async () => ({
      status: 200,
      body: { ok: true, userCtx: { name: null, rules: [] }, info: {} },
    });`,
    error: /^TS2322 .*Property 'roles' is missing in type '{ name: null; rules: never\[\]; }'/,
  },
  wrongMediaType: {
    source: handlerReturning(`{ status: 200, type: 'text/html', body: stream }`),
    error: /^TS2322 .*Type '"text\/html"' is not assignable to type /,
  },
  streamThatIsNotAllowed: {
    source: `export const getSession: Handler<'getSession', Context> = async () => ({ status: 200, body: stream });`,
    error: /^TS2322 .*Readable.* is (?:not assignable|missing)/,
  },
  handlerOfAnotherOperation: {
    source: `export const handlers: Handlers<Context> = { ...all, getChanges: all.getSession };`,
    error:
      /^TS2322 Type 'Handler<"getSession", Context>' is not assignable to type 'Handler<"getChanges", Context>'/,
  },
  unknownParameter: {
    source: `export const read = ({ query }: OperationRequest<'getChanges'>) => query.limits;`,
    error: /^TS2551 Property 'limits' does not exist on type .* Did you mean 'limit'\?$/,
  },
  parameterWithoutDefault: {
    source: `export const read = ({ query }: OperationRequest<'getChanges'>): number => query.limit;`,
    error: /^TS2322 Type 'number \| undefined' is not assignable to type 'number'/,
  },
  bodyOfAGet: {
    source: `export const read = ({ body }: OperationRequest<'getChanges'>) => body.doc_ids;`,
    error: /^TS(?:2339|18047) /,
  },
};

const diagnostics = compile(
  Object.fromEntries(Object.entries(invalid).map(([name, { source }]) => [name, source])),
);

for (const [name, { error }] of Object.entries(invalid)) {
  test(`does not compile: ${name}`, (t) => {
    t.is(diagnostics[name]!.length, 1, diagnostics[name]!.join('\n'));
    t.regex(diagnostics[name]![0]!, error);
  });
}
