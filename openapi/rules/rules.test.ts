import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parse } from 'yaml';

interface Rule {
  id: string;
  level: 'MUST' | 'SHOULD';
  source: string[];
  since?: string;
}

interface Statement {
  id: string;
  section: string;
  text: string;
  rules?: string[];
  reason?: string;
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const readYaml = (name: string) => parse(read(name)) as unknown;

const files = ['root', 'session', 'tokens', 'feed', 'modes', 'filters', 'cluster'];
const rules = files.flatMap((file) => readYaml(`${file}.yaml`) as Rule[]);
const statements = readYaml('traceability.yaml') as Statement[];

/** Ids that reports, baselines and links may hold on to: none of them may ever go or change. */
const published = `
  root-greeting root-vendor error-shape response-schema
  error-selector-missing error-selector-not-object error-selector-invalid

  session-shape session-info-db session-handlers-order session-authenticated-by
  login-result login-cookie login-rejects cookie-authenticates cookie-tampered
  basic-accepts basic-rejects basic-set-cookie basic-cookie-usable
  users-create users-stored users-admin-only users-id-form

  proxy-userctx proxy-authenticated proxy-handler-required proxy-secret-recommended
  proxy-token-accepted proxy-token-required proxy-token-algorithms
  jwt-accepts jwt-authenticated jwt-handler-required jwt-sub-name jwt-sub-required jwt-alg-required jwt-alg-none
  jwt-signature jwt-payload-bound jwt-alg-bound jwt-kid-selects jwt-kid-unknown jwt-default-key
  jwt-required-missing jwt-required-validated jwt-unrequired-ignored
  jwt-roles-array jwt-roles-string jwt-roles-equivalent jwt-roles-absent jwt-roles-claim-name jwt-roles-claim-path
  jwt-key-forms jwt-key-name-equals totp-login totp-token-required totp-cookie

  feed-shape feed-row-shape feed-latest feed-complete feed-nothing-extra feed-one-row feed-deleted
  feed-deleted-winner feed-last-seq feed-pending feed-since-excludes feed-since-resume feed-since-default
  feed-since-now feed-seq-any-json feed-limit feed-paging feed-descending feed-include-docs feed-conflicts
  feed-style-main feed-style-all feed-attachments feed-att-encoding feed-seq-interval feed-defaults feed-accept
  feed-post-same feed-partial-order feed-idempotent

  normal-immediate longpoll-waits longpoll-delivers longpoll-behind longpoll-timeout
  continuous-lines continuous-crlf continuous-behind continuous-live continuous-limit continuous-timeout
  heartbeat-lines heartbeat-overrides heartbeat-true timeout-default timeout-maximum
  eventsource-stream eventsource-live eventsource-heartbeat eventsource-last-event-id eventsource-limit-timeout
  feed-live-converges

  filter-doc-ids filter-selector filter-design filter-view filter-function
  filter-all-docs-skip filter-all-docs-revs filter-all-docs-doc filter-in-every-mode

  cluster-jwt-keys cluster-seq-portable cluster-converges`
  .trim()
  .split(/\s+/);

/**
 * The sections of the service document: how many statements each has, and its table rows and numbered items, each of
 * which is the beginning of at least one statement's id.
 */
const sections: Record<string, { statements: number; rows: string[] }> = {
  '1': { statements: 7, rows: [] },
  '2.1': { statements: 4, rows: ['service', 'uuid', 'version', 'vendor'] },
  '2.2': { statements: 6, rows: ['ok', 'userCtx', 'info'] },
  '2.3': { statements: 3, rows: ['ok', 'name', 'roles'] },
  '2.4': { statements: 8, rows: ['id', 'name', 'password', 'roles', 'type', 'totp'] },
  '2.5': { statements: 3, rows: ['results', 'last_seq', 'pending'] },
  '2.6': { statements: 11, rows: ['id', 'seq', 'changes', 'deleted', 'doc'] },
  '2.7': { statements: 1, rows: [] },
  '2.8': {
    statements: 10,
    rows: [
      'chttpd/authentication_handlers',
      'proxy_use_secret',
      'chttpd_auth/hash_algorithms',
      'jwt_keys',
      'required_claims',
      'roles_claim_name',
      'roles_claim_path',
      'chttpd/changes_timeout',
    ],
  },
  '3': { statements: 2, rows: [] },
  '4.1': { statements: 2, rows: ['sends', 'returns'] },
  '4.2': { statements: 4, rows: ['sends', 'returns'] },
  '4.3': { statements: 4, rows: ['sends', 'returns'] },
  '4.4': { statements: 3, rows: [] },
  '4.5': {
    statements: 33,
    rows: [
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
  },
  '4.6': { statements: 6, rows: ['same', 'doc_ids', 'selector', 'content-type', 'parameters'] },
  '4.7': {
    statements: 18,
    rows: ['mode-1', 'mode-2', 'mode-3', 'mode-4', 'rule-1', 'rule-2', 'rule-3', 'rule-4', 'rule-5'],
  },
  '4.8': {
    statements: 15,
    rows: [
      '_doc_ids',
      '_selector',
      '_design',
      '_view',
      '<design_doc>/<filter_name>',
      'rule-1',
      'rule-2',
      'rule-3',
    ],
  },
  '5': { statements: 2, rows: ['handlers', 'ssl'] },
  '5.1': { statements: 5, rows: ['header', 'hash', 'set-cookie'] },
  '5.2': { statements: 3, rows: ['obtained', 'returned', 'attributes'] },
  '5.3': {
    statements: 6,
    rows: ['X-Auth-Service-UserName', 'X-Auth-Service-Roles', 'X-Auth-Service-Token'],
  },
  '5.4': {
    statements: 22,
    rows: [
      ...[1, 2, 3, 4, 5, 6].map((rule) => `rule-${rule}`),
      ...[1, 2, 3, 4, 5].map((key) => `key-${key}`),
      'section',
    ],
  },
  '5.5': { statements: 5, rows: [1, 2, 3, 4, 5].map((step) => `step-${step}`) },
  '6': { statements: 8, rows: ['message', 'heartbeat', 'empty-line', 'resume', 'cors', 'id'] },
  '7': { statements: 7, rows: ['shape', 'row-1', 'row-2', 'row-3', 'row-4'] },
  '8': {
    statements: 8,
    rows: [
      'heartbeat default',
      'timeout default maximum',
      'since default',
      'limit',
      'URL length',
      'attachments overhead',
      'seq_interval',
    ],
  },
  '9': {
    statements: 15,
    rows: ['0.11.0', '1.2.0', '1.3.0', '1.4.0', '1.6.0', '2.0.0', '3.3', '3.3.2', '3.4'],
  },
};

const ajv = new Ajv2020({ allErrors: true });
const fitsRules = ajv.compile(JSON.parse(read('rule.schema.json')) as object);
const fitsTraceability = ajv.compile(JSON.parse(read('traceability.schema.json')) as object);

for (const file of files) {
  test(`${file}.yaml fits the schema`, (t) => {
    t.true(fitsRules(readYaml(`${file}.yaml`)), ajv.errorsText(fitsRules.errors));
  });
}

test('the schema refuses a misspelt capability, an unquoted version and a missing statement', (t) => {
  const [rule] = rules;
  t.true(fitsRules([rule]));
  t.false(fitsRules([{ ...rule, needs: ['attachment'] }]));
  t.false(fitsRules([{ ...rule, since: 3.4 }]));
  t.false(fitsRules([{ ...rule, statement: undefined }]));
});

test('traceability.yaml fits its schema: every statement has either rules or a reason', (t) => {
  t.true(fitsTraceability(statements), ajv.errorsText(fitsTraceability.errors));
  const [statement] = statements;
  t.false(fitsTraceability([{ ...statement, rules: [] }]));
  t.false(fitsTraceability([{ ...statement, rules: undefined }]));
  t.false(fitsTraceability([{ ...statement, reason: 'both' }]));
});

test('ids of rules and of statements are unique', (t) => {
  const repeated = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);
  t.deepEqual(repeated(rules.map(({ id }) => id)), []);
  t.deepEqual(repeated(statements.map(({ id }) => id)), []);
});

test('the catalogue has exactly the published ids', (t) => {
  t.deepEqual(rules.map(({ id }) => id).sort(), [...published].sort());
});

test('every rule that a statement names exists', (t) => {
  const known = new Set(rules.map(({ id }) => id));
  const unknown = statements.flatMap(({ id, rules = [] }) =>
    rules.filter((rule) => !known.has(rule)).map((rule) => `${id}: ${rule}`),
  );
  t.deepEqual(unknown, []);
});

test('every source of a rule is a section with a statement that names the rule', (t) => {
  const inSection = (statement: Statement, section: string) =>
    statement.section === section || statement.section.startsWith(`${section}.`);
  const untraced = rules.flatMap((rule) =>
    rule.source
      .filter((source) => {
        const [section = ''] = source.split(' ');
        return !statements.some(
          (statement) => inSection(statement, section) && statement.rules?.includes(rule.id),
        );
      })
      .map((source) => `${rule.id}: ${source}`),
  );
  t.deepEqual(untraced, []);
});

test('every rule added by a later version says so', (t) => {
  const versions = statements.filter(({ section, rules }) => section === '9' && rules);
  const wrong = versions.flatMap(({ id, rules: named = [] }) => {
    const version = /^9-(\d+(\.\d+)+)/.exec(id)?.[1];
    return rules
      .filter((rule) => version !== undefined && named.includes(rule.id) && rule.since !== version)
      .map((rule) => `${rule.id}: ${rule.since}, not ${version}`);
  });
  t.deepEqual(wrong, []);
});

test('every table row and numbered item of the service document has a statement', (t) => {
  const missing = Object.entries(sections).flatMap(([section, { rows }]) =>
    rows
      .map((row) => `${section}-${row}`)
      .filter((begin) => !statements.some(({ id }) => id === begin || id.startsWith(`${begin}-`))),
  );
  t.deepEqual(missing, []);
});

test('no statement of the service document got lost', (t) => {
  const counted: Record<string, number> = {};
  for (const { section } of statements) counted[section] = (counted[section] ?? 0) + 1;
  const expected = Object.fromEntries(
    Object.entries(sections).map(([section, { statements }]) => [section, statements]),
  );
  t.deepEqual(counted, expected);
  t.deepEqual(
    statements.filter(({ id, section }) => !id.startsWith(`${section}-`)),
    [],
  );
});
