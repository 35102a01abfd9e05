/** Filters, and documents that some of them accept and others reject. */
import fc from 'fast-check';
import type { Filter } from '../oracle/filters.js';
import {
  designId,
  filterFunctionNames,
  mapFunctionNames,
  type FilterFunction,
  type RequestParameters,
} from '../oracle/functions.js';
import { newDocument, type Content, type History, type Write } from '../oracle/history.js';
import type { Body } from '../oracle/revisions.js';
import type { Selector } from '../oracle/selector.js';
import { orJoined, replicated, stagedHistories, withMostOf } from './histories.js';
import { designIds, ids, lookalikeIds } from './ids.js';
import { bodies } from './bodies.js';
import { pooled } from './pool.js';

/** Most must be escaped in a URL. */
const types = ['a', 'ä b', 'ü &=+'];
const values = [0, 1, 2, 3, 4];
const tags = ['red', 'blue', 'green'];
const cities = ['oslo', 'rome', 'são paulo'];

const type = fc.constantFrom(...types);
const value = fc.constantFrom(...values);
const tag = fc.constantFrom(...tags);
const city = fc.constantFrom(...cities);

/** Few fields with few values, so that conditions are often met or missed by a small margin. */
const filteredBodies: fc.Arbitrary<Body> = fc.record(
  {
    type,
    value: fc.oneof(
      { weight: 7, arbitrary: value },
      // Equal to a number only for a careless comparison.
      { weight: 2, arbitrary: value.map(String) },
      { weight: 1, arbitrary: fc.constantFrom(null, 2.5, true, [2]) },
    ),
    tags: fc.array(tag, { maxLength: 3 }),
    place: fc.oneof(
      { weight: 4, arbitrary: fc.record({ city, 'zip.code': value }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.constantFrom(null, 'oslo', []) },
    ),
    parts: fc.array(fc.record({ n: value }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

export const selectorBodies: fc.Arbitrary<Body> = fc.oneof(
  { withCrossShrink: true },
  { weight: 9, arbitrary: filteredBodies },
  { weight: 1, arbitrary: bodies },
);

/** Conditions on one field, by the type of its values. */
const comparison = (argument: fc.Arbitrary<unknown>): fc.Arbitrary<Selector> =>
  fc.tuple(fc.constantFrom('$lt', '$lte', '$eq', '$ne', '$gte', '$gt'), argument).map(asMember);

const membership = (argument: fc.Arbitrary<unknown>): fc.Arbitrary<Selector> =>
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.uniqueArray(argument, { minLength: 2, maxLength: 3 }))
    .map(asMember);

const existence: fc.Arbitrary<Selector> = fc.tuple(fc.constant('$exists'), fc.boolean()).map(asMember);

const typeTest: fc.Arbitrary<Selector> = fc
  .tuple(fc.constant('$type'), fc.constantFrom('null', 'boolean', 'number', 'string', 'array', 'object'))
  .map(asMember);

const remainder: fc.Arbitrary<Selector> = fc
  .tuple(fc.integer({ min: 2, max: 3 }), fc.nat({ max: 2 }))
  .map(([divisor, rest]) => ({ $mod: [divisor, rest % divisor] }));

/** Regular expressions with the same meaning in all dialects. */
const expression = (...expressions: string[]): fc.Arbitrary<Selector> =>
  fc.constantFrom(...expressions).map(($regex) => ({ $regex }));

const elements = (condition: fc.Arbitrary<Selector>): fc.Arbitrary<Selector> =>
  fc.tuple(fc.constantFrom('$elemMatch', '$allMatch'), condition).map(asMember);

const size: fc.Arbitrary<Selector> = fc.nat({ max: 3 }).map(($size) => ({ $size }));

function asMember([name, argument]: readonly [string, unknown]): Selector {
  return { [name]: argument };
}

/** Selectors with operators that compare values. */
export const comparing: fc.Arbitrary<Selector> = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(comparison(value), membership(value), value).map((value) => ({ value })) },
  fc.tuple(comparison(value), comparison(value)).map(([one, other]) => ({ value: { ...one, ...other } })),
  { weight: 2, arbitrary: fc.oneof(comparison(type), membership(type), type).map((type) => ({ type })) },
  fc.oneof(comparison(city), city).map((city) => ({ 'place.city': city })),
  fc.oneof(comparison(city), city).map((city) => ({ place: { city } })),
  comparison(value).map((code) => ({ 'place.zip\\.code': code })),
  comparison(fc.array(tag, { maxLength: 2 })).map((tags) => ({ tags })),
);

/** Selectors with operators that inspect the type, existence or structure of a value. */
export const inspecting: fc.Arbitrary<Selector> = fc.oneof(
  fc.oneof(typeTest, existence, remainder).map((value) => ({ value })),
  fc.oneof(existence, expression('^a', 'b$', '^[ab]$')).map((type) => ({ type })),
  fc
    .oneof(
      existence,
      typeTest,
      fc.constantFrom(...cities, 'zip.code', 'city').map(($eq) => ({ $keyMapMatch: { $eq } })),
    )
    .map((place) => ({ place })),
  existence.map((code) => ({ 'place.zip\\.code': code })),
  fc
    .oneof(
      size,
      fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }).map(($all) => ({ $all })),
    )
    .map((tags) => ({ tags })),
  { weight: 2, arbitrary: elements(comparison(tag)).map((tags) => ({ tags })) },
  { weight: 2, arbitrary: elements(comparison(value).map((n) => ({ n }))).map((parts) => ({ parts })) },
  expression('^doc-', '2$', '^_design/').map((_id) => ({ _id })),
);

const conditions = fc.oneof(comparing, inspecting);

/** Selectors that combine conditions. */
export const combining: fc.Arbitrary<Selector> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(conditions, { minLength: 1, maxLength: 3 }))
      .map(asMember),
  },
  conditions.map(($not) => ({ $not })),
  fc.oneof(comparison(value), typeTest).map(($not) => ({ value: { $not } })),
  fc.tuple(conditions, conditions).map(([one, other]) => ({ ...one, ...other })),
  fc.tuple(conditions, conditions, conditions).map(([one, two, three]) => ({
    ...one,
    $or: [two, { $and: [three, { $not: two }] }],
  })),
);

export const selectors: fc.Arbitrary<Selector> = fc.oneof(comparing, inspecting, combining);

/** Query parameters for filter functions. Each function uses some and ignores the others. */
export const parameters: fc.Arbitrary<RequestParameters> = fc.record({
  wanted: type,
  least: value.map(String),
  /** The text of a JSON value, which functions receive as text. */
  json: fc.constantFrom('true', 'false', 'null', '1', '1.50', '"a"', '["a"]', '{}', ''),
  flag: fc.constantFrom('true', 'false', 'null'),
});

export const views: fc.Arbitrary<Filter> = fc
  .constantFrom(...mapFunctionNames)
  .map((view) => ({ kind: 'view', view }));

/** Often accept consecutive changes and deletions, so that a lost change shows. */
export const lenientViews = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Filter>({ kind: 'view', view: 'all' }) },
  { weight: 1, arbitrary: views },
);

const functionsNamed = (name: fc.Arbitrary<FilterFunction>): fc.Arbitrary<Filter> =>
  fc.record({ name, parameters }).map((fields) => ({ kind: 'function', ...fields }));

/** Filter functions that accept documents only if query parameters are strings. */
const typeSensitive: readonly FilterFunction[] = ['sameText', 'texts'];

/** Filter functions whose verdict does not depend on the type of query parameters. */
export const typeInsensitive = filterFunctionNames.filter((name) => !typeSensitive.includes(name));

export const typeSensitiveFunctions = functionsNamed(fc.constantFrom(...typeSensitive));

/** Often one whose verdict depends on query parameters. */
export const functions = functionsNamed(
  fc.oneof(fc.constantFrom<FilterFunction[]>('wanted', 'atLeast'), fc.constantFrom(...typeInsensitive)),
);

/** Often accept consecutive changes, so that a lost change shows. */
export const lenientFunctions = fc.oneof(
  { weight: 3, arbitrary: functionsNamed(fc.constant('everything')) },
  { weight: 1, arbitrary: functions },
);

/** Often accept consecutive changes, so that a lost change shows. */
export const lenientSelectors = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Selector>({ _id: { $exists: true } }) },
  { weight: 2, arbitrary: selectors },
);

export const bySelector = (selector: fc.Arbitrary<Selector>): fc.Arbitrary<Filter> =>
  selector.map((selector) => ({ kind: 'selector', selector }));

/** Filters for which a server must read documents: selectors and, if the target has them, functions and views. */
export const byContent = (hasFunctions: boolean): fc.Arbitrary<Filter> =>
  fc.oneof(bySelector(selectors), ...(hasFunctions ? [functions, views] : []));

/** The members with `_` that filters see tell these documents apart: some are deleted, and some have attachments. */
export function documentsOfEachState({ attachments: areSupported }: { attachments: boolean }): History {
  const attached = {
    body: {},
    ...(areSupported && { attachments: [{ name: 'a.txt', type: 'text/plain', data: 'YQ==' }] }),
  };
  const plain = { body: {} };
  /** Each branch has one revision; the first one wins in CouchDB. */
  const branches = (...contents: readonly (Content & { readonly deleted: boolean })[]): readonly Write[] =>
    contents.map((content, index) => ({
      kind: 'replicate',
      parent: 0,
      hashDigits: [15 - index],
      ...content,
    }));
  const documents: Readonly<Record<string, readonly Write[]>> = {
    plain: [{ kind: 'put', leaf: 0, ...plain }],
    attached: [{ kind: 'put', leaf: 0, ...attached }],
    detached: [
      { kind: 'put', leaf: 0, ...attached },
      { kind: 'put', leaf: 0, ...plain },
    ],
    deleted: [
      { kind: 'put', leaf: 0, ...attached },
      { kind: 'delete', leaf: 0, ...plain },
    ],
    'deleted-branch': branches({ ...attached, deleted: false }, { ...plain, deleted: true }),
    'attached-branch': branches({ ...plain, deleted: false }, { ...attached, deleted: false }),
    'deleted-branches': branches({ ...plain, deleted: true }, { ...plain, deleted: true }),
    '_design/deleted': [
      { kind: 'put', leaf: 0, ...plain },
      { kind: 'delete', leaf: 0, ...plain },
    ],
  };
  return Object.entries(documents).map(([id, writes]) => ({ id, writes }));
}

/** Selectors that the members with `_` decide. */
export const memberSelectors: readonly Selector[] = ['_deleted', '_attachments'].flatMap((member) =>
  [true, false].map(($exists) => ({ [member]: { $exists } })),
);

/** A database and the filters to read it through. Several filters share one history, since writing takes longer than reading. */
export interface Scenario {
  readonly before: History;
  /** Continues `before`; the feed can be read in between. */
  readonly after: History;
  readonly filters: readonly Filter[];
}

const stages = stagedHistories(2, { body: selectorBodies });

const designStages = withMostOf(
  designIds,
  stagedHistories(2, {
    body: selectorBodies,
    id: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...designIds) },
      { weight: 2, arbitrary: lookalikeIds },
      ids,
    ),
  }),
);

export function scenarios(filter: fc.Arbitrary<Filter>, documents = stages): fc.Arbitrary<Scenario> {
  return fc
    .tuple(fc.array(filter, { minLength: 1, maxLength: 5 }), documents)
    .map(([filters, [before, after]]) => ({ before: before!, after: after!, filters }));
}

/** What a careless comparison of ids overlooks. */
const alterations: readonly ((id: string) => string)[] = [
  (id) => id.toUpperCase(),
  (id) => id.toLowerCase(),
  (id) => ` ${id}`,
  (id) => `${id}0`,
  (id) => id.normalize('NFD'),
];

const choices = fc.record({
  /** Whether each document of the history is listed; repeated for longer histories. */
  listed: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
  others: fc.array(ids, { maxLength: 2 }),
  /** Ids that only resemble one of the history that is not listed. */
  similar: fc.array(fc.record({ index: fc.nat({ max: 8 }), change: fc.constantFrom(...alterations) }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** Whether the ids of the history come last, where a server may overlook them. */
  isReversed: fc.boolean(),
});

/** Filters by document ids, some of which do not exist. There is always one: a check of its own sends an empty list. */
export function idsScenarios(documents = stages): fc.Arbitrary<Scenario> {
  return fc
    .tuple(fc.array(choices, { minLength: 1, maxLength: 3 }), documents)
    .map(([choices, [before, after]]) => {
      const documents = [...before!, ...after!].filter(({ id }) => id !== designId);
      const existing = [...new Set(documents.map(({ id }) => id))];
      const filters = choices.map(({ listed, similar, others, isReversed }): Filter => {
        const isChosen = (_: string, index: number): boolean => listed[index % listed.length]!;
        const chosen = existing.filter(isChosen);
        const rest = existing.filter((id, index) => !isChosen(id, index));
        const altered =
          rest.length === 0 ? [] : similar.map(({ index, change }) => change(rest[index % rest.length]!));
        const listedIds = [...new Set([...chosen, ...altered, ...others])];
        if (listedIds.length === 0) return { kind: 'ids', ids: ['nobody'] };
        return { kind: 'ids', ids: isReversed ? listedIds.reverse() : listedIds };
      });
      return { before: before!, after: after!, filters };
    });
}

/** The `_design` filter on databases with many design documents, and with ids that resemble theirs. */
export function designScenarios(documents = designStages): fc.Arbitrary<Scenario> {
  return documents.map(([before, after]) => ({
    before: before!,
    after: after!,
    filters: [{ kind: 'design' }],
  }));
}

/** No document passes. */
const nothing = fc.constant<Selector>({ _id: { $exists: false } });

/** One filter of each kind for the same documents. Shrinking removes filters. */
export function scenariosOfEachKind(hasFunctions: boolean, documents = designStages): fc.Arbitrary<Scenario> {
  const often = (filter: fc.Arbitrary<Filter>) => fc.option(filter, { nil: undefined, freq: 6 });
  return fc
    .tuple(
      fc.tuple(
        often(fc.constant({ kind: 'design' })),
        often(bySelector(fc.oneof({ weight: 2, arbitrary: selectors }, { weight: 1, arbitrary: nothing }))),
        ...(hasFunctions ? [often(views), often(functions)] : []),
      ),
      idsScenarios(documents),
    )
    .map(([others, { filters: byIds, ...documents }]) => ({
      ...documents,
      filters: [...byIds.slice(0, 1), ...others.filter((filter) => filter !== undefined)],
    }));
}

/** The same scenario, with what the database contains before written in one request. */
export const withReplicated = (scenarios: fc.Arbitrary<Scenario>): fc.Arbitrary<Scenario> =>
  scenarios.map((scenario) => ({ ...scenario, before: replicated(scenario.before) }));

/**
 * Adds the design document, without its functions, since a shared database always has it: see `playSharedForFilters`. As
 * a part of the history it is left out when a case shrinks.
 */
const withDesignDocument = ([before, ...after]: History[]): History[] => [
  [newDocument(designId), ...before!],
  ...after,
];

const sharedStages = orJoined(stages).map(withDesignDocument);
const sharedDesignStages = orJoined(designStages).map(withDesignDocument);

type PoolUser = Parameters<typeof pooled>[0];

/** Scenarios for checks that only read, with documents from the pool of the run. */
export const pooledScenarios =
  (filter: fc.Arbitrary<Filter>) =>
  (context: PoolUser): fc.Arbitrary<Scenario> =>
    scenarios(filter, pooled(context, sharedStages));

/** The documents of most pooled scenarios. */
export const pooledStages = (context: PoolUser): fc.Arbitrary<Omit<Scenario, 'filters'>> =>
  pooled(context, sharedStages).map(([before, after]) => ({ before: before!, after: after! }));

export const pooledIdsScenarios = (context: PoolUser): fc.Arbitrary<Scenario> =>
  idsScenarios(pooled(context, sharedStages));

export const pooledDesignStages = (context: PoolUser): typeof designStages =>
  pooled(context, sharedDesignStages);

export const pooledDesignScenarios = (context: PoolUser): fc.Arbitrary<Scenario> =>
  designScenarios(pooledDesignStages(context));
