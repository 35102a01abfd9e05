import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { readRules, readUnchecked } from '../../generators/rules.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const rules = await readRules(folder);
const unchecked = await readUnchecked(folder);

/** The ids of all statements of the service document. */
const statements = [...rules.flatMap((rule) => rule.statements), ...unchecked.map(({ id }) => id)];

/** The table rows and numbered items of the service document. The ids of statements begin with section and row. */
const rowsOfSections: Record<string, string[]> = {
  '2.1': ['service', 'uuid', 'version', 'vendor'],
  '2.2': ['ok', 'userCtx', 'info'],
  '2.3': ['ok', 'name', 'roles'],
  '2.4': ['id', 'name', 'password', 'roles', 'type', 'totp'],
  '2.5': ['results', 'last_seq', 'pending'],
  '2.6': ['id', 'seq', 'changes', 'deleted', 'doc'],
  '2.8': [
    'chttpd/authentication_handlers',
    'proxy_use_secret',
    'chttpd_auth/hash_algorithms',
    'jwt_keys',
    'required_claims',
    'roles_claim_name',
    'roles_claim_path',
    'chttpd/changes_timeout',
  ],
  '4.1': ['sends', 'returns'],
  '4.2': ['sends', 'returns'],
  '4.3': ['sends', 'returns'],
  '4.5': [
    'Accept',
    'Last-Event-ID',
    'doc_ids',
    'conflicts',
    'descending',
    'feed',
    'filter',
    'heartbeat',
    'include_docs',
    'attachments',
    'att_encoding_info',
    'last-event-id',
    'limit',
    'since',
    'style',
    'timeout',
    'view',
    'seq_interval',
  ],
  '4.6': ['same', 'doc_ids', 'selector', 'content-type', 'parameters'],
  '4.7': ['mode-1', 'mode-2', 'mode-3', 'mode-4', 'rule-1', 'rule-2', 'rule-3', 'rule-4', 'rule-5'],
  '4.8': [
    '_doc_ids',
    '_selector',
    '_design',
    '_view',
    '<design_doc>/<filter_name>',
    'rule-1',
    'rule-2',
    'rule-3',
  ],
  '5': ['handlers', 'ssl'],
  '5.1': ['header', 'hash', 'set-cookie'],
  '5.2': ['obtained', 'returned', 'attributes'],
  '5.3': ['X-Auth-Service-UserName', 'X-Auth-Service-Roles', 'X-Auth-Service-Token'],
  '5.4': [
    ...[1, 2, 3, 4, 5, 6].map((rule) => `rule-${rule}`),
    ...[1, 2, 3, 4, 5].map((key) => `key-${key}`),
    'section',
  ],
  '5.5': [1, 2, 3, 4, 5].map((step) => `step-${step}`),
  '6': ['message', 'heartbeat', 'empty-line', 'resume', 'cors', 'id'],
  '7': ['shape', 'row-1', 'row-2', 'row-3', 'row-4'],
  '8': [
    'heartbeat default',
    'timeout default maximum',
    'since default',
    'limit',
    'URL length',
    'attachments overhead',
    'seq_interval',
  ],
  '9': ['0.11.0', '1.2.0', '1.3.0', '1.4.0', '1.6.0', '2.0.0', '3.3', '3.3.2', '3.4'],
};

const ajv = new Ajv2020();
const schema = (name: string) =>
  ajv.compile(JSON.parse(readFileSync(`${folder}${name}.schema.json`, 'utf8')) as object);

test('the schema rejects a misspelt capability, an unquoted version and a missing statement', (t) => {
  const isValid = schema('rule');
  const rule = {
    id: 'feed-shape',
    level: 'MUST',
    statements: ['2.5-results'],
    statement: 'The response is one JSON object with an array of rows.',
  };
  t.true(isValid([rule]));
  t.false(isValid([{ ...rule, needs: ['attachment'] }]));
  t.false(isValid([{ ...rule, since: 3.4 }]));
  t.false(isValid([{ ...rule, statement: undefined }]));
  t.false(isValid([{ ...rule, statements: [] }]));
});

test('a statement that no rule checks needs a reason', (t) => {
  const isValid = schema('traceability');
  const statement = { id: '2.1-uuid', text: 'uuid is a string' };
  t.true(isValid([{ ...statement, reason: 'not shown' }]));
  t.false(isValid([statement]));
});

test('the source of a rule comes from its statements', (t) => {
  const sourceOf = (id: string) => rules.find((rule) => rule.id === id)?.source;
  t.deepEqual(sourceOf('root-vendor'), ['2.1']);
  t.deepEqual(sourceOf('longpoll-waits'), ['4.7 mode 2']);
  t.deepEqual(sourceOf('jwt-default-key'), ['5.4 key rule 2']);
});

test('a rule shows which part of its statements it does not check', (t) => {
  for (const { id, statements, gaps } of rules) {
    const reasons = unchecked.filter((one) => statements.includes(one.id));
    t.deepEqual(
      gaps,
      reasons.map(({ text, reason }) => `${text}: ${reason}`),
      id,
    );
  }
  t.true(rules.some(({ gaps }) => gaps.length > 0));
});

test('a rule applies from the version whose statement in SERVICE 9 names it', (t) => {
  const versions = rules.flatMap(({ id, since, statements }) =>
    statements.flatMap((statement) => {
      const version = /^9-(\d+(\.\d+)+)/.exec(statement)?.[1];
      return version === undefined ? [] : [{ id, since, version }];
    }),
  );
  t.true(versions.length > 10);
  for (const { id, since, version } of versions) t.is(since, version, id);
});

test('every table row and numbered item of the service document has a statement', (t) => {
  const missing = Object.entries(rowsOfSections).flatMap(([section, rows]) =>
    rows
      .map((row) => `${section}-${row}`)
      .filter((start) => !statements.some((id) => id === start || id.startsWith(`${start}-`))),
  );
  t.deepEqual(missing, []);
});
