/**
 * Functions of design documents whose meaning is known: each stands here twice, as the text that a server runs and as
 * what it means. The texts are ECMAScript 3 but for `Array.isArray`, so that old and new engines read them alike, and
 * make nothing of documents that have other members than they look for.
 */
import type { Life } from './history.js';
import type { Body } from './revisions.js';

/** A document as a function sees it: what is not listed here, no function of these looks at. */
export type SeenDocument = Body & { readonly _id: string };

/** The parameters of the request, which only filter functions see. */
export type RequestParameters = Readonly<Record<string, string>>;

interface Known {
  readonly source: string;
  passes(document: SeenDocument, parameters: RequestParameters): boolean;
}

const isDesign = ({ _id: id }: SeenDocument): boolean => id.startsWith('_design/');

/** By the name of the filter. */
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
  nothing: {
    source: `function (doc, req) { return false; }`,
    passes: () => false,
  },
} satisfies Record<string, Known>;

/** By the name of the view; `passes` says whether the map function emits. */
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
  all: {
    source: `function (doc) { emit(doc._id, null); }`,
    passes: () => true,
  },
} satisfies Record<string, Known>;

export type FilterFunction = keyof typeof filterFunctions;
export type MapFunction = keyof typeof mapFunctions;

/** The name of the design document that has the functions, as requests give it. */
export const functionsOf = 'docfeed';

/** How a database gets the functions: the design document is a document of its history as any other. */
export const functionsLife: Life = {
  id: `_design/${functionsOf}`,
  writes: [
    {
      kind: 'put',
      leaf: 0,
      body: {
        language: 'javascript',
        filters: Object.fromEntries(
          Object.entries(filterFunctions).map(([name, { source }]) => [name, source]),
        ),
        views: Object.fromEntries(
          Object.entries(mapFunctions).map(([name, { source }]) => [name, { map: source }]),
        ),
      },
    },
  ],
};
