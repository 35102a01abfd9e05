/** What each operation accepts: joi validators for hapi. Generated from openapi/ by `npm run generate`. */
import Joi from 'joi';

export interface OperationValidators {
  params?: Joi.Schema;
  query?: Joi.Schema;
  headers?: Joi.Schema;
  payload?: Joi.Schema;
}

/** Has every error of the schema say which value is wrong and what would be right. */
function mustBe<S extends Joi.Schema>(schema: S, wanted: string): S {
  return schema.error((reports) => {
    for (const report of reports) {
      // Parts of the value that have a schema of their own have said it already.
      if (report.message) continue;
      const name = (report.flags.label as string | undefined) ?? `\`${report.local.label}\``;
      report.message =
        report.code === 'object.unknown'
          ? `${name} is not known here`
          : `${name} is ${inWords(report.value)}; it must be ${wanted}`;
    }
    return reports;
  }) as S;
}

function inWords(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** The value of a parameter that is sent as JSON, or as one of the words, which need no quotes. */
const json = (schema: Joi.Schema, words: string[] = []) =>
  Joi.string().custom((text: string): unknown => {
    const value: unknown = words.includes(text) ? text : JSON.parse(text);
    return Joi.attempt(value, schema, { convert: false });
  });

const credentialsSchema = mustBe(
  Joi.object({
    name: mustBe(Joi.string().allow(''), 'a string'),
    username: mustBe(Joi.string().allow(''), 'a string'),
    password: mustBe(Joi.string().allow(''), 'a string'),
    token: mustBe(Joi.string().allow(''), 'a string'),
  })
    .unknown()
    .or('name', 'username'),
  'an object with `name` or `username`',
);

const revisionSchema = mustBe(Joi.string().pattern(/^[0-9]+-.+$/u), 'a string of the form ^[0-9]+-.+$');

const rolesSchema = mustBe(
  Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
  'an array, each item a string',
);

const totpSettingsSchema = mustBe(
  Joi.object({
    key: mustBe(Joi.string().pattern(/^[A-Z2-7]+=*$/u), 'a string of the form ^[A-Z2-7]+=*$').required(),
  }).unknown(),
  'an object with `key`',
);

const userSchema = mustBe(
  Joi.object({
    _id: mustBe(Joi.string().allow(''), 'a string'),
    _rev: revisionSchema,
    name: mustBe(Joi.string().allow(''), 'a string').required(),
    password: mustBe(Joi.string().allow(''), 'a string'),
    roles: rolesSchema.required(),
    type: mustBe(Joi.valid('user'), 'user').required(),
    totp: totpSettingsSchema,
  }).unknown(),
  'an object with `name`, `roles`, `type`',
);

const configValueSchema = mustBe(Joi.string().allow(''), 'a string');

const attachmentSchema = mustBe(
  Joi.object({
    content_type: mustBe(Joi.string().allow(''), 'a string'),
    revpos: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    digest: mustBe(Joi.string().allow(''), 'a string'),
    length: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
    stub: mustBe(Joi.boolean().sensitive(), 'true or false'),
    follows: mustBe(Joi.boolean().sensitive(), 'true or false'),
    data: mustBe(Joi.string().allow(''), 'a string'),
    encoding: mustBe(Joi.string().allow(''), 'a string'),
    encoded_length: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more'),
  }).unknown(),
  'an object',
);

const attachmentsSchema = mustBe(Joi.object().pattern(/^/, attachmentSchema), 'an object');

const revisionHistorySchema = mustBe(
  Joi.object({
    start: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more').required(),
    ids: mustBe(
      Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
      'an array, each item a string',
    ).required(),
  }).unknown(),
  'an object with `start`, `ids`',
);

const documentInputSchema = mustBe(
  Joi.object({
    _id: mustBe(Joi.string().allow(''), 'a string'),
    _rev: revisionSchema,
    _deleted: mustBe(Joi.boolean().sensitive(), 'true or false'),
    _attachments: attachmentsSchema,
    _revisions: revisionHistorySchema,
  }).unknown(),
  'an object',
);

const changesRequestSchema = mustBe(
  Joi.object({
    doc_ids: mustBe(
      Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
      'an array, each item a string',
    ),
    selector: mustBe(Joi.object().unknown(), 'an object'),
  }).unknown(),
  'an object',
);

const allDocsRequestSchema = mustBe(
  Joi.object({
    keys: mustBe(
      Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
      'an array, each item a string',
    ),
  }).unknown(),
  'an object',
);

const bulkDocsRequestSchema = mustBe(
  Joi.object({
    docs: mustBe(Joi.array().items(documentInputSchema), 'an array, each item an object').required(),
    new_edits: mustBe(Joi.boolean().sensitive(), 'true or false').default(true),
  }).unknown(),
  'an object with `docs`',
);

const bulkGetItemSchema = mustBe(
  Joi.object({
    id: mustBe(Joi.string().allow(''), 'a string').required(),
    rev: revisionSchema,
    atts_since: mustBe(
      Joi.array().items(revisionSchema),
      'an array, each item a string of the form ^[0-9]+-.+$',
    ),
  }).unknown(),
  'an object with `id`',
);

const bulkGetRequestSchema = mustBe(
  Joi.object({
    docs: mustBe(Joi.array().items(bulkGetItemSchema), 'an array, each item an object with `id`').required(),
  }).unknown(),
  'an object with `docs`',
);

const revsDiffRequestSchema = mustBe(
  Joi.object().pattern(
    /^/,
    mustBe(Joi.array().items(revisionSchema), 'an array, each item a string of the form ^[0-9]+-.+$'),
  ),
  'an object',
);

const securityGroupSchema = mustBe(
  Joi.object({
    names: mustBe(
      Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
      'an array, each item a string',
    ),
    roles: mustBe(
      Joi.array().items(mustBe(Joi.string().allow(''), 'a string')),
      'an array, each item a string',
    ),
  }).unknown(),
  'an object',
);

const securitySchema = mustBe(
  Joi.object({ admins: securityGroupSchema, members: securityGroupSchema }).unknown(),
  'an object',
);

const listDescendingParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `descending`')
  .default(false);

const startKeyParameter = mustBe(json(mustBe(Joi.string().allow(''), 'a string')), 'JSON: a string').label(
  'query parameter `startkey`',
);

const startKeyAliasParameter = mustBe(
  json(mustBe(Joi.string().allow(''), 'a string')),
  'JSON: a string',
).label('query parameter `start_key`');

const endKeyParameter = mustBe(json(mustBe(Joi.string().allow(''), 'a string')), 'JSON: a string').label(
  'query parameter `endkey`',
);

const endKeyAliasParameter = mustBe(json(mustBe(Joi.string().allow(''), 'a string')), 'JSON: a string').label(
  'query parameter `end_key`',
);

const listLimitParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more').label(
  'query parameter `limit`',
);

const skipParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more')
  .label('query parameter `skip`')
  .default(0);

const usernameParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `username`')
  .required();

const revParameter = mustBe(Joi.string().pattern(/^[0-9]+-.+$/u), 'a string of the form ^[0-9]+-.+$').label(
  'query parameter `rev`',
);

const newEditsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `new_edits`')
  .default(true);

const ifMatchParameter = mustBe(Joi.string().allow(''), 'a string').label('header `If-Match`');

const nodeParameter = mustBe(Joi.string().allow(''), 'a string').label('path parameter `node`').required();

const sectionParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `section`')
  .required();

const configKeyParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `key`')
  .required();

const dbParameter = mustBe(Joi.string().allow(''), 'a string').label('path parameter `db`').required();

const batchParameter = mustBe(Joi.valid('ok'), 'ok').label('query parameter `batch`');

const docIdsParameter = mustBe(
  json(mustBe(Joi.array().items(mustBe(Joi.string().allow(''), 'a string')), 'an array, each item a string')),
  'JSON: an array, each item a string',
).label('query parameter `doc_ids`');

const conflictsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `conflicts`')
  .default(false);

const descendingParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `descending`')
  .default(false);

const feedParameter = mustBe(
  Joi.valid('normal', 'longpoll', 'continuous', 'eventsource'),
  'normal, longpoll, continuous or eventsource',
)
  .label('query parameter `feed`')
  .default('normal');

const filterParameter = mustBe(
  Joi.string().pattern(/^(_doc_ids|_selector|_design|_view|[^/]+\/.+)$/u),
  'a string of the form ^(_doc_ids|_selector|_design|_view|[^/]+/.+)$',
).label('query parameter `filter`');

const heartbeatParameter = mustBe(
  Joi.alternatives(Joi.boolean().sensitive().valid(true), Joi.number().integer().min(1)),
  'true or an integer of 1 or more',
).label('query parameter `heartbeat`');

const includeDocsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `include_docs`')
  .default(false);

const attachmentsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `attachments`')
  .default(false);

const attEncodingInfoParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `att_encoding_info`')
  .default(false);

const lastEventIdParameter = mustBe(Joi.string().allow(''), 'a number or a string').label(
  'query parameter `last-event-id`',
);

const limitParameter = mustBe(Joi.number().integer().min(-1), 'an integer of -1 or more').label(
  'query parameter `limit`',
);

const sinceParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('query parameter `since`')
  .default('0');

const styleParameter = mustBe(Joi.valid('main_only', 'all_docs'), 'main_only or all_docs')
  .label('query parameter `style`')
  .default('main_only');

const timeoutParameter = mustBe(Joi.number().integer().min(0), 'an integer of 0 or more').label(
  'query parameter `timeout`',
);

const viewParameter = mustBe(Joi.string().pattern(/^[^/]+\/.+$/u), 'a string of the form ^[^/]+/.+$').label(
  'query parameter `view`',
);

const seqIntervalParameter = mustBe(Joi.number().integer().min(1), 'an integer of 1 or more').label(
  'query parameter `seq_interval`',
);

const acceptParameter = mustBe(Joi.string().allow(''), 'a string').label('header `Accept`');

const lastEventIdHeaderParameter = mustBe(Joi.string().allow(''), 'a string').label('header `Last-Event-ID`');

const ifNoneMatchParameter = mustBe(Joi.string().allow(''), 'a string').label('header `If-None-Match`');

const listIncludeDocsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `include_docs`')
  .default(false);

const documentConflictsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `conflicts`')
  .default(false);

const documentAttachmentsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `attachments`')
  .default(false);

const documentAttEncodingInfoParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `att_encoding_info`')
  .default(false);

const keyParameter = mustBe(json(mustBe(Joi.string().allow(''), 'a string')), 'JSON: a string').label(
  'query parameter `key`',
);

const keysParameter = mustBe(
  json(mustBe(Joi.array().items(mustBe(Joi.string().allow(''), 'a string')), 'an array, each item a string')),
  'JSON: an array, each item a string',
).label('query parameter `keys`');

const inclusiveEndParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `inclusive_end`')
  .default(true);

const updateSeqParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `update_seq`')
  .default(false);

const revsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `revs`')
  .default(false);

const latestParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `latest`')
  .default(false);

const designDocNameParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `ddoc`')
  .required();

const revsInfoParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `revs_info`')
  .default(false);

const openRevsParameter = mustBe(
  json(
    mustBe(
      Joi.alternatives(Joi.valid('all'), Joi.array().items(revisionSchema)),
      'all or an array, each item a string of the form ^[0-9]+-.+$',
    ),
    ['all'],
  ),
  'JSON: all or an array, each item a string of the form ^[0-9]+-.+$',
).label('query parameter `open_revs`');

const deletedConflictsParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `deleted_conflicts`')
  .default(false);

const localSeqParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `local_seq`')
  .default(false);

const metaParameter = mustBe(Joi.boolean().sensitive(), 'true or false')
  .label('query parameter `meta`')
  .default(false);

const attsSinceParameter = mustBe(
  json(mustBe(Joi.array().items(revisionSchema), 'an array, each item a string of the form ^[0-9]+-.+$')),
  'JSON: an array, each item a string of the form ^[0-9]+-.+$',
).label('query parameter `atts_since`');

const localDocIdParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `docid`')
  .required();

const docIdParameter = mustBe(Joi.string().allow(''), 'a string').label('path parameter `docid`').required();

const attachmentNameParameter = mustBe(Joi.string().allow(''), 'a string')
  .label('path parameter `attname`')
  .required();

const rangeParameter = mustBe(Joi.string().allow(''), 'a string').label('header `Range`');

/** Greet */
export const getRoot = {} satisfies OperationValidators;

/** Ask whether the server takes requests */
export const getUp = {} satisfies OperationValidators;

/** Make identifiers */
export const getUuids = {
  query: Joi.object({
    count: mustBe(Joi.number().integer().min(0), 'an integer of 0 or more')
      .label('query parameter `count`')
      .default(1),
  }).unknown(),
} satisfies OperationValidators;

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

/** Ask who the caller is */
export const getSession = {} satisfies OperationValidators;

/** Log in */
export const postSession = {
  query: Joi.object({
    next: mustBe(Joi.string().allow(''), 'a string').label('query parameter `next`'),
  }).unknown(),
  payload: credentialsSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Log out */
export const deleteSession = {} satisfies OperationValidators;

/** Create or change a user */
export const putUser = {
  params: Joi.object({ username: usernameParameter }).unknown(),
  query: Joi.object({ rev: revParameter, new_edits: newEditsParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
  payload: userSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read the settings of a node */
export const getConfig = {
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

/** Remove a setting */
export const deleteConfigKey = {
  params: Joi.object({ node: nodeParameter, section: sectionParameter, key: configKeyParameter }).unknown(),
} satisfies OperationValidators;

/** Read the facts about a database */
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
    q: mustBe(Joi.number().integer().min(1), 'an integer of 1 or more').label('query parameter `q`'),
    n: mustBe(Joi.number().integer().min(1), 'an integer of 1 or more').label('query parameter `n`'),
    partitioned: mustBe(Joi.boolean().sensitive(), 'true or false')
      .label('query parameter `partitioned`')
      .default(false),
  }).unknown(),
} satisfies OperationValidators;

/** Delete a database */
export const deleteDatabase = {
  params: Joi.object({ db: dbParameter }).unknown(),
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
    attachments: attachmentsParameter,
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

/** Read the changes of a database, with a body */
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
    attachments: attachmentsParameter,
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
  payload: changesRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
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

/** List documents, with the identifiers in the body */
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
  payload: allDocsRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Write many documents */
export const bulkDocs = {
  params: Joi.object({ db: dbParameter }).unknown(),
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
  payload: bulkGetRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Ask which revisions are missing */
export const revsDiff = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: revsDiffRequestSchema.empty(null).required().label('the request body').prefs({ convert: false }),
} satisfies OperationValidators;

/** Read who may use a database */
export const getSecurity = {
  params: Joi.object({ db: dbParameter }).unknown(),
} satisfies OperationValidators;

/** Say who may use a database */
export const putSecurity = {
  params: Joi.object({ db: dbParameter }).unknown(),
  payload: securitySchema.empty(null).required().label('the request body').prefs({ convert: false }),
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
  headers: Joi.object({ 'if-none-match': ifNoneMatchParameter, range: rangeParameter }).unknown(),
} satisfies OperationValidators;

/** Write an attachment */
export const putAttachment = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter, attname: attachmentNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;

/** Remove an attachment */
export const deleteAttachment = {
  params: Joi.object({ db: dbParameter, docid: docIdParameter, attname: attachmentNameParameter }).unknown(),
  query: Joi.object({ rev: revParameter }).unknown(),
  headers: Joi.object({ 'if-match': ifMatchParameter }).unknown(),
} satisfies OperationValidators;
