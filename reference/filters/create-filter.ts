/** Selects the filter of a changes request (SERVICE 4.5, 4.6, 4.8). */
import { httpError } from '../http/errors.js';
import type { Database } from '../store/database.js';
import { designFunctionFilter, keyOf } from './design-functions.js';
import type { Filter, FilterContext, FilterRequest } from './filter.js';
import { designDocumentFilter, documentIdFilter } from './id-filters.js';
import { programFilter } from './program-filter.js';
import { requestObject } from './request-object.js';
import { toJson } from '../http/json-text.js';

/**
 * @returns undefined if the request has no filter
 * @throws 400 for an invalid filter, 404 if the design document or the function does not exist
 */
export async function createFilter(
  database: Database,
  { query, body }: FilterRequest,
  context: FilterContext,
): Promise<Filter | undefined> {
  switch (withoutDuplicateName(query.filter ?? '')) {
    case '':
      return undefined;
    case '_doc_ids': {
      const ids = body?.doc_ids ?? query.doc_ids;
      if (!ids) throw badRequest('`doc_ids` filter parameter is not a list of doc ids.');
      return documentIdFilter(ids);
    }
    case '_selector':
      if (body?.selector === undefined) throw badRequest('Selector must be specified in POST payload');
      return selectorFilter(body.selector, context);
    case '_design':
      return designDocumentFilter;
    case '_view': {
      if (!query.view) throw badRequest('`view` filter parameter is not provided.');
      const [design, name] = parseFunctionName(
        query.view,
        '`view` must be of the form `designname/viewname`',
      );
      return designFunctionFilter(database, { kind: 'map', design, name }, context);
    }
  }
  if (query.filter!.startsWith('_')) throw badRequest('unknown builtin filter name');
  const [design, name] = parseFunctionName(
    query.filter!,
    '`filter` must be of the form `designname/filtername`',
  );
  const request = requestObject(database, context, body);
  return designFunctionFilter(database, { kind: 'filter', design, name, request }, context);
}

/** PouchDB sends `_design/_design`, because it repeats filter names that have no slash. */
const withoutDuplicateName = (filter: string): string => filter.replace(/^(_[a-z_]+)\/\1$/, '$1');

function parseFunctionName(path: string, reason: string): [design: string, name: string] {
  const [design, name, ...others] = path.split('/').filter((part) => part !== '');
  if (design === undefined || name === undefined || others.length > 0) throw badRequest(reason);
  return [design, name];
}

/** Compiles the selector in another process, because a large one takes time. */
function selectorFilter(value: unknown, context: FilterContext): Promise<Filter> {
  const selector = toJson(value);
  const program = { kind: 'selector', key: keyOf(selector), selector } as const;
  return programFilter({ name: 'The selector', program, context });
}

const badRequest = (reason: string) => httpError(400, 'bad_request', reason);
