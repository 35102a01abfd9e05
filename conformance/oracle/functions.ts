/**
 * Filter and map functions of a design document, each in two forms: the source that a server runs, and an equivalent
 * for the model. Apart from `Array.isArray` the sources are ECMAScript 3, so that old and new engines behave the same.
 * They ignore fields that they do not use.
 */
import type { DocumentHistory } from './history.js';
import type { Body } from './revisions.js';

/** The part of a document that the functions use. Each document also has `_revisions`, which begins with its own revision. */
export type FunctionInput = Body & {
  readonly _id: string;
  readonly _deleted?: boolean;
  /** Stubs by name. */
  readonly _attachments?: object;
};

/** The query parameters of the request, which only filter functions receive. */
export type RequestParameters = Readonly<Record<string, string>>;

interface ModelledFunction {
  readonly source: string;
  passes(document: FunctionInput, parameters: RequestParameters): boolean;
}

const isDeleted = ({ _deleted: deleted }: FunctionInput): boolean => deleted === true;
const hasAttachment = ({ _attachments: stubs }: FunctionInput): boolean => stubs !== undefined;
const isDesign = ({ _id: id }: FunctionInput): boolean => id.startsWith('_design/');

/** Filter functions by name. */
export const filterFunctions = {
  typed: {
    source: `function (doc, req) { return doc.type === 'a'; }`,
    passes: ({ type }) => type === 'a',
  },
  wanted: {
    source: `function (doc, req) { return doc.type === req.query.wanted; }`,
    passes: ({ type }, { wanted }) => type === wanted,
  },
  atLeast: {
    source: `function (doc, req) {
  if (typeof doc.value !== 'number') { return false; }
  return doc.value >= parseInt(req.query.least, 10);
}`,
    passes: ({ value }, { least }) => typeof value === 'number' && value >= Number(least),
  },
  sameText: {
    source: `function (doc, req) {
  return typeof doc.value === 'number' && String(doc.value) === req.query.least;
}`,
    passes: ({ value }, { least }) => typeof value === 'number' && String(value) === least,
  },
  texts: {
    // CouchDB parses only parameters with a meaning of its own, such as `descending` and `key`.
    source: `function (doc, req) {
  var query = req.query;
  return typeof query.least === 'string' && typeof query.json === 'string' && typeof query.flag === 'string';
}`,
    passes: (_document, { least, json, flag }) =>
      least !== undefined && json !== undefined && flag !== undefined,
  },
  tagged: {
    source: `function (doc, req) {
  var i;
  if (Array.isArray(doc.tags)) {
    for (i = 0; i < doc.tags.length; i++) {
      if (doc.tags[i] === 'red') { return true; }
    }
  }
  return false;
}`,
    passes: ({ tags }) => Array.isArray(tags) && tags.includes('red'),
  },
  design: {
    source: `function (doc, req) { return doc._id.indexOf('_design/') === 0; }`,
    passes: isDesign,
  },
  deleted: {
    source: `function (doc, req) { return doc._deleted ? true : false; }`,
    passes: isDeleted,
  },
  attached: {
    source: `function (doc, req) {
  var name;
  for (name in doc._attachments || {}) { return true; }
  return false;
}`,
    passes: hasAttachment,
  },
  traced: {
    source: `function (doc, req) {
  var known = doc._revisions;
  return known ? doc._rev === known.start + '-' + known.ids[0] : false;
}`,
    passes: () => true,
  },
  nothing: {
    source: `function (doc, req) { return false; }`,
    passes: () => false,
  },
  everything: {
    source: `function (doc, req) { return true; }`,
    passes: () => true,
  },
  'größer als': {
    source: `function (doc, req) { return typeof doc.value === 'number' && doc.value > 2; }`,
    passes: ({ value }) => typeof value === 'number' && value > 2,
  },
} satisfies Record<string, ModelledFunction>;

/** Map functions by view name; `passes` says whether the function emits a row. */
export const mapFunctions = {
  typed: {
    source: `function (doc) { if (doc.type === 'a') { emit(doc._id, doc.value); } }`,
    passes: ({ type }) => type === 'a',
  },
  twice: {
    source: `function (doc) {
  if (doc.type === 'a') { emit('first', null); }
  if (doc.type === 'a') { emit('second', null); }
}`,
    passes: ({ type }) => type === 'a',
  },
  bare: {
    source: `function (doc) { if (typeof doc.value === 'number') { emit(null, null); } }`,
    passes: ({ value }) => typeof value === 'number',
  },
  tags: {
    source: `function (doc) {
  var i;
  if (Array.isArray(doc.tags)) {
    for (i = 0; i < doc.tags.length; i++) { emit(doc.tags[i], 1); }
  }
}`,
    passes: ({ tags }) => Array.isArray(tags) && tags.length > 0,
  },
  design: {
    source: `function (doc) { if (doc._id.indexOf('_design/') === 0) { emit(doc._id, null); } }`,
    passes: isDesign,
  },
  deleted: {
    source: `function (doc) { if (doc._deleted) { emit(doc._id, null); } }`,
    passes: isDeleted,
  },
  attached: {
    source: `function (doc) {
  var name;
  for (name in doc._attachments || {}) { emit(name, null); }
}`,
    passes: hasAttachment,
  },
  all: {
    source: `function (doc) { emit(doc._id, null); }`,
    passes: () => true,
  },
  nothing: {
    source: `function (doc) { }`,
    passes: () => false,
  },
  static: {
    // A map function must see neither the request nor the user, as an argument or as a global variable.
    source: `function (doc, req) {
  var global = (function () { return this; })() || {};
  if (req && (req.query || req.userCtx)) { return; }
  if (global.req || global.query || global.userCtx) { return; }
  emit(doc._id, null);
}`,
    passes: () => true,
  },
} satisfies Record<string, ModelledFunction>;

export type FilterFunction = keyof typeof filterFunctions;
export type MapFunction = keyof typeof mapFunctions;

export const filterFunctionNames = Object.keys(filterFunctions) as FilterFunction[];
export const mapFunctionNames = Object.keys(mapFunctions) as MapFunction[];

/** The name of the design document, as requests use it. */
export const designName = 'docfeed';

/** The functions of a design document, by name. */
interface DesignFunctions {
  readonly filters: readonly FilterFunction[];
  readonly views: readonly MapFunction[];
}

/** The id of the design document. */
export const designId = `_design/${designName}`;

/** Creates the design document with these functions. It is part of the history like any other document. */
export const designDocumentWith = ({ filters, views }: DesignFunctions): DocumentHistory => ({
  id: designId,
  writes: [
    {
      kind: 'put',
      leaf: 0,
      body: {
        language: 'javascript',
        filters: Object.fromEntries(filters.map((name) => [name, filterFunctions[name].source])),
        views: Object.fromEntries(views.map((name) => [name, { map: mapFunctions[name].source }])),
      },
    },
  ],
});

/** Creates the design document with all functions. */
export const designDocumentHistory = designDocumentWith({
  filters: filterFunctionNames,
  views: mapFunctionNames,
});
