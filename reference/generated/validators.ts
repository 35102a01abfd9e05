/** joi validators for the requests of each operation. Generated from openapi/ by `npm run generate`. */
import Joi from 'joi';

export interface OperationValidators {
  params?: Joi.Schema;
  query?: Joi.Schema;
  headers?: Joi.Schema;
  payload?: Joi.Schema;
}

/** What the description says of the error response for an invalid value. */
interface Answer {
  /** One reason, or one for each keyword that has its own. */
  reason?: string | Record<string, string>;
  error?: string;
}

/** Adds an error message: that of the answer, or else the invalid value with a description of the valid values. */
function mustBe<S extends Joi.Schema>(schema: S, expected: string, { reason, error }: Answer = {}): S {
  return schema.error((reports) => {
    for (const report of reports) {
      // A nested schema has already set its message.
      if (report.message) continue;
      const name = (report.flags.label as string | undefined) ?? `\`${report.local.label}\``;
      if (error !== undefined) report.local['x-error'] = error;
      report.message =
        (typeof reason === 'object' ? reason[brokenKeyword(report)] : reason) ??
        (report.code === 'object.unknown'
          ? `${name} is not allowed`
          : `${name} is ${describeValue(report.value)}; it must be ${expected}`);
    }
    return reports;
  }) as S;
}

/** An alternative that has the right type says more than the others. */
function brokenKeyword({ code, local }: Joi.ErrorReport): string {
  const alternatives = (local.details ?? []) as Joi.ValidationErrorItem[];
  const codes = [code, ...alternatives.map(({ type }) => type)];
  if (codes.includes('any.required')) return 'required';
  if (codes.includes('number.min')) return 'minimum';
  return codes.includes('number.max') ? 'maximum' : 'type';
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** A parameter that is sent as JSON, or as one of the string constants without quotes. */
const json = (schema: Joi.Schema, constants: string[] = []) =>
  Joi.string().custom((text: string): unknown => {
    const value: unknown = constants.includes(text) ? text : JSON.parse(text);
    return Joi.attempt(value, schema, { convert: false });
  });

const anyString = mustBe(Joi.string().allow(''), 'a string');
const anyBoolean = mustBe(Joi.boolean(), 'true or false');

const dbsInfoRequestSchema = mustBe(
  Joi.object({
    keys: mustBe(Joi.array().items(mustBe(Joi.any(), 'a JSON value')), 'an array, each item a JSON value', {
      reason: { required: '`keys` member must exist.', type: '`keys` member must be an array.' },
    }).required(),
  }).unknown(),
  'an object with `keys`',
  { reason: 'Request body must be a JSON object' },
);

const credentialsSchema = mustBe(
  Joi.object({
    password: anyString.required(),
    name: anyString,
    username: anyString,
    token: anyString,
  }).unknown(),
  'an object with `password`',
);

const sentRevisionSchema = mustBe(
  Joi.string().pattern(/^(0|[1-9][0-9]{0,14})-([!#-~]{0,31}|[0-9A-Fa-f]{32}|[!#-~]{33,256})$/u),
  'a string of the form <n>-<hash>',
  { reason: 'Invalid rev format' },
);

const rolesSchema = mustBe(Joi.array().items(anyString), 'an array, each item a string');

const revisionSchema = mustBe(Joi.string().pattern(/^[0-9]+-.*$/u), 'a string of the form ^[0-9]+-.*$');

const totpSettingsSchema = mustBe(
  Joi.object({
    key: mustBe(Joi.string().pattern(/^[A-Z2-7]+$/u), 'a string of the form ^[A-Z2-7]+$').required(),
  }).unknown(),
  'an object with `key`',
);

const userSchema = mustBe(
  Joi.object({
    name: anyString.required(),
    roles: rolesSchema.required(),
    type: mustBe(Joi.valid('user'), 'user').required(),
    _id: anyString,
    _rev: revisionSchema,
    password: anyString,
    totp: totpSettingsSchema,
  }).unknown(),
  'an object with `name`, `roles`, `type`',
);

const configValueSchema = mustBe(Joi.string().allow(''), 'a string', { reason: 'a JSON string expected' });

const attachmentSchema = mustBe(
  Joi.object({
    content_type: anyString,
    revpos: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    digest: anyString,
    length: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    stub: anyBoolean,
    follows: anyBoolean,
    data: anyString,
    encoding: anyString,
    encoded_length: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
  }).unknown(),
  'an object',
);

const attachmentsSchema = mustBe(Joi.object().pattern(/^/, attachmentSchema), 'an object', {
  reason: 'Bad special document member: _attachments',
  error: 'doc_validation',
});

const revisionHistorySchema = mustBe(
  Joi.object({
    start: mustBe(
      Joi.number().integer().min(0).max(999999999999999),
      'an integer from 0 to 999999999999999',
      {
        reason: {
          required: "_revisions.start isn't an integer.",
          type: "_revisions.start isn't an integer.",
        },
        error: 'doc_validation',
      },
    ).required(),
    ids: mustBe(
      Joi.array().items(
        mustBe(Joi.string().allow(''), 'a string', {
          reason: "RevId isn't a string",
          error: 'doc_validation',
        }),
      ),
      'an array, each item a string',
      { reason: "_revisions.ids isn't a array.", error: 'doc_validation' },
    ).required(),
  }).unknown(),
  'an object with `start`, `ids`',
  { reason: 'Bad special document member: _revisions', error: 'doc_validation' },
);

const documentInputSchema = mustBe(
  Joi.object({
    _id: mustBe(Joi.string().allow(''), 'a string', {
      reason: 'Document id must be a string',
      error: 'illegal_docid',
    }),
    _rev: sentRevisionSchema,
    _deleted: mustBe(Joi.boolean(), 'true or false', {
      reason: 'Bad special document member: _deleted',
      error: 'doc_validation',
    }),
    _attachments: attachmentsSchema,
    _revisions: revisionHistorySchema,
  }).unknown(),
  'an object',
  { reason: 'Document must be a JSON object' },
);

const noInputSchema = mustBe(Joi.any(), 'a JSON value');

const changesRequestSchema = mustBe(
  Joi.object({
    doc_ids: mustBe(Joi.array().items(anyString), 'an array, each item a string', {
      reason: '`doc_ids` filter parameter is not a list of doc ids.',
    }),
    selector: mustBe(Joi.object().unknown(), 'an object', {
      reason: 'Selector error: expected a JSON object',
    }),
  }).unknown(),
  'an object',
  { reason: 'Request body must be a JSON object' },
);

const allDocsRequestSchema = mustBe(
  Joi.object({
    keys: mustBe(Joi.array().items(mustBe(Joi.any(), 'a JSON value')), 'an array, each item a JSON value', {
      reason: '`keys` body member must be an array.',
    }),
    key: anyString,
    startkey: anyString,
    start_key: anyString,
    endkey: anyString,
    end_key: anyString,
    inclusive_end: anyBoolean,
    descending: anyBoolean,
    limit: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    skip: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    include_docs: anyBoolean,
    conflicts: anyBoolean,
    attachments: anyBoolean,
    att_encoding_info: anyBoolean,
    update_seq: anyBoolean,
  }).unknown(),
  'an object',
  { reason: 'Request body must be a JSON object' },
);

const allDocsQueriesRequestSchema = mustBe(
  Joi.object({
    queries: mustBe(Joi.array().items(allDocsRequestSchema), 'an array, each item an object', {
      reason: {
        required: 'POST body must include `queries` parameter.',
        type: '`queries` member must be an array.',
      },
    }).required(),
  }).unknown(),
  'an object with `queries`',
  { reason: 'Request body must be a JSON object' },
);

const bulkDocsRequestSchema = mustBe(
  Joi.object({
    docs: mustBe(Joi.array().items(documentInputSchema), 'an array, each item an object', {
      reason: {
        required: 'POST body must include `docs` parameter.',
        type: '`docs` parameter must be an array.',
      },
    }).required(),
    new_edits: mustBe(Joi.boolean(), 'true or false', {
      reason: '`new_edits` parameter must be a boolean.',
    }).default(true),
    all_or_nothing: mustBe(Joi.any(), 'a JSON value'),
  }).unknown(),
  'an object with `docs`',
  { reason: 'Request body must be a JSON object' },
);

const bulkGetItemSchema = mustBe(
  Joi.object({
    id: anyString.required(),
    rev: sentRevisionSchema,
    atts_since: mustBe(
      Joi.array().items(sentRevisionSchema),
      'an array, each item a string of the form <n>-<hash>',
    ),
  }).unknown(),
  'an object with `id`',
);

const bulkGetRequestSchema = mustBe(
  Joi.object({
    docs: mustBe(Joi.array().items(bulkGetItemSchema), 'an array, each item an object with `id`', {
      reason: { required: "Missing JSON list of 'docs'." },
    }).required(),
  }).unknown(),
  'an object with `docs`',
  { reason: 'Request body must be a JSON object' },
);

const revsDiffRequestSchema = mustBe(
  Joi.object().pattern(
    /^/,
    mustBe(Joi.array().items(sentRevisionSchema), 'an array, each item a string of the form <n>-<hash>'),
  ),
  'an object',
  { reason: 'Request body must be a JSON object' },
);

const securityGroupSchema = mustBe(
  Joi.object({
    names: mustBe(Joi.array().items(anyString), 'an array, each item a string'),
    roles: mustBe(Joi.array().items(anyString), 'an array, each item a string'),
  }).unknown(),
  'an object',
);

const securitySchema = mustBe(
  Joi.object({
    admins: securityGroupSchema,
    members: securityGroupSchema,
    readers: securityGroupSchema,
  }).unknown(),
  'an object',
);

const revsLimitSchema = mustBe(Joi.number().integer().min(1), 'an integer of 1 or more');

const listDescendingParameter = anyBoolean.label('query parameter `descending`').default(false);
const startKeyParameter = mustBe(json(Joi.string().allow('')), 'a string, written as JSON').label(
  'query parameter `startkey`',
);
const startKeyAliasParameter = mustBe(json(Joi.string().allow('')), 'a string, written as JSON').label(
  'query parameter `start_key`',
);
const endKeyParameter = mustBe(json(Joi.string().allow('')), 'a string, written as JSON').label(
  'query parameter `endkey`',
);
const endKeyAliasParameter = mustBe(json(Joi.string().allow('')), 'a string, written as JSON').label(
  'query parameter `end_key`',
);
const listLimitParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more').label(
  'query parameter `limit`',
);
const skipParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more')
  .label('query parameter `skip`')
  .default(0);
const bodyEncodingParameter = anyString.label('header `Content-Encoding`');
const usernameParameter = anyString.label('path parameter `username`').required();
const revParameter = mustBe(
  Joi.string().pattern(/^(0|[1-9][0-9]{0,14})-([!#-~]{0,31}|[0-9A-Fa-f]{32}|[!#-~]{33,256})$/u),
  'a string of the form <n>-<hash>',
  { reason: 'Invalid rev format' },
).label('query parameter `rev`');
const revsParameter = anyBoolean.label('query parameter `revs`').default(false);
const revsInfoParameter = anyBoolean.label('query parameter `revs_info`').default(false);
const openRevsParameter = mustBe(
  json(Joi.alternatives(Joi.valid('all'), Joi.array().items(sentRevisionSchema)), ['all']),
  'all or an array, each item a string of the form <n>-<hash>, written as JSON',
).label('query parameter `open_revs`');
const documentConflictsParameter = anyBoolean.label('query parameter `conflicts`').default(false);
const deletedConflictsParameter = anyBoolean.label('query parameter `deleted_conflicts`').default(false);
const localSeqParameter = anyBoolean.label('query parameter `local_seq`').default(false);
const metaParameter = anyBoolean.label('query parameter `meta`').default(false);
const latestParameter = anyBoolean.label('query parameter `latest`').default(false);
const documentAttachmentsParameter = anyBoolean.label('query parameter `attachments`').default(false);
const documentAttEncodingInfoParameter = anyBoolean
  .label('query parameter `att_encoding_info`')
  .default(false);
const attsSinceParameter = mustBe(
  json(Joi.array().items(sentRevisionSchema)),
  'an array, each item a string of the form <n>-<hash>, written as JSON',
).label('query parameter `atts_since`');
const ifNoneMatchParameter = anyString.label('header `If-None-Match`');
const newEditsParameter = anyBoolean.label('query parameter `new_edits`').default(true);
const ifMatchParameter = anyString.label('header `If-Match`');
const batchParameter = mustBe(Joi.valid('ok'), 'ok').label('query parameter `batch`');
const nodeParameter = anyString.label('path parameter `node`').required();
const sectionParameter = anyString.label('path parameter `section`').required();
const configKeyParameter = anyString.label('path parameter `key`').required();
const dbParameter = anyString.label('path parameter `db`').required();
const docIdsParameter = mustBe(
  json(Joi.array().items(anyString)),
  'an array, each item a string, written as JSON',
).label('query parameter `doc_ids`');
const conflictsParameter = anyBoolean.label('query parameter `conflicts`').default(false);
const descendingParameter = anyBoolean.label('query parameter `descending`').default(false);
const feedParameter = mustBe(
  Joi.valid('normal', 'longpoll', 'continuous', 'eventsource'),
  'normal, longpoll, continuous or eventsource',
)
  .label('query parameter `feed`')
  .default('normal');
const filterParameter = mustBe(
  Joi.string().pattern(/^(_[^/]+|[^/]+\/[\s\S]+)$/u),
  'a string of the form ^(_[^/]+|[^/]+/[\\s\\S]+)$',
  { reason: '`filter` must be of the form `designname/filtername`' },
).label('query parameter `filter`');
const heartbeatParameter = mustBe(
  Joi.alternatives(Joi.boolean().valid(true), Joi.number().integer().min(1)),
  'true or an integer of 1 or more',
  {
    reason: {
      type: 'Invalid heartbeat value. Expecting a positive integer value (in milliseconds).',
      minimum: 'The heartbeat value should be a positive integer (in milliseconds).',
    },
  },
).label('query parameter `heartbeat`');
const includeDocsParameter = anyBoolean.label('query parameter `include_docs`').default(false);
const includeAttachmentsParameter = anyBoolean.label('query parameter `attachments`').default(false);
const attEncodingInfoParameter = anyBoolean.label('query parameter `att_encoding_info`').default(false);
const lastEventIdParameter = mustBe(Joi.string().allow(''), 'a number or a string').label(
  'query parameter `last-event-id`',
);
const limitParameter = mustBe(Joi.number().integer().min(-1), 'an integer of -1 or more').label(
  'query parameter `limit`',
);
const sinceParameter = anyString.label('query parameter `since`').default('0');
const styleParameter = mustBe(Joi.valid('main_only', 'all_docs'), 'main_only or all_docs')
  .label('query parameter `style`')
  .default('main_only');
const timeoutParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more').label(
  'query parameter `timeout`',
);
const viewParameter = mustBe(
  Joi.string().pattern(/^[^/]+\/[\s\S]+$/u),
  'a string of the form ^[^/]+/[\\s\\S]+$',
  { reason: '`view` must be of the form `designname/viewname`' },
).label('query parameter `view`');
const seqIntervalParameter = mustBe(Joi.number().integer().min(1), 'an integer of 1 or more', {
  reason: 'invalid_seq_interval',
}).label('query parameter `seq_interval`');
const acceptParameter = anyString.label('header `Accept`');
const lastEventIdHeaderParameter = anyString.label('header `Last-Event-ID`');
const listIncludeDocsParameter = anyBoolean.label('query parameter `include_docs`').default(false);
const keyParameter = mustBe(json(Joi.string().allow('')), 'a string, written as JSON').label(
  'query parameter `key`',
);
const keysParameter = mustBe(
  json(Joi.array().items(mustBe(Joi.any(), 'a JSON value'))),
  'an array, each item a JSON value, written as JSON',
).label('query parameter `keys`');
const inclusiveEndParameter = anyBoolean.label('query parameter `inclusive_end`').default(true);
const updateSeqParameter = anyBoolean.label('query parameter `update_seq`').default(false);
const writeQuorumParameter = mustBe(Joi.number().integer().min(1), 'an integer of 1 or more').label(
  'query parameter `w`',
);
const designDocNameParameter = anyString.label('path parameter `ddoc`').required();
const localDocIdParameter = anyString.label('path parameter `docid`').required();
const docIdParameter = anyString.label('path parameter `docid`').required();
const refererParameter = mustBe(Joi.string().allow(''), 'a string', {
  reason: { required: 'Referer header required.' },
})
  .label('header `Referer`')
  .required();
const attachmentNameParameter = anyString.label('path parameter `attname`').required();
const rangeParameter = anyString.label('header `Range`');
const ifRangeParameter = anyString.label('header `If-Range`');

/** Read the greeting */
export const getRoot = {} satisfies OperationValidators;

/** Check whether the server is ready */
export const getUp = {} satisfies OperationValidators;

/** Generate UUIDs */
export const getUuids = {
  query: Joi.object({
    count: mustBe(Joi.number().integer().min(0).max(1000), 'an integer from 0 to 1000', {
      reason: {
        type: 'count must be a positive integer',
        minimum: 'count must be a positive integer',
        maximum: 'count parameter too large',
      },
    })
      .label('query parameter `count`')
      .default(1),
  }).unknown(),
} satisfies OperationValidators;

/** List the nodes */
export const getMembership = {} satisfies OperationValidators;

/** List the databases */
export const getAllDbs = {
  query: Joi.object({
    descending: listDescendingParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    limit: listLimitParameter,
    skip: skipParameter,
  }).unknown(),
} satisfies OperationValidators;

/** List the databases with their state */
export const getDbsInfo = {
  query: Joi.object({
    descending: listDescendingParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    limit: listLimitParameter,
    skip: skipParameter,
  }).unknown(),
} satisfies OperationValidators;

/** Read the state of some databases */
export const postDbsInfo = {
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: dbsInfoRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read the session */
export const getSession = {} satisfies OperationValidators;

/** Log in */
export const postSession = {
  query: Joi.object({
    next: mustBe(
      Joi.string().pattern(/^\/([!-.0-\[\]-~][!-~]*)?$/u),
      'a string of the form ^/([!-.0-\\[\\]-~][!-~]*)?$',
      { reason: '`next` must be a path that begins with one slash' },
    ).label('query parameter `next`'),
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: credentialsSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Log out */
export const deleteSession = {} satisfies OperationValidators;

/** Read a user */
export const getUser = {
  params: Joi.object({ username: usernameParameter }).unknown(),
  query: Joi.object({
    rev: revParameter,
    revs: revsParameter,
    revs_info: revsInfoParameter,
    open_revs: openRevsParameter,
    conflicts: documentConflictsParameter,
    deleted_conflicts: deletedConflictsParameter,
    local_seq: localSeqParameter,
    meta: metaParameter,
    latest: latestParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    atts_since: attsSinceParameter,
  }).unknown(),
  headers: Joi.object({ 'if-none-match': ifNoneMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Create or change a user */
export const putUser = {
  params: Joi.object({ username: usernameParameter }).unknown(),
  query: Joi.object({ rev: revParameter, new_edits: newEditsParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
  payload: userSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Delete a user */
export const deleteUser = {
  params: Joi.object({ username: usernameParameter }).unknown(),
  query: Joi.object({ rev: revParameter, batch: batchParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Read the settings of a node */
export const getConfig = {
  params: Joi.object({ node: nodeParameter }).unknown(),
} satisfies OperationValidators;

/** Read the configuration files again */
export const reloadConfig = {
  params: Joi.object({ node: nodeParameter }).unknown(),
} satisfies OperationValidators;

/** Read the settings of a section */
export const getConfigSection = {
  params: Joi.object({ node: nodeParameter, section: sectionParameter }).unknown(),
} satisfies OperationValidators;

/** Read a setting */
export const getConfigKey = {
  params: Joi.object({ node: nodeParameter, section: sectionParameter, key: configKeyParameter }).unknown(),
} satisfies OperationValidators;

/** Change a setting */
export const putConfigKey = {
  params: Joi.object({ node: nodeParameter, section: sectionParameter, key: configKeyParameter }).unknown(),
  payload: configValueSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Delete a setting */
export const deleteConfigKey = {
  params: Joi.object({ node: nodeParameter, section: sectionParameter, key: configKeyParameter }).unknown(),
} satisfies OperationValidators;

/** Read information about a database */
export const getDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
} satisfies OperationValidators;

/** Create a document */
export const postDocument = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({ batch: batchParameter }).unknown(),
  payload: documentInputSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Create a database */
export const putDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    q: mustBe(Joi.number().integer().min(1), 'an integer of 1 or more', {
      reason: 'The `q` value should be a positive integer.',
    }).label('query parameter `q`'),
    n: mustBe(Joi.number().integer().min(1), 'an integer of 1 or more', {
      reason: 'The `n` value should be a positive integer.',
    }).label('query parameter `n`'),
    partitioned: mustBe(Joi.boolean(), 'true or false', { reason: 'Invalid `partitioned` parameter' })
      .label('query parameter `partitioned`')
      .default(false),
  }).unknown(),
} satisfies OperationValidators;

/** Delete a database */
export const deleteDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
} satisfies OperationValidators;

/** Compact a database */
export const compactDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: noInputSchema.allow(null).label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Commit a database */
export const commitDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: noInputSchema.allow(null).label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read the changes of a database */
export const getChanges = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    doc_ids: docIdsParameter,
    conflicts: conflictsParameter,
    descending: descendingParameter,
    feed: feedParameter,
    filter: filterParameter,
    heartbeat: heartbeatParameter,
    include_docs: includeDocsParameter,
    attachments: includeAttachmentsParameter,
    att_encoding_info: attEncodingInfoParameter,
    'last-event-id': lastEventIdParameter,
    limit: limitParameter,
    since: sinceParameter,
    style: styleParameter,
    timeout: timeoutParameter,
    view: viewParameter,
    seq_interval: seqIntervalParameter,
  }).unknown(),
  headers: Joi.object({
    accept: acceptParameter,
    'last-event-id': lastEventIdHeaderParameter,
    'if-none-match': ifNoneMatchParameter,
  }).unknown(),
} satisfies OperationValidators;

/** Read the changes of a database with filter input in the body */
export const postChanges = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    doc_ids: docIdsParameter,
    conflicts: conflictsParameter,
    descending: descendingParameter,
    feed: feedParameter,
    filter: filterParameter,
    heartbeat: heartbeatParameter,
    include_docs: includeDocsParameter,
    attachments: includeAttachmentsParameter,
    att_encoding_info: attEncodingInfoParameter,
    'last-event-id': lastEventIdParameter,
    limit: limitParameter,
    since: sinceParameter,
    style: styleParameter,
    timeout: timeoutParameter,
    view: viewParameter,
    seq_interval: seqIntervalParameter,
  }).unknown(),
  headers: Joi.object({
    accept: acceptParameter,
    'last-event-id': lastEventIdHeaderParameter,
    'if-none-match': ifNoneMatchParameter,
    'content-encoding': bodyEncodingParameter,
  }).unknown(),
  payload: changesRequestSchema.allow(null).label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** List the documents */
export const getAllDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
} satisfies OperationValidators;

/** List documents with options in the body */
export const postAllDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** List the design documents */
export const getDesignDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
} satisfies OperationValidators;

/** List the design documents with options in the body */
export const postDesignDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** List the local documents */
export const getLocalDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
  }).unknown(),
} satisfies OperationValidators;

/** List the local documents with options in the body */
export const postLocalDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read several lists of documents */
export const postAllDocsQueries = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsQueriesRequestSchema
    .empty(null)
    .required()
    .label('the request body')
    .prefs({ convert: false }),
} satisfies OperationValidators;

/** Read several lists of design documents */
export const postDesignDocsQueries = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    conflicts: documentConflictsParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
    update_seq: updateSeqParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsQueriesRequestSchema
    .empty(null)
    .required()
    .label('the request body')
    .prefs({ convert: false }),
} satisfies OperationValidators;

/** Read several lists of local documents */
export const postLocalDocsQueries = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    include_docs: listIncludeDocsParameter,
    descending: listDescendingParameter,
    key: keyParameter,
    keys: keysParameter,
    startkey: startKeyParameter,
    start_key: startKeyAliasParameter,
    endkey: endKeyParameter,
    end_key: endKeyAliasParameter,
    inclusive_end: inclusiveEndParameter,
    limit: listLimitParameter,
    skip: skipParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: allDocsQueriesRequestSchema
    .empty(null)
    .required()
    .label('the request body')
    .prefs({ convert: false }),
} satisfies OperationValidators;

/** Write many documents */
export const bulkDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({ w: writeQuorumParameter }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: bulkDocsRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read many documents */
export const bulkGet = {
  params: Joi.object({ db: dbParameter }).unknown(),
  query: Joi.object({
    revs: revsParameter,
    latest: latestParameter,
    attachments: documentAttachmentsParameter,
  }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: bulkGetRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Find missing revisions */
export const revsDiff = {
  params: Joi.object({ db: dbParameter }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: revsDiffRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** List missing revisions */
export const missingRevs = {
  params: Joi.object({ db: dbParameter }).unknown(),
  headers: Joi.object({ 'content-encoding': bodyEncodingParameter }).unknown(),
  payload: revsDiffRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read the security object of a database */
export const getSecurity = {
  params: Joi.object({ db: dbParameter }).unknown(),
} satisfies OperationValidators;

/** Replace the security object of a database */
export const putSecurity = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: securitySchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read the limit of revisions */
export const getRevsLimit = {
  params: Joi.object({ db: dbParameter }).unknown(),
} satisfies OperationValidators;

/** Change the limit of revisions */
export const putRevsLimit = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: revsLimitSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read a design document */
export const getDesignDocument = {
  params: Joi.object({ db: dbParameter, ddoc: designDocNameParameter }).unknown(),
  query: Joi.object({
    rev: revParameter,
    revs: revsParameter,
    revs_info: revsInfoParameter,
    open_revs: openRevsParameter,
    conflicts: documentConflictsParameter,
    deleted_conflicts: deletedConflictsParameter,
    local_seq: localSeqParameter,
    meta: metaParameter,
    latest: latestParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    atts_since: attsSinceParameter,
  }).unknown(),
  headers: Joi.object({ 'if-none-match': ifNoneMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Write a design document */
export const putDesignDocument = {
  params: Joi.object({ db: dbParameter, ddoc: designDocNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter, new_edits: newEditsParameter, batch: batchParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
  payload: documentInputSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Delete a design document */
export const deleteDesignDocument = {
  params: Joi.object({ db: dbParameter, ddoc: designDocNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter, batch: batchParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Read a local document */
export const getLocalDocument = {
  params: Joi.object({ db: dbParameter, docid: localDocIdParameter }).unknown(),
} satisfies OperationValidators;

/** Write a local document */
export const putLocalDocument = {
  params: Joi.object({ db: dbParameter, docid: localDocIdParameter }).unknown(),
  payload: documentInputSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Delete a local document */
export const deleteLocalDocument = {
  params: Joi.object({ db: dbParameter, docid: localDocIdParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
} satisfies OperationValidators;

/** Read a document */
export const getDocument = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter }).unknown(),
  query: Joi.object({
    rev: revParameter,
    revs: revsParameter,
    revs_info: revsInfoParameter,
    open_revs: openRevsParameter,
    conflicts: documentConflictsParameter,
    deleted_conflicts: deletedConflictsParameter,
    local_seq: localSeqParameter,
    meta: metaParameter,
    latest: latestParameter,
    attachments: documentAttachmentsParameter,
    att_encoding_info: documentAttEncodingInfoParameter,
    atts_since: attsSinceParameter,
  }).unknown(),
  headers: Joi.object({ 'if-none-match': ifNoneMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Write a document with the form of a page */
export const postDocumentForm = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter }).unknown(),
  headers: Joi.object({ referer: refererParameter }).unknown(),
} satisfies OperationValidators;

/** Write a document */
export const putDocument = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter }).unknown(),
  query: Joi.object({ rev: revParameter, new_edits: newEditsParameter, batch: batchParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
  payload: documentInputSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Delete a document */
export const deleteDocument = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter }).unknown(),
  query: Joi.object({ rev: revParameter, batch: batchParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Read an attachment */
export const getAttachment = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter, attname: attachmentNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
  headers: Joi.object({
    'if-none-match': ifNoneMatchParameter,
    range: rangeParameter,
    'if-range': ifRangeParameter,
  }).unknown(),
} satisfies OperationValidators;

/** Write an attachment */
export const putAttachment = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter, attname: attachmentNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Delete an attachment */
export const deleteAttachment = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter, attname: attachmentNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;
