/** Faults in which documents a filter accepts. */
import { runInNewContext } from 'node:vm';
import { httpError, type Context } from '../../../reference/index.js';
import {
  combine,
  faultsOf,
  perServer,
  replaceFunction,
  type JsonObject,
  type Replace,
} from '../shared/components.faults.js';
import { changeRow, changeRows, replaceFeedHandlers } from '../shared/feeds.faults.js';
import {
  acceptAlso,
  acceptOnly,
  changeAccepted,
  changeFilterRequest,
  changeSelector,
  documentIdsOf,
  hideMember,
  isDesign,
  isLive,
  shortenDocumentIds,
  type Candidate,
  type OpenFilter,
} from '../shared/filters.faults.js';
import { unseen } from '../shared/unseen.js';

/** The functions of a design document. */
interface Design {
  readonly filters?: Readonly<Record<string, string>>;
  readonly views?: Readonly<Record<string, { readonly map: string; readonly reduce?: string }>>;
}

/** The function that a filter calls for each document, if there is one, and the `<design_doc>/<name>` of it. */
function functionOf({ name, query, database }: OpenFilter) {
  const isMap = name === '_view';
  if (!isMap && (name === '' || name.startsWith('_'))) return undefined;
  const path = isMap ? query.view! : name;
  const [design, member] = path.split('/') as [string, string];
  const stored = database.find(`_design/${design}`)!;
  const { filters, views } = JSON.parse(database.revision(stored, stored.leaves.winner)!.body) as Design;
  const view = views?.[member];
  return { path, isMap, source: isMap ? view!.map : filters![member]!, reduce: view?.reduce };
}

/**
 * Calls a function with each revision of a document.
 *
 * @param request its second argument
 * @returns for each revision the document after the call, whether the function has changed it, the keys that it has
 * emitted, and whether a filter with the function accepts the revision
 */
const callFor = (
  { head, revisions }: Candidate,
  source: string,
  request: { readonly query: object; readonly userCtx?: object } | undefined,
) =>
  revisions.map(({ revision, deleted, body, attachments }) => {
    const [start] = revision.split('-', 1) as [string];
    const document: JsonObject = {
      ...(JSON.parse(body) as object),
      _id: head.id,
      _rev: revision,
      ...(deleted && { _deleted: true }),
      ...(attachments && { _attachments: attachments }),
      _revisions: { start: Number(start), ids: [revision.slice(start.length + 1)] },
    };
    const before = JSON.stringify(document);
    const keys: unknown[] = [];
    const emit = (key: unknown) => keys.push(key);
    const run = runInNewContext(`(${source})`, { emit }) as (...args: unknown[]) => unknown;
    const result = run(document, request);
    const isChanged = JSON.stringify(document) !== before;
    return { document, isChanged, keys, isAccepted: result === true || keys.length > 0 };
  });

/** Passes query parameters to filter functions as the JSON values that their texts stand for, for some types. */
const parseParameters = (...types: readonly string[]): Replace =>
  changeAccepted((accepted, candidate, filter) => {
    const called = functionOf(filter);
    if (!called || called.isMap) return accepted;
    const parsed = [...filter.sent].map(([parameter, text]) => {
      const value = JSON.parse(/^(true|false|\d+)$/.test(text) ? text : JSON.stringify(text)) as unknown;
      return [parameter, types.includes(typeof value) ? value : text];
    });
    const query = Object.fromEntries(parsed) as object;
    return callFor(candidate, called.source, { query }).map(({ isAccepted }) => isAccepted);
  }, true);

/** Accepts only revisions for whose emitted keys `holds` is true, with filter=_view. */
const acceptOnlyKeys = (holds: (keys: readonly unknown[]) => boolean): Replace =>
  changeAccepted((accepted, candidate, filter) => {
    const called = functionOf(filter);
    if (!called?.isMap) return accepted;
    const calls = callFor(candidate, called.source, undefined);
    return accepted.map((isAccepted, index) => isAccepted && holds(calls[index]!.keys));
  }, true);

/** Calls, for each key, the function that the design document had at the first call. */
const keepFunctions = (keyOf: (filter: OpenFilter, path: string) => string): Replace =>
  perServer(() => {
    const known = new Map<string, string>();
    return changeAccepted((accepted, candidate, filter) => {
      const called = functionOf(filter);
      if (!called) return accepted;
      const key = `${called.isMap ? 'map' : 'filter'} ${keyOf(filter, called.path)}`;
      const source = known.get(key) ?? called.source;
      known.set(key, source);
      if (source === called.source) return accepted;
      const request = called.isMap ? undefined : { query: Object.fromEntries(filter.sent) };
      return callFor(candidate, source, request).map(({ isAccepted }) => isAccepted);
    }, true);
  });

/**
 * Changes each member of selectors, innermost first.
 *
 * @param change returns the new name and the new value, or undefined to remove the member
 */
const changeMembers = (change: (name: string, value: unknown) => [string, unknown] | undefined): Replace => {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const changed = change(name, walk(member));
      return changed ? [changed] : [];
    });
    if (members.length === 0 && Object.keys(value).length > 0) return { _id: { $exists: true } };
    return Object.fromEntries(members);
  };
  return changeFilterRequest(({ body }) => {
    if (body?.selector === undefined) return {};
    return { body: { ...body, selector: walk(body.selector) as typeof body.selector } };
  });
};

/** Changes the numbers that selectors compare with. */
const changeNumbers = (change: (number: number) => number): Replace => {
  const changed = (value: unknown): unknown =>
    typeof value === 'number' ? change(value) : Array.isArray(value) ? value.map(changed) : value;
  return changeMembers((name, value) => [name, changed(value)]);
};

/** Reads the first three elements of the lists of some operators. */
const shortenLists = (operators: RegExp): Replace =>
  changeMembers((name, value) => [
    name,
    operators.test(name) && Array.isArray(value) ? (value.slice(0, 3) as unknown) : value,
  ]);

/** Whether a filter function of a design document is called. */
const isFunction = ({ name }: OpenFilter): boolean => /^[^_]/.test(name);

/** The condition that no value meets. */
const nothing = { $in: [] };

/** Changes the path and query string that a filter function sees. */
const changeUrl = (change: (url: string, context: Context) => string): Replace =>
  replaceFunction('createFilter', (original, database, request, context) => {
    const requestHead = { ...context.requestHead, url: change(context.requestHead.url, context) };
    return original(database, request, { ...context, requestHead });
  });

export const filterDocumentsFaults = faultsOf({
  'filter-doc-ids': {
    'doc-ids-without-deleted': {
      summary: 'The server omits deleted documents with filter=_doc_ids.',
      replace: acceptOnly(/^_doc_ids$/, isLive),
    },
    'doc-ids-query-of-post-ignored': {
      summary: 'The server ignores doc_ids in the query of a POST request.',
      replace: changeFilterRequest(({ body }) => (body ? { query: { doc_ids: undefined } } : {})),
    },
    'doc-ids-prefix': {
      summary: 'The server sends every document whose ID starts with a listed one with filter=_doc_ids.',
      replace: acceptAlso('_doc_ids', ({ head }, filter) =>
        documentIdsOf(filter).some((id) => head.id.startsWith(id)),
      ),
    },
    'doc-ids-any-case': {
      summary: 'The server ignores case when it compares IDs with filter=_doc_ids.',
      replace: acceptAlso('_doc_ids', ({ head }, filter) =>
        documentIdsOf(filter).some((id) => id.toLowerCase() === head.id.toLowerCase()),
      ),
    },
    'doc-ids-trimmed': {
      summary: 'The server ignores spaces around listed IDs with filter=_doc_ids.',
      replace: acceptAlso('_doc_ids', ({ head }, filter) =>
        documentIdsOf(filter).some((id) => id.trim() === head.id),
      ),
    },
    'doc-ids-first-three': {
      summary: 'The server reads only the first three IDs of doc_ids.',
      replace: shortenDocumentIds(3),
    },
    'doc-ids-not-unescaped': {
      summary: 'The server does not decode \\u escapes in the query parameter doc_ids.',
      replace: replaceFunction('createFilter', (original, database, request, context) => {
        const { url } = context.requestHead;
        const sent = new URL(url, 'http://localhost').searchParams.get('doc_ids');
        if (sent === null) return original(database, request, context);
        const doc_ids = JSON.parse(sent.replaceAll('\\u', '\\\\u')) as string[];
        return original(database, { ...request, query: { ...request.query, doc_ids } }, context);
      }),
    },
    'doc-ids-repeated-rows': {
      summary: 'The server sends two rows for a document that doc_ids lists twice.',
      replace: changeRows((rows, request) => {
        if (request.query.filter !== '_doc_ids') return rows;
        return rows.flatMap((row) =>
          documentIdsOf(request)
            .filter((id) => id === row.id)
            .map(() => row),
        );
      }),
    },
    'doc-ids-many-without-deleted': {
      summary: 'The server omits deleted documents if doc_ids has more than 100 IDs.',
      notInTraffic: unseen.rare,
      replace: acceptOnly(
        /^_doc_ids$/,
        (candidate, filter) => isLive(candidate) || documentIdsOf(filter).length <= 100,
      ),
    },
    'doc-ids-first-300': {
      summary: 'The server reads only the first 300 IDs of doc_ids.',
      notInTraffic: unseen.rare,
      replace: shortenDocumentIds(300),
    },
    'doc-ids-large-body-refused': {
      summary: 'The server rejects bodies of more than 16 KiB with status 413.',
      notInTraffic: unseen.rare,
      replace: replaceFeedHandlers((original, request) => {
        if (request.body && JSON.stringify(request.body).length > 16_384)
          throw httpError(413, 'too_large', 'The body is too large.');
        return original(request, request.context);
      }),
    },
    'doc-ids-query-of-waiting-post-ignored': {
      summary: 'The server ignores doc_ids in the query of a POST request in the modes that wait.',
      notInTraffic: unseen.lackingRows,
      replace: changeFilterRequest(({ query, body }) =>
        body && !body.doc_ids && query.doc_ids && query.feed !== 'normal'
          ? { body: { ...body, doc_ids: [] } }
          : {},
      ),
    },
    'doc-ids-empty-accepts-all': {
      summary: 'The server sends all rows if doc_ids is an empty list.',
      replace: acceptAlso('_doc_ids', (_, filter) => documentIdsOf(filter).length === 0),
    },
    'doc-ids-applies-selector': {
      summary: 'The server applies a selector in the body instead of the IDs with filter=_doc_ids.',
      notInTraffic: unseen.rare,
      replace: changeFilterRequest(({ query, body }) =>
        query.filter === '_doc_ids' && body?.selector !== undefined ? { query: { filter: '_selector' } } : {},
      ),
    },
  },
  'filter-selector': {
    'selector-deleted-hidden': {
      summary: 'The server hides _deleted from selectors.',
      notInTraffic: unseen.lackingRows,
      replace: hideMember('_deleted', ({ name }) => name === '_selector'),
    },
    'selector-attachments-hidden': {
      summary: 'The server hides _attachments from selectors.',
      notInTraffic: unseen.lackingRows,
      replace: hideMember('_attachments', ({ name }) => name === '_selector'),
    },
    'selector-greater-or-equal': {
      summary: 'The server reads $gt as $gte.',
      replace: changeSelector((selector) => selector.replaceAll('"$gt":', '"$gte":')),
    },
    'selector-equal-as-text': {
      summary: 'The server lets a number that a field must equal match the same digits as text.',
      replace: changeSelector((selector) =>
        selector
          .replaceAll(/"\$eq":(\d+)/g, '"$in":[$1,"$1"]')
          .replaceAll(/"value":(\d+)/g, '"value":{"$in":[$1,"$1"]}'),
      ),
    },
    'selector-less': {
      summary: 'The server reads $lte as $lt.',
      replace: changeSelector((selector) => selector.replaceAll('"$lte":', '"$lt":')),
    },
    'selector-with-deleted': {
      summary: 'The server sends all deleted documents with filter=_selector.',
      replace: acceptAlso('_selector', (candidate) => !isLive(candidate)),
    },
    'selector-in-first': {
      summary: 'The server reads only the first value of $in.',
      replace: changeSelector((selector) => selector.replaceAll(/("\$in":\[[^,\]]*),[^\]]*\]/g, '$1]')),
    },
    'selector-escaped-dot': {
      summary: 'The server reads an escaped period in a field name of a selector as a separator.',
      replace: changeSelector((selector) => selector.replaceAll('\\\\.', '.')),
    },
    'selector-nested-whole': {
      summary: 'The server compares a nested object in a selector with the whole value.',
      replace: changeSelector((selector) =>
        selector
          .replaceAll('{"city":', '{"$eq":{"city":')
          .replace(/\{"\$eq":\{"city":("[^"]*"|\{[^}]*\})\}/g, '{"$$eq":{"city":$1}}'),
      ),
    },
    'selector-all-any': {
      summary: 'The server reads $allMatch as $elemMatch.',
      replace: changeSelector((selector) => selector.replaceAll('"$allMatch":', '"$elemMatch":')),
    },
    'selector-nor-or': {
      summary: 'The server reads $nor as $or.',
      replace: changeSelector((selector) => selector.replaceAll('"$nor":', '"$or":')),
    },
    'selector-applies-doc-ids': {
      summary: 'The server applies doc_ids in the body instead of the selector with filter=_selector.',
      notInTraffic: unseen.rare,
      replace: changeFilterRequest(({ query, body }) =>
        query.filter === '_selector' && body?.doc_ids !== undefined && body.selector !== undefined
          ? { query: { filter: '_doc_ids' } }
          : {},
      ),
    },
    'selector-null-unequal': {
      summary: 'The server lets no value equal null in a selector.',
      replace: changeMembers((name, value) => {
        if (value !== null) return [name, value];
        if (name === '$eq') return ['$in', []];
        return [name, name.startsWith('$') ? value : nothing];
      }),
    },
    'selector-fractions-cut': {
      summary: 'The server removes the fractions of numbers in a selector.',
      replace: changeNumbers(Math.trunc),
    },
    'selector-signs-ignored': {
      summary: 'The server ignores the signs of numbers in a selector.',
      replace: changeNumbers(Math.abs),
    },
    'selector-32-bits': {
      summary: 'The server reads only the lowest 32 bits of integers in a selector.',
      replace: changeNumbers((number) => (Number.isInteger(number) ? number | 0 : number)),
    },
    'selector-booleans-as-numbers': {
      summary: 'The server reads true and false in a selector as 1 and 0.',
      replace: changeMembers((name, value) => [
        name,
        typeof value === 'boolean' && name !== '$exists' ? Number(value) : value,
      ]),
    },
    'selector-object-first-member': {
      summary: 'The server compares only the first member of an object in $eq.',
      replace: changeMembers((name, value) => {
        if (name !== '$eq' || typeof value !== 'object' || value === null || Array.isArray(value))
          return [name, value];
        const first = Object.entries(value).slice(0, 1);
        return ['$and', first.map(([member, $eq]) => ({ [member]: { $eq: $eq as unknown } }))];
      }),
    },
    'selector-regex-any-case': {
      summary: 'The server ignores case in $regex.',
      replace: changeMembers((name, value) => [name, name === '$regex' ? `(?i)${String(value)}` : value]),
    },
    'selector-three-conditions': {
      summary: 'The server reads only the first three conditions of $and, $or, and $nor.',
      replace: shortenLists(/^\$(and|or|nor)$/),
    },
    'selector-three-options': {
      summary: 'The server reads only the first three values of $in, $nin, and $all.',
      replace: shortenLists(/^\$(in|nin|all)$/),
    },
    'selector-two-names': {
      summary: 'The server finds no value for a field name of a selector that has more than two parts.',
      replace: changeMembers((name, value) => [
        name,
        !name.startsWith('$') && name.split(/(?<!\\)\./).length > 2 ? nothing : value,
      ]),
    },
    'selector-id-unequal': {
      summary: 'The server lets no condition on _id in a selector hold, other than $regex and $exists.',
      replace: changeMembers((name, value) => [
        name,
        name === '_id' && !/"\$(regex|exists)":/.test(JSON.stringify(value)) ? nothing : value,
      ]),
    },
    'selector-ascii-names': {
      summary: 'The server ignores conditions of a selector on fields whose names are not ASCII.',
      replace: changeMembers((name, value) => (/^[ -~]*$/.test(name) ? [name, value] : undefined)),
    },
  },
  'filter-design': {
    'design-without-deleted': {
      summary: 'The server omits deleted design documents with filter=_design.',
      notInTraffic: unseen.rare,
      replace: acceptOnly(/^_design$/, isLive),
    },
    'design-of-plain-names': {
      summary: 'The server omits design documents whose names need percent-encoding with filter=_design.',
      replace: acceptOnly(/^_design$/, ({ head }) => /^_design\/\w+$/.test(head.id)),
    },
    'design-lookalike-prefix': {
      summary: 'The server sends every document whose ID starts with design with filter=_design.',
      replace: acceptAlso('_design', ({ head }) => head.id.startsWith('design')),
    },
    'design-lookalike-anywhere': {
      summary: 'The server sends every document whose ID contains _design/ with filter=_design.',
      replace: acceptAlso('_design', ({ head }) => head.id.includes('_design/')),
    },
    'design-applies-view': {
      summary: 'The server applies the view that the parameter view names with filter=_design.',
      notInTraffic: unseen.rare,
      replace: changeFilterRequest(({ query }) =>
        query.filter === '_design' && query.view ? { query: { filter: '_view' } } : {},
      ),
    },
  },
  'filter-view': {
    'view-deleted-hidden': {
      summary: 'The server hides _deleted from map functions.',
      replace: hideMember('_deleted', ({ name }) => name === '_view'),
    },
    'view-attachments-hidden': {
      summary: 'The server hides _attachments from map functions.',
      replace: hideMember('_attachments', ({ name }) => name === '_view'),
    },
    'view-without-design': {
      summary: 'The server omits design documents with filter=_view.',
      replace: acceptOnly(/^_view$/, (candidate) => !isDesign(candidate)),
    },
    'view-null-key': {
      summary: 'The server ignores emitted rows with a null key with filter=_view.',
      replace: acceptOnlyKeys((keys) => keys.some((key) => key !== null)),
    },
    'view-twice-none': {
      summary: 'The server omits a document for which the map function emits two rows with filter=_view.',
      replace: acceptOnlyKeys((keys) => keys.length !== 2),
    },
    'view-request': {
      summary: 'The server passes the request to the map function with filter=_view.',
      replace: changeAccepted((accepted, candidate, filter) => {
        const called = functionOf(filter);
        if (!called?.isMap) return accepted;
        const { name, roles } = filter.user;
        const request = { query: Object.fromEntries(filter.sent), userCtx: { name, roles } };
        return callFor(candidate, called.source, request).map(({ isAccepted }) => isAccepted);
      }, true),
    },
    'view-deleted-of-members': {
      summary: 'The server omits deleted documents with filter=_view unless an administrator reads the feed.',
      replace: acceptOnly(
        /^_view$/,
        (candidate, { user }) => isLive(candidate) || user.roles.includes('_admin'),
      ),
    },
    'view-skip': {
      summary: 'The server skips rows if the request has the parameter skip with filter=_view.',
      replace: changeRows((rows, { query, sent }) =>
        query.filter === '_view' ? rows.slice(Number(sent.get('skip'))) : rows,
      ),
    },
    'view-with-reduce-none': {
      summary: 'The server accepts no document with filter=_view if the view has a reduce function.',
      replace: acceptOnly(/^_view$/, (_, filter) => functionOf(filter)!.reduce === undefined),
    },
  },
  'filter-function': {
    'function-deleted-hidden': {
      summary: 'The server hides _deleted from filter functions.',
      replace: hideMember('_deleted', isFunction),
    },
    'function-deleted-hidden-of-design': {
      summary: 'The server hides _deleted of design documents from filter functions.',
      replace: hideMember('_deleted', (seen) => isFunction(seen) && seen.id.startsWith('_design/')),
    },
    'function-attachments-hidden': {
      summary: 'The server hides _attachments from filter functions.',
      replace: hideMember('_attachments', isFunction),
    },
    'function-revisions-hidden': {
      summary: 'The server hides _revisions from filter functions.',
      replace: hideMember('_revisions', isFunction),
    },
    'function-revisions-of-deleted-hidden': {
      summary: 'The server hides _revisions of deleted documents from filter functions.',
      replace: hideMember('_revisions', (seen) => isFunction(seen) && seen.isDeleted),
    },
    'function-query-of-post-missing': {
      summary: 'The server passes no query to a filter function in a POST request.',
      replace: changeUrl((url, { requestHead: { method } }) =>
        method === 'POST' ? url.split('?')[0]! : url,
      ),
    },
    'function-query-escaped': {
      summary: 'The server passes the query to a filter function without decoding it.',
      replace: changeUrl((url) => url.replaceAll('%', '%25')),
    },
    'function-query-numbers': {
      summary: 'The server passes query parameters that are digits to a filter function as numbers.',
      replace: parseParameters('number'),
    },
    'function-query-booleans': {
      summary: 'The server passes the query parameters true and false to a filter function as booleans.',
      replace: parseParameters('boolean'),
    },
    'function-without-deleted': {
      summary: 'The server omits deleted documents with a filter function.',
      replace: acceptOnly(/^[^_]/, isLive),
    },
    'function-before-update': {
      summary: 'The server calls a function as it was before an update of its design document.',
      // CouchDB does so for a moment.
      knownIn: ['couchdb-3.3', 'couchdb-3.5'],
      replace: keepFunctions(({ database }, path) => `${database.instance} ${path}`),
    },
    'function-of-another-database': {
      summary: 'The server calls the function of the same name of another database.',
      replace: keepFunctions((_, path) => path),
    },
    'function-plain-names': {
      summary: 'The server finds no function whose name has other characters than ASCII letters and digits.',
      replace: replaceFunction('createFilter', (original, database, request, context) => {
        const { filter = '', view = '' } = request.query;
        const path = filter === '_view' ? view : filter;
        if (!/^[\w/-]*$/.test(path)) throw httpError(404, 'not_found', 'missing json key');
        return original(database, request, context);
      }),
    },
    'function-changes-doc': {
      summary: 'The server includes documents as a filter function has changed them.',
      replace: perServer(() => {
        const changed = new Map<string, JsonObject>();
        return combine(
          changeAccepted((accepted, candidate, filter) => {
            const called = functionOf(filter);
            if (!called || called.isMap) return accepted;
            const { head, revisions } = candidate;
            const [first] = callFor(candidate, called.source, { query: Object.fromEntries(filter.sent) });
            if (first!.isChanged)
              changed.set(
                `${filter.database.instance} ${head.id} ${revisions[0]!.revision}`,
                first!.document,
              );
            return accepted;
          }, true),
          changeRow((row, { leaves: { winner } }, _, database) => {
            const document = changed.get(`${database.instance} ${row.id} ${winner}`);
            return row.doc && document ? { ...row, doc: { ...row.doc, ...document } } : row;
          }),
        );
      }),
    },
  },
});
