import { cp, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import { InvalidInput } from './errors.js';
import { generate } from './generate.js';

const project = process.cwd();

/** Copies the description and the rules to a folder within the project, where prettier finds its configuration. */
async function copyOfDescription(t: ExecutionContext): Promise<string> {
  const root = await mkdtemp(join(project, '.generate-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await cp(join(project, 'openapi'), join(root, 'openapi'), { recursive: true });
  await cp(join(project, 'conformance/rules'), join(root, 'conformance/rules'), { recursive: true });
  for (const folder of ['openapi', 'conformance/rules']) {
    await rm(join(root, folder, 'generated'), { recursive: true, force: true });
  }
  for (const schema of ['reports/report.schema.json', 'conformance/session/target-file.schema.json']) {
    await cp(join(project, schema), join(root, schema));
  }
  return root;
}

/** Sets the value at a path of keys in a YAML file, or deletes it. */
async function edit(file: string, path: (string | number)[], value: unknown): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'));
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
  await writeFile(file, document.toString());
}

const filesIn = (folder: string): Promise<string[]> => readdir(folder, { recursive: true }).catch(() => []);

test.serial('writes every file, also for a new parameter, then only what has drifted', async (t) => {
  const root = await copyOfDescription(t);
  const parameter = {
    name: 'flavour',
    in: 'query',
    description: 'Flavour of the response.',
    schema: { type: 'string', enum: ['sweet', 'sour'] },
  };
  await edit(join(root, 'openapi/paths/root.yaml'), ['get', 'parameters'], [parameter]);

  const first = await generate(root, { check: false });
  for (const path of [
    'openapi/generated/service.json',
    'openapi/generated/couchdb.json',
    'openapi/generated/service.openapi-3.0.json',
    'openapi/generated/couchdb.openapi-3.0.json',
    'openapi/generated/types.service.ts',
    'openapi/generated/types.couchdb.ts',
    'openapi/generated/dialects.ts',
    'openapi/generated/feed-parameters.ts',
    'openapi/generated/rules.ts',
    'openapi/generated/rules.md',
    'reports/generated/report.ts',
    'conformance/generated/target-file.ts',
    'conformance/rules/generated/fault-files.ts',
    'conformance/rules/generated/rule-homes.ts',
    'reference/generated/handlers.ts',
    'reference/generated/routes.ts',
    'reference/generated/validators.ts',
  ]) {
    t.true(first.changed.includes(path), path);
  }
  const read = (path: string) => readFile(join(root, path), 'utf8');
  t.regex(await read('openapi/generated/types.couchdb.ts'), /flavour\?: 'sweet' \| 'sour';/);
  t.regex(await read('reference/generated/handlers.ts'), /query: \{ flavour\?: 'sweet' \| 'sour' \};/);
  t.regex(await read('reference/generated/validators.ts'), /flavour: mustBe\(Joi\.valid\('sweet', 'sour'\)/);
  t.regex(
    await read('openapi/generated/rules.md'),
    /\n## feed-limit\n\n.*\n\n- Level: MUST\n- Source: \[4\.5\]\(\.\.\/service\.md#section-4-5\), \[8\]\(.*\)\n- Operations: `getChanges`, `postChanges`\n- Components: `parameters\/Limit`\n- Not checked: /,
  );

  const untouched = join(root, 'reference/generated/routes.ts');
  await utimes(untouched, 1, 1);
  const drifted = join(root, 'openapi/generated/dialects.ts');
  const leftover = join(root, 'openapi/generated/left-over.md');
  await writeFile(drifted, 'export {};\n');
  await writeFile(leftover, 'left over\n');
  const drift = {
    changed: ['openapi/generated/dialects.ts'],
    stale: ['openapi/generated/left-over.md'],
  };
  t.deepEqual(await generate(root, { check: true }), drift);
  t.is(await readFile(drifted, 'utf8'), 'export {};\n');
  t.is(await readFile(leftover, 'utf8'), 'left over\n');
  t.deepEqual(await generate(root, { check: false }), drift);
  t.is((await stat(untouched)).mtimeMs, 1000);
  t.regex(await readFile(drifted, 'utf8'), /export type Dialect/);
  await t.throwsAsync(stat(leftover), { code: 'ENOENT' });
});

const invalid: [string, string, (string | number)[], unknown, RegExp][] = [
  [
    'a description that is not OpenAPI',
    'openapi.yaml',
    ['info', 'title'],
    7,
    /^openapi\/openapi\.yaml is not a valid OpenAPI description: .*#\/info\/title must be string$/,
  ],
  [
    'a reference that cannot be resolved',
    'openapi.yaml',
    ['paths', '/', '$ref'],
    'paths/nowhere.yaml',
    /^openapi\/openapi\.yaml cannot be bundled: .*nowhere\.yaml/,
  ],
  [
    'an overlay action without effect',
    'dialects/couchdb.overlay.yaml',
    ['actions', 0, 'target'],
    '$.nowhere',
    /^openapi\/dialects\/couchdb\.overlay\.yaml: actions without effect, with the targets "\$\.nowhere"$/,
  ],
  [
    'an overlay whose result is invalid',
    'dialects/couchdb.overlay.yaml',
    ['actions', 0, 'update'],
    { version: 7 },
    /^openapi\/dialects\/couchdb\.overlay\.yaml is not a valid OpenAPI description: /,
  ],
  [
    'an operation that does not say who may use it',
    'paths/document-lists.yaml',
    ['AllDocs', 'get', 'x-access'],
    undefined,
    /^operation getAllDocs has no x-access: say one of public, member, /,
  ],
  [
    'an unknown x-access',
    'paths/document-lists.yaml',
    ['AllDocs', 'get', 'x-access'],
    'anybody',
    /^operation getAllDocs has the x-access "anybody": say one of public, member, /,
  ],
  [
    'an operation for members of no database',
    'paths/all-dbs.yaml',
    ['get', 'x-access'],
    'member',
    /^operation getAllDbs: x-access member needs a path below \/\{db\}$/,
  ],
  [
    'a rule that does not match its schema',
    'rules/feed.yaml',
    [0, 'level'],
    'MAY',
    /^openapi\/rules\/feed\.yaml: rule\/0\/level must be equal to one of the allowed values$/,
  ],
  [
    'a rule of an unknown operation',
    'rules/feed.yaml',
    [0, 'operations'],
    ['getNothing'],
    /^rule feed-shape names the unknown operation getNothing$/,
  ],
  [
    'a rule of an unknown component',
    'rules/feed.yaml',
    [0, 'components'],
    ['parameters/Nothing'],
    /^rule feed-shape names the unknown component parameters\/Nothing$/,
  ],
  [
    'a duplicate rule id',
    'rules/feed.yaml',
    [1, 'id'],
    'root-greeting',
    /^openapi\/rules: more than one rule has the id root-greeting$/,
  ],
  [
    'a rule that names no statement',
    'rules/feed.yaml',
    [0, 'statements'],
    undefined,
    /^openapi\/rules\/feed\.yaml: rule\/0 must have required property 'statements'$/,
  ],
  [
    'a recursive body schema',
    'components/schemas/bulk.yaml',
    ['BulkGetItem', 'properties', 'more'],
    { $ref: '#/BulkGetItem' },
    /^the schema BulkGetItem is recursive, which validators do not support$/,
  ],
  [
    'a statement that has no reason',
    'rules/traceability.yaml',
    [0, 'reason'],
    undefined,
    /^openapi\/rules\/traceability\.yaml: traceability\/0 must have required property 'reason'$/,
  ],
];

for (const [what, file, path, value, message] of invalid) {
  test.serial(`rejects ${what} and writes nothing`, async (t) => {
    const root = await copyOfDescription(t);
    await edit(join(root, 'openapi', file), path, value);
    await t.throwsAsync(generate(root, { check: false }), { instanceOf: InvalidInput, message });
    t.deepEqual(await filesIn(join(root, 'openapi/generated')), []);
    t.deepEqual(await filesIn(join(root, 'reference/generated')), []);
  });
}

test.serial('rejects a rule with two homes and writes nothing', async (t) => {
  const root = await copyOfDescription(t);
  const file = join(root, 'conformance/rules/feed/another.ts');
  await writeFile(file, "export const another = defineRule('feed-limit', {});\n");
  await t.throwsAsync(generate(root, { check: false }), {
    instanceOf: InvalidInput,
    message: 'conformance/rules/feed/paging.ts: the rule feed-limit has a home in feed/another.ts already.',
  });
  t.deepEqual(await filesIn(join(root, 'openapi/generated')), []);
});
